import { expect, test } from 'vitest'
import {
  flag,
  isJsonObject,
  isTooDeep,
  number,
  oneOf,
  onlyMembers,
  type Reader,
  text,
  time,
} from '../../src/contract/json.ts'
import { closedObject } from '../../src/contract/closed-object.ts'

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

test.each([
  ['[]', false],
  ['['.repeat(100), false],
  ['{"a":'.repeat(101), true],
  [`"${'['.repeat(400_000)}"`, false],
  [`"\\"${'{'.repeat(101)}`, false],
  ['[]'.repeat(1000), false],
  ['['.repeat(400_000), true],
])('text %# is nested too deeply: %s (attack 71)', (text, isDeep) => {
  expect(isTooDeep(text)).toBe(isDeep)
})

const READERS: [expected: string, read: Reader<unknown>, accepted: unknown[], refused: unknown[]][] = [
  ['a string', text, ['', 'a'], [1, null, undefined, {}]],
  ['a boolean', flag, [true, false], [0, 'true', null, undefined]],
  ['a number', number, [0, -1.5, 1e300], [Number.NaN, Infinity, '1', null]],
  [
    'a time',
    time,
    ['2026-11-21T06:00:00Z', '2026-11-21T06:00:00.000Z', '2026-11-21T15:00:00+09:00'],
    [
      '2026-11-21',
      '2026-11-21T06:00:00',
      '2026-13-21T06:00:00Z',
      'at 2026-11-21T06:00:00Z',
      '2026-11-21T06:00:00Z or so',
      // Date.parse reads these two.
      '+012026-11-21T06:00:00Z',
      '2026-11-21T06:00:00Z\0',
      ['2026-11-21T06:00:00Z'],
      1_795_240_800_000,
      undefined,
    ],
  ],
  ['one of a, true, 1', oneOf(['a', true, 1]), ['a', true, 1], ['b', false, 2, '1', undefined]],
  [
    'no other members',
    onlyMembers({ a: number }, { b: flag }),
    [{ a: 1 }, { a: 1, b: true }],
    [{ a: 1, c: 1 }, { a: 1, toString: 1 }, JSON.parse('{"a":1,"__proto__":{}}')],
  ],
  ['a string', onlyMembers({ a: text }, {}), [{ a: 'x' }], [{}, { a: 1 }, Object.create({ a: 'x' })]],
  ['an object', onlyMembers({}, {}), [{}], [[], null]],
]

test.each(READERS)(
  'the reader of %s returns what it accepts, and throws at all else (RFC 8259 3)',
  (expected, read, good, bad) => {
    for (const value of good) expect(read(value)).toEqual(value)
    for (const value of bad) expect(() => read(value)).toThrow(new TypeError(`expected ${expected}`))
  },
)

test('a required member that is missing is refused by its reader (RFC 8259 4)', () => {
  expect(() => onlyMembers({ a: text }, {})({})).toThrow(new TypeError('expected a string'))
})

test('an object with some of the named members passes (RFC 8259 4)', () => {
  expect(closedObject({ code: 1 }, ['code', 'state'])).toEqual({ code: 1 })
})

test.each(['[]', 'null', '7', '"code"'])('%s is refused as no object (RFC 8259 4)', (text) => {
  expect(() => closedObject(JSON.parse(text), ['code'])).toThrow(
    expect.objectContaining({ code: 'invalid_request', fault: 'body_not_an_object' }),
  )
})

test.each(['{"code":1,"cod":2}', '{"__proto__":{"code":1}}', '{"constructor":1}'])(
  '%s is refused with the members that are known, and nothing of it is repeated (RFC 9457 5)',
  (text) => {
    expect(() => closedObject(JSON.parse(text), ['code', 'state'])).toThrow(
      expect.objectContaining({ code: 'invalid_request', fault: 'unknown_member', known: ['code', 'state'] }),
    )
  },
)
