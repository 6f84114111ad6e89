import { expect, test } from 'vitest'
import {
  count,
  countTo,
  flag,
  integer,
  isJsonObject,
  listOf,
  members,
  number,
  oneOf,
  onlyMembers,
  type Reader,
  recordOf,
  text,
} from '../../src/contract/json.ts'

test.each([
  [{}, true],
  [JSON.parse('{"a":1}'), true],
  [[], false],
  [null, false],
  ['{}', false],
  [undefined, false],
])('%j is an object of JSON: %s (RFC 8259 4)', (value, is) => {
  expect(isJsonObject(value)).toBe(is)
})

const READERS: [name: string, read: Reader<unknown>, accepted: unknown[], refused: unknown[]][] = [
  ['text', text, ['', 'a'], [1, null, undefined, {}]],
  ['flag', flag, [true, false], [0, 'true', null, undefined]],
  ['number', number, [0, -1.5, 1e300], [Number.NaN, Infinity, '1', null]],
  ['integer', integer, [0, -7, 2 ** 53 - 1], [1.5, 2 ** 53, Number.NaN, Infinity, '1', null]],
  ['count', count, [0, 7], [-1, 0.5, Number.NaN, Infinity, '1', null]],
  ['countTo', countTo(5), [0, 5], [6, -1]],
  ['oneOf', oneOf(['a', true, 1]), ['a', true, 1], ['b', false, 2, '1', undefined]],
  ['listOf', listOf(count), [[], [1, 2]], [{}, [1, -1], 'a', null]],
  [
    'members',
    members({ a: count }, { b: flag }),
    [{ a: 1 }, { a: 1, b: true }],
    [{}, { a: 1, b: 1 }, [], null],
  ],
  ['recordOf', recordOf(count), [{}, { a: 1, b: 2 }], [{ a: 1, b: '2' }, [1], [], null, undefined]],
  [
    'onlyMembers',
    onlyMembers({ a: count }, { b: flag }),
    [{ a: 1 }, { a: 1, b: true }],
    [
      {},
      { b: true },
      { a: '1' },
      { a: 1, b: 2 },
      { a: 1, c: 1 },
      { a: 1, toString: 1 },
      Object.create({ a: 1 }),
      JSON.parse('{"a":1,"__proto__":{}}'),
      [1],
      null,
    ],
  ],
]

test.each(READERS)(
  '%s returns what it accepts, and throws at all else (RFC 8259 3)',
  (_, read, good, bad) => {
    for (const value of good) expect(read(value)).toEqual(value)
    for (const value of bad) expect(() => read(value)).toThrow(TypeError)
  },
)

test('members that are not known are left out, and inherited ones are not read (RFC 8259 4)', () => {
  const read = members({}, { a: text, toString: text })
  expect(read({ a: 'x', c: 1 })).toEqual({ a: 'x' })
  expect(read(JSON.parse('{"__proto__":{"a":"x"}}'))).toEqual({})
  expect(() => members({ constructor: text }, {})({})).toThrow(TypeError)
})
