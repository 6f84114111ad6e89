import { expect, test } from 'vitest'
import { accepted, acceptedLanguage, entityTag, isNamed } from '../../../src/bff/http/representation.ts'

test.each([
  [null, []],
  ['', []],
  [' , ,', []],
  ['br', ['br']],
  ['gzip, deflate, br', ['gzip', 'deflate', 'br']],
  ['GZIP', ['gzip']],
  ['a;q=0.1, b, c;q=0.5, d', ['b', 'd', 'c', 'a']],
  ['a ; Q=0.2 ,b;x=1;q=0.9', ['b', 'a']],
  ['a;q=0.5, b;x=1;q=0.4', ['a', 'b']],
  ['a;q=0, b;q=0.000, c;q=0.001, d;q=none', ['c']],
])('of %j these are accepted: %j (RFC 9110 12.4.2)', (field, names) => {
  expect(accepted(field)).toEqual(names)
})

test.each([
  [null, 'en'],
  ['fr, de', 'en'],
  ['ja', 'ja'],
  ['ja-JP, en', 'ja'],
  ['fr, JA;q=0.2, en;q=0.1', 'ja'],
  ['en, ja', 'en'],
  ['ja;q=0.5, en-GB', 'en'],
  ['ja;q=0', 'en'],
  ['jav', 'en'],
])('for %j the language is %s (RFC 9110 12.5.4)', (field, language) => {
  expect(acceptedLanguage(field, (name) => ['en', 'ja'].includes(name))).toBe(language)
})

const bytes = (text: string) => new TextEncoder().encode(text)

test('a tag is strong, and the same only for the same content (RFC 9110 8.8.1, 8.8.3)', () => {
  const tag = entityTag(bytes('a script'))
  expect(tag).toMatch(/^"[\w-]{27}"$/)
  expect(entityTag(bytes('a script'))).toBe(tag)
  expect(entityTag(bytes('another'))).not.toBe(tag)
  const same = bytes('same')
  expect(entityTag(same)).toBe(entityTag(same))
})

test.each([
  [null, false],
  ['', false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b"', false],
  ['"A"', false],
  ['a', false],
  ['"b", "a"', true],
  ['"b",W/"a" ,"c"', true],
  [', "a",', true],
  // A comma may be in a tag.
  ['"a,", ",a"', false],
  ['"b,a", "a"', true],
  ['*', true],
  [' * ', true],
  ['"*"', false],
  ['"a', false],
] as const)('If-None-Match: %s names "a": %j (RFC 9110 13.1.2)', (field, expected) => {
  expect(isNamed(field, '"a"')).toBe(expected)
})
