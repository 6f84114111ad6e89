import { expect, test } from 'vitest'
import { OpenedRecords } from '../../../src/bff/session/cache.ts'

const bytes = (...values: number[]) => new Uint8Array(values)
const MEBIBYTES = 1_048_576

function opened() {
  const records = new OpenedRecords<string>()
  records.set('a', { encrypted: bytes(1, 2), key: bytes(9), record: 'what it opened to' })
  return records
}

test.each([
  ['the same bytes and key', 'a', bytes(1, 2), bytes(9), 'what it opened to'],
  ['another id', 'b', bytes(1, 2), bytes(9), undefined],
  ['a byte that differs', 'a', bytes(1, 3), bytes(9), undefined],
  ['a byte more', 'a', bytes(1, 2, 3), bytes(9), undefined],
  ['another key', 'a', bytes(1, 2), bytes(8), undefined],
  ['a key without a byte', 'a', bytes(1, 2), bytes(), undefined],
])('with %s a record is found, or opened again (4)', (_, id, encrypted, key, expected) => {
  expect(opened().get(id, encrypted, key)).toBe(expected)
})

test('a record is found no more once its session has ended (4)', () => {
  const records = opened()
  records.delete('a')
  records.delete('a')
  expect(records.get('a', bytes(1, 2), bytes(9))).toBeUndefined()
})

test('beyond 32 MiB the least recently used records are removed (4)', () => {
  const records = new OpenedRecords<number>()
  const large = new Uint8Array(8 * MEBIBYTES)
  const add = (nth: number) => records.set(String(nth), { encrypted: large, key: bytes(), record: nth })
  const isThere = (nth: number) => records.get(String(nth), large, bytes()) !== undefined
  for (const nth of [0, 1, 2, 3]) add(nth)
  // The bytes of a replaced record are counted once.
  add(3)
  expect(isThere(0)).toBe(true)
  add(4)
  expect([0, 1, 2, 3, 4].map(isThere)).toEqual([true, false, true, true, true])
})
