import { expect, expectTypeOf, test } from 'vitest'
import {
  CHOICE_GROUPS,
  CHOICES,
  type Choices,
  DEFAULT_CHOICES,
  parseChoices,
} from '../../../src/sandbox/choices/choices.ts'

const rows = Object.entries(CHOICES)

test('a choice has a number of its own and several values with texts, of which the first is the default', () => {
  expect(new Set(rows.map(([, text]) => text['x-number'])).size).toBe(53)
  expect(Object.values(CHOICE_GROUPS).flatMap((group) => Object.keys(group))).toEqual(Object.keys(CHOICES))
  for (const [key, { 'x-values': values }] of rows) {
    const [first, ...others] = Object.keys(values)
    expect([key, others.length > 0, DEFAULT_CHOICES[key as keyof Choices]]).toEqual([key, true, first])
    for (const [value, means] of Object.entries(values)) {
      expect(value).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
      expect(means).not.toBe('')
    }
  }
  // The compiler knows every value by name.
  expectTypeOf<Choices['codelife']>().toEqualTypeOf<'seconds_600' | 'seconds_60' | 'seconds_30'>()
})

test('choices from outside change what they name, and nothing else', () => {
  const before = { ...DEFAULT_CHOICES }
  const base = parseChoices({ codelife: 'seconds_60' })
  expect(parseChoices({ tz: 'asia_tokyo' }, base)).toEqual({
    ...before,
    codelife: 'seconds_60',
    tz: 'asia_tokyo',
  })
  expect(parseChoices({})).toEqual(before)
  expect(DEFAULT_CHOICES).toEqual(before)
})

test.each([
  [
    'an unknown value',
    { codelife: 'seconds_61' },
    'codelife cannot be "seconds_61"; its values are: seconds_600, seconds_60, seconds_30',
  ],
  ['a value of another type', { codelife: 600 }, 'codelife cannot be 600; its values are: seconds_600'],
  ['an unknown key', { codelive: 'seconds_60' }, 'codelive is not a choice; the choices are: redir, deny,'],
  ['a key that every object has', { constructor: 'none' }, 'constructor is not a choice'],
  ['two errors', { tz: 'mars', enc: 'xml' }, /^tz cannot .*\nenc cannot .*$/],
  ['the key of the prototype', JSON.parse('{ "__proto__": "none" }'), '__proto__ is not a choice'],
])('%s is refused with its possible values', (_, changes, statement) => {
  expect(() => parseChoices(changes)).toThrow(statement)
})

test.each([[null], [undefined], ['codelife'], [[]]])('%j is not a set of choices', (changes) => {
  expect(() => parseChoices(changes)).toThrow('an object of names and values')
})
