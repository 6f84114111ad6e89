import { expect, test } from 'vitest'
import { Digits, indentJson, jsonOf, readJsonText } from '../../../src/web/record/json-text.ts'

test('a number keeps all its digits', () => {
  expect(readJsonText('9007199254740993123')?.value).toEqual(new Digits('9007199254740993123'))
  expect(readJsonText('{"a":1.10}')?.value).toEqual({ a: new Digits('1.10') })
})

test.each(['', '{', '<html>', 'undefined', '{"a":}', '[1,]'])('%j is not JSON', (text) => {
  expect(readJsonText(text)).toBeUndefined()
})

test('null is JSON', () => {
  expect(readJsonText('null')).toEqual({ value: null })
})

test('the last value of a repeated name counts, and __proto__ is a name like any other', () => {
  const { value } = readJsonText('{"a":1,"a":2,"__proto__":{"x":true}}') ?? {}
  expect(Object.keys(value as object)).toEqual(['a', '__proto__'])
  expect((value as { a: unknown }).a).toEqual(2)
  expect(({} as { x?: unknown }).x).toBeUndefined()
})

test('nesting of any depth is refused or read, and indented, without a crash', () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000)
  expect(readJsonText(deep)).toBeUndefined()
  expect(indentJson(deep).cut).toBe(300_000)
})

test('the raw text is indented as it came, with its numbers and repeated names', () => {
  const { shown } = indentJson('{"a":[1.10,"x, {y}"],"b":{},"a":"\\"q\\""}')
  expect(shown.trim()).toBe('{\n  "a": [\n    1.10,\n    "x, {y}"\n  ],\n  "b": {},\n  "a": "\\"q\\""\n}')
})

test('marks of direction are written as codes, so that they turn nothing around', () => {
  expect(indentJson('{"a":"\u202Eb\u2069"}').shown.trim()).toBe('{\n  "a": "\\u202eb\\u2069"\n}')
})

test('text that is not JSON is indented without a crash', () => {
  expect(indentJson('}]}]"abc').shown).toContain('"abc')
})

test.each([
  '{"a":1,"b":-2.5,"c":"1.10","d":[true,null,""]}',
  '{"a":1.10,"b":-0,"c":1e400,"d":9007199254740993123}',
  '["quotes \\" and \\\\",1.0,"\\\\",2.0]',
  '{"__proto__":1.50,"constructor":{}}',
])('%s stays the same when it is written again', (text) => {
  expect(jsonOf(readJsonText(text)?.value)).toBe(text)
})

test('a string of megabytes is read', () => {
  const text = JSON.stringify({ a: '\\"'.repeat(1_000_000), b: 1 })
  expect(readJsonText(text)?.value).toEqual(JSON.parse(text))
})
