import { describe, expect, test } from 'vitest'
import { hasErrors, readAgreement, readText } from '../../../src/sandbox/settings/field.tsx'
import { APPLICATION, atSettings, HOSTILE } from '../_settings.ts'

describe('readText', () => {
  const read = (text: string, isRequired = false) =>
    readText(new URLSearchParams(text), 'a', { label: 'Name', longest: 5, isRequired })

  test.each([
    ['a=+b+', { text: 'b', error: undefined }],
    ['a=', { text: '', error: undefined }],
    ['', { text: '', error: undefined }],
    ['a=12345', { text: '12345', error: undefined }],
    ['a=123456', { text: '123456', error: 'Name has 6 characters; at most 5 are allowed.' }],
    ['a=1&a=1', { text: '1', error: 'Name is in the form twice.' }],
    ['a=1%002', { text: '1\u00002', error: 'Name has a character that cannot be shown.' }],
    ['a=1%E2%80%AE2', { text: '1\u202E2', error: 'Name has a character that cannot be shown.' }],
    ['a=1%0A2', { text: '1\n2', error: 'Name has a character that cannot be shown.' }],
  ])('reads %s', (form, expected) => {
    expect(read(form)).toEqual(expected)
  })

  test('requires more than blanks', () => {
    expect(['', 'a=', 'a=+++'].map((form) => read(form, true).error)).toEqual(
      Array(3).fill('Enter the name.'),
    )
  })
})

test.each(['', 'agreement=', 'agreement=on', 'agreement=agreed&agreement=agreed', 'Agreement=agreed'])(
  '%j is not an agreement (S21, S26, 5.1)',
  (form) => {
    expect(readAgreement(new URLSearchParams(form))).toMatch(/agree/)
  },
)

test('the tick is an agreement (S42, 5.1)', () => {
  expect(readAgreement(new URLSearchParams('agreement=agreed'))).toBeUndefined()
})

test('a form has errors if one field has one', () => {
  expect([hasErrors({}), hasErrors({ a: undefined }), hasErrors({ a: undefined, b: 'x' })]).toEqual([
    false,
    false,
    true,
  ])
})

test('a form comes back with its values, and each error at its field and in a list (WCAG 3.3.1)', async () => {
  const { fill } = await atSettings()
  const { status, text } = await fill('applications/add', { name: HOSTILE, redirect_uri: '/x' })
  expect(status).toBe(422)
  expect(text).toContain('<title>Error: Add application')
  expect(text).toContain('role="alert"')
  for (const name of ['redirect_uri', 'agreement']) {
    expect(text).toContain(`href="#${name}"`)
    expect(text).toMatch(new RegExp(`aria-describedby="[^"]*${name}-error"`))
    expect(text).toContain(`id="${name}-error"`)
  }
  expect(text.match(/aria-invalid="true"/g)).toHaveLength(2)
  expect(text).not.toMatch(/<script|<img/)
  expect(text).toContain('value="/x"')
})

test('every field has a label, and required fields the attribute (WCAG 1.3.1)', async () => {
  const { read } = await atSettings()
  const { text } = await read('applications/add')
  for (const name of Object.keys({ ...APPLICATION, description: '' }).filter((one) => one !== 'agreement'))
    expect(text).toContain(`<label for="${name}">`)
  expect(text.match(/ required=""/g)).toHaveLength(3)
  expect(text).toContain('(optional)')
})
