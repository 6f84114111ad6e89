import { expect, test } from 'vitest'
import { accepted, acceptedLanguage } from '../../../src/bff/http/representation.ts'

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
