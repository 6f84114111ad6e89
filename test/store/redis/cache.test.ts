import { expect, test } from 'vitest'
import { Cache } from '../../../src/store/redis/cache.ts'
import type { ReadingRow } from '../../../src/store/redis/readings.ts'

const DAY = '86400000'
const ROW: ReadingRow = ['r', '40', '86400500', '2', '0', 'browser']
const READING = {
  id: 'r',
  count: 40,
  readAtMs: 86_400_500,
  inFlight: 2,
  monthWasReset: false,
  owner: 'browser',
}
const settled = (count: number) => ({ kind: 'api.read', outcome: 'settled', succeeded: true, count })

/** A day with three requests. The rests of the days of the two instants have two and one. */
const answer = (state: string, reading: ReadingRow | null = ROW) => ({
  state,
  gathered: [
    [[DAY, ['api.read settled 1', '3']]],
    [
      ['api.read settled 1', '2'],
      ['api.read settled 1', '1'],
    ],
  ] as [[string, string[]][], string[][]],
  reading,
})

test('a ledger that a script has answered is cached in that state, with the counts since its reading (8.3)', () => {
  const cache = new Cache()
  expect(cache.ledger('7', [5], 'a')).toBeUndefined()
  const ledger = cache.readLedger('7', [5], answer('a'))
  expect(ledger).toEqual({ counts: [[settled(5)]], sinceReading: { reading: READING, counts: [settled(1)] } })
  expect(cache.ledger('7', [5], 'a')).toEqual(ledger)
  expect(cache.ledger('7', [], 'a')).toEqual({ ...ledger, counts: [] })
  expect([cache.ledger('7', [5], 'b'), cache.ledger('7', [5, 6], 'a')]).toEqual([undefined, undefined])
})

test('a request that this process records after the millisecond of a reading is counted since it (8.3)', () => {
  const cache = new Cache()
  cache.readLedger('7', [5], answer('a'))
  const { readAtMs } = READING
  cache.ledgers.add('7', readAtMs, [['api.read settled 1', 1]], ['a', 'b'])
  expect(cache.ledger('7', [5], 'b')).toMatchObject({
    counts: [[settled(6)]],
    sinceReading: { counts: [settled(1)] },
  })
  cache.ledgers.add('7', readAtMs + 1, [['api.read settled 1', 1]], ['b', 'c'])
  expect(cache.ledger('7', [5], 'c')).toMatchObject({
    counts: [[settled(7)]],
    sinceReading: { counts: [settled(2)] },
  })
})

test('a ledger without a reading is known without one', () => {
  const cache = new Cache()
  const ledger = { counts: [[settled(5)], [settled(4)]], sinceReading: undefined }
  expect(cache.readLedger('7', [5, 6], answer('a', null))).toEqual(ledger)
  expect(cache.ledger('7', [5, 6], 'a')).toEqual(ledger)
})

test('counts without their newest reading are no ledger', () => {
  const cache = new Cache()
  expect(cache.readCounts('7', [5], answer('a'))).toEqual([[settled(5)]])
  expect(cache.ledger('7', [5], 'a')).toBeUndefined()
  cache.ledgers.readNewest('7', 'a', READING)
  expect(cache.ledger('7', [5], 'a')).toBeUndefined()
})

test('a ledger that has no state, and an unproven name, whose requests a sweep removes, are read each time', () => {
  const cache = new Cache()
  cache.readLedger('7', [5], answer(''))
  cache.readLedger('unproven x', [5], answer('a'))
  expect([cache.ledgers.stateOf('7'), cache.ledgers.stateOf('unproven x')]).toEqual([undefined, undefined])
})

test('all that a script answers of days is seen, so that it can be restored (8.3)', async () => {
  const cache = new Cache()
  cache.readLedger('7', [5], answer('a'))
  cache.restorable.read('7', [], 9)
  const restored: unknown[] = []
  await cache.restorable.restore(async (_, ...args) => void restored.push(args))
  expect(restored).toEqual([['7', 9, JSON.stringify([[86_400_000, [['api.read settled 1', 3]]]])]])
})
