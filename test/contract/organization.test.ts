import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  organizationPath,
  parseOrganizationId,
  readTypedOrganization,
} from '../../src/contract/organization.ts'

const refused = expect.objectContaining({ code: 'invalid_organization_id' })

test.each([
  [1, '1'],
  ['1', '1'],
  [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  ['9223372036854775807', '9223372036854775807'],
])('%j is an id with all its digits (5.3)', (value, id) => {
  expect(parseOrganizationId(value)).toBe(id)
})

test.each([
  0,
  -1,
  1.5,
  2 ** 53,
  1e21,
  '007',
  '-1',
  '1e3',
  '0x1',
  ' 1',
  '١',
  '1/..',
  null,
  undefined,
  [1],
  {},
])('%j is no id (5.3)', (value) => {
  expect(() => parseOrganizationId(value)).toThrow(refused)
})

test.each([
  '42',
  '  42\n',
  '\u3000４２ ',
  '④②',
  'organization_id=42',
  '?organization_id=42',
  '&organization_id=42&sort=name',
  'sort=name&organization_id=42',
  'ｏｒｇａｎｉｚａｔｉｏｎ＿ｉｄ＝４２',
  'https://tasks.example/projects?organization_id=42',
  'HTTPS://tasks.example/projects?a=b&organization_id=42&c#organization_id=9',
  'http://localhost:4000/?organization_id=%34%32',
  'tasks.example/projects?organization_id=42',
  'localhost:4000/projects?organization_id=42',
  '127.0.0.1:4000?organization_id=42',
  '//tasks.example/projects?organization_id=42',
  '/projects?organization_id=42',
  'https://tasks.example/?organization_id=42&organization_id=42',
  'tasks.example/go?to=https://other.example/&organization_id=42',
  '\u200B42\uFEFF',
  '<42>',
  '< 42 >',
  'https://tasks.example/projects?sort=name&amp;organization_id=42',
  '&#38;organization_id=42',
  '<https://tasks.example/projects?organization_id=42>',
  '<https://tasks.example/projects?organization_id=42|Our tasks>',
  'https%3A%2F%2Ftasks.example%2Fprojects%3Forganization_id%3D42',
  'http%3A%2F%2Flocalhost%3A4000%2Fprojects%3Forganization_id%3D42',
  'https://tasks.example/login?next=%2Fprojects%3Forganization_id%3D42',
  'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Ftasks.example%2Fprojects%3Forganization_id%3D42&amp;data=05%7C02&reserved=0',
])('the id 42 is read out of %j (5.3)', (typed) => {
  expect(readTypedOrganization(typed)).toEqual({ id: '42' })
})

test.each([
  ['', 'empty'],
  [' \u3000\n', 'empty'],
  ['0', 'not_an_id'],
  ['12a', 'not_an_id'],
  ['1 2', 'not_an_id'],
  ['1,001', 'not_an_id'],
  ['٤٢', 'not_an_id'],
  ['tasks.example', 'not_an_id'],
  ['Our tasks <42>', 'not_an_id'],
  ['organization_id=', 'not_an_id'],
  ['organization_id=4 2', 'not_an_id'],
  ['https://tasks.example/?organization_id=042', 'not_an_id'],
  ['https://', 'not_in_address'],
  ['ftp://tasks.example/https:?organization_id=42', 'not_in_address'],
  ['https://tasks.example/42', 'not_in_address'],
  ['a?b', 'not_in_address'],
  ['id=42', 'not_in_address'],
  ['4&2', 'not_in_address'],
  ['1/2', 'not_in_address'],
  ['Organization_id=42', 'not_in_address'],
  ['https://tasks.example/#organization_id=42', 'not_in_address'],
  ['ftp://tasks.example/?organization_id=42', 'not_in_address'],
  ['javascript:alert(42)?organization_id=42', 'not_in_address'],
  ['javascript:https://tasks.example/?organization_id=42', 'not_in_address'],
  ['organization_id=4&organization_id=2', 'several_ids'],
  ['https://tasks.example/?organization_id=42&organization_id=', 'several_ids'],
  ['go?a=https%3A%2F%2Fx.example%3Forganization_id%3D4&b=https://x.example?organization_id=2', 'several_ids'],
  ['<b>42</b>', 'not_in_address'],
  ['%E0%A4%A', 'not_an_id'],
])('%j names no organization: %s (5.3)', (typed, fault) => {
  expect(readTypedOrganization(typed)).toEqual({ fault })
})

const anId = fc.bigInt({ min: 1n, max: 10n ** 19n - 1n }).map(String)
const blanks = fc.stringMatching(/^[ \t\n\u3000\u00a0]{0,3}$/)
const wide = (text: string) =>
  text.replaceAll(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))
const address = fc.webUrl({ withQueryParameters: false, validSchemes: ['http', 'https'] })
const other = fc
  .tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.string())
  .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
const withoutScheme = (text: string) => text.replace(/^https?:\/\//, '')

test('every id is read in every form in which it may be typed, with blanks around it (5.3)', () => {
  fc.assert(
    fc.property(anId, address, other, other, blanks, blanks, (id, at, one, two, before, after) => {
      const parameter = `organization_id=${id}`
      const whole = `${at}?${one}&${parameter}&${two}`
      for (const form of [id, wide(id), parameter, wide(parameter), whole, withoutScheme(whole)])
        expect(readTypedOrganization(before + form + after)).toEqual({ id })
    }),
  )
})

const inSafeLink = (text: string) =>
  `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(text)}&data=05%7C02%7Ca%40b`
/** What programs put around an address that is copied out of them, from the inside to the outside. */
const WRAPPERS: ((text: string) => string)[] = [
  inSafeLink,
  (text) => text.replaceAll('&', '&amp;'),
  (text) => `<${text}>`,
  (text) => (text.startsWith('<') ? text : `<${text}|the projects>`),
  (text) => `\u200B${text}\uFEFF`,
  (text) => `\u2060 ${text}\u200D\n`,
]

test('an address is read in whatever mail and chat programs wrap it (5.3)', () => {
  const wrappers = fc.subarray(WRAPPERS)
  fc.assert(
    fc.property(anId, address, other, wrappers, (id, at, more, wraps) => {
      const typed = wraps.reduce((text, wrap) => wrap(text), `${at}?${more}&organization_id=${id}`)
      expect(readTypedOrganization(typed)).toEqual({ id })
    }),
  )
})

test('none of two different ids is taken (5.3)', () => {
  fc.assert(
    fc.property(anId, anId, address, (one, two, at) => {
      const read = readTypedOrganization(`${at}?organization_id=${one}&organization_id=${two}`)
      expect(read).toEqual(one === two ? { id: one } : { fault: 'several_ids' })
    }),
  )
})

test('an id is in what was typed, and the path of an organization has two parts and no other letters (4.4)', () => {
  const typed = fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl({ withQueryParameters: true }), anId)
  fc.assert(
    fc.property(typed, (text) => {
      const read = readTypedOrganization(text)
      if ('fault' in read) return
      expect(organizationPath(read.id)).toMatch(/^\/organizations\/[1-9]\d*$/)
      expect(text.normalize('NFKC')).toContain(read.id)
    }),
  )
})
