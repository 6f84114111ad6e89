import { expect, test } from 'vitest'
import { entityTag, isNamed } from '../../../src/bff/http/entity-tag.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('a tag is strong, is that of the content, and is another one for other content (RFC 9110 8.8.1, 8.8.3)', () => {
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
