import { expect, test } from 'vitest'
import type { KindCount } from '../../../src/contract/month.ts'
import { LedgerCache, kindCountOf, sortOf } from '../../../src/store/shared/ledger-cache.ts'

const READ: KindCount = { kind: 'api.read', outcome: 'settled', succeeded: true, count: 3 }
const RESERVED = sortOf('api.read', 'reserved', false)
const SETTLED = sortOf('api.read', 'settled', true)
const READING = { id: 'r', count: 40, readAtMs: 50, inFlight: 0, monthWasReset: false, owner: 'browser' }

const texts = (counts: readonly KindCount[] | undefined) =>
  counts?.map(({ kind, outcome, succeeded, count }) => [kind, outcome, succeeded, count].join(' '))

test('a sort is kind, outcome and success, and is read as it was written', () => {
  expect([SETTLED, RESERVED]).toEqual(['api.read settled 1', 'api.read reserved 0'])
  expect([kindCountOf(SETTLED, 3), kindCountOf(RESERVED, 1)]).toEqual([
    READ,
    { kind: 'api.read', outcome: 'reserved', succeeded: false, count: 1 },
  ])
})

test('counts are known in the state in which they were counted, for their organization and instant alone', () => {
  const ledgers = new LedgerCache<number>()
  expect([ledgers.stateOf('7'), ledgers.counts('7', 10, 1), ledgers.newest('7', 1)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  ledgers.counted('7', 10, 1, [READ])
  ledgers.readNewest('7', 1, READING)
  expect(ledgers.stateOf('7')).toBe(1)
  expect([ledgers.counts('7', 10, 1), ledgers.newest('7', 1)]).toEqual([[READ], { reading: READING }])
  expect([ledgers.counts('7', 11, 1), ledgers.counts('8', 10, 1), ledgers.counts('7', 10, 2)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(ledgers.newest('7', 2)).toBeUndefined()
  ledgers.counted('7', 20, 2, [])
  expect([ledgers.stateOf('7'), ledgers.counts('7', 10, 2), ledgers.newest('7', 2)]).toEqual([
    2,
    undefined,
    undefined,
  ])
  ledgers.readNewest('7', 2, undefined)
  expect([ledgers.newest('7', 2), ledgers.counts('7', 20, 2)]).toEqual([{ reading: undefined }, []])
})

test('an added request counts from each instant up to its own, and no sort with a count of 0 is left (8.3)', () => {
  const ledgers = new LedgerCache<string>()
  for (const sinceMs of [10, 20, 21]) ledgers.counted('7', sinceMs, 'a', [READ])
  ledgers.readNewest('7', 'a', READING)
  ledgers.add('7', 20, [[RESERVED, 1]], ['a', 'b'])
  const seen = (state: string) => [10, 20, 21].map((sinceMs) => texts(ledgers.counts('7', sinceMs, state)))
  const more = ['api.read settled true 3', 'api.read reserved false 1']
  expect(seen('b')).toEqual([more, more, ['api.read settled true 3']])
  expect([seen('a'), ledgers.newest('7', 'b')]).toEqual([
    [undefined, undefined, undefined],
    { reading: READING },
  ])
  const settling = [[RESERVED, -1] as const, [SETTLED, 1] as const]
  ledgers.add('7', 20, settling, ['b', 'c'])
  expect(seen('c')).toEqual([
    ['api.read settled true 4'],
    ['api.read settled true 4'],
    ['api.read settled true 3'],
  ])
})

test('a request that is added after an unknown state leaves nothing known (8.3)', () => {
  const ledgers = new LedgerCache<string>()
  ledgers.counted('7', 10, 'a', [READ])
  ledgers.counted('8', 10, 'a', [READ])
  ledgers.add('7', 20, [[RESERVED, 1]], ['b', 'c'])
  ledgers.add('9', 20, [[RESERVED, 1]], ['b', 'c'])
  expect(['7', '8', '9'].map((name) => ledgers.stateOf(name))).toEqual([undefined, 'a', undefined])
})

test('of an organization the four instants that were asked for last are known', () => {
  const ledgers = new LedgerCache<number>()
  for (const sinceMs of [1, 2, 3, 4]) ledgers.counted('7', sinceMs, 1, [])
  ledgers.counts('7', 1, 1)
  ledgers.counted('7', 3, 1, [READ])
  ledgers.counted('7', 5, 1, [])
  ledgers.counted('7', 6, 1, [])
  expect([1, 2, 3, 4, 5, 6].filter((sinceMs) => ledgers.counts('7', sinceMs, 1) !== undefined)).toEqual([
    1, 3, 5, 6,
  ])
})
