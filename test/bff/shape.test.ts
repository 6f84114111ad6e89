import { expect, test } from 'vitest'
import {
  isArrayOf,
  isBoolean,
  isFiniteNumber,
  isObjectOf,
  isOneOf,
  isRecordOf,
  isText,
} from '../../src/bff/shape.ts'

const VALUES: unknown[] = [
  'a',
  '',
  1,
  0,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  true,
  false,
  null,
  undefined,
  [],
  {},
]

test.each([
  ['a text', isText, ['a', '']],
  ['a finite number', isFiniteNumber, [1, 0]],
  ['a boolean', isBoolean, [true, false]],
  ['one of some constants', isOneOf<unknown>('a', 1), ['a', 1]],
  ['an array', isArrayOf(isText), [[]]],
  ['a record', isRecordOf(isText), [{}]],
])('%s is recognized, and nothing else (RFC 8259 3)', (_, guard, accepted) => {
  expect(VALUES.filter((value) => guard(value))).toEqual(accepted)
})

test('every item of an array and every member of a record counts (RFC 8259 4, 5)', () => {
  expect(
    [
      ['a', 'b'],
      ['a', 1],
    ].map(isArrayOf(isText)),
  ).toEqual([true, false])
  expect([{ a: 'a' }, { a: 'a', b: 1 }].map(isRecordOf(isText))).toEqual([true, false])
})

test.each([
  [{ a: 1 }, true],
  [{ a: 1, b: 'b' }, true],
  [{}, false],
  [{ b: 'b' }, false],
  [{ a: '1' }, false],
  [{ a: 1, b: 2 }, false],
  [{ a: 1, c: 1 }, false],
  [{ a: 1, toString: 1 }, false],
  [Object.create({ a: 1 }), false],
  [JSON.parse('{"a":1,"__proto__":{}}'), false],
  [[1], false],
  [null, false],
])('%j has all members of its type and no others: %s (RFC 8259 4)', (value, whole) => {
  expect(isObjectOf<{ a: number; b?: string }>({ a: isFiniteNumber }, { b: isText })(value)).toBe(whole)
})
