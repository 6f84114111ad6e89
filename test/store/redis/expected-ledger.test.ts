import { array, assert, constantFrom, nat, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import type { KindCount, RequestKind } from '../../../src/contract/month.ts'
import { ExpectedLedger } from '../../../src/store/redis/expected-ledger.ts'
import type { Settlement } from '../../../src/store/store.ts'

const READING = {
  id: 'r',
  count: 40,
  readAtMs: 20,
  inFlight: 0,
  monthWasReset: false,
  owner: 'browser',
}
const EMPTY = { counts: [[], []], sinceReading: { reading: READING, counts: [] } }
const SINCES_MS = [10, 30]

interface Row {
  kind: RequestKind
  atMs: number
  settlement: Settlement | undefined
}

const row = record({
  kind: constantFrom<RequestKind>('api.read', 'token.refresh'),
  atMs: nat(40),
  settlement: constantFrom<(Settlement | undefined)[]>(
    undefined,
    { outcome: 'settled', status: 199 },
    { outcome: 'settled', status: 200 },
    { outcome: 'settled', status: 299 },
    { outcome: 'uncertain' },
  ),
})

const textOf = ({ kind, outcome, succeeded }: Omit<KindCount, 'count'>) => `${kind} ${outcome} ${succeeded}`

function countsOf(rows: readonly Row[], sinceMs: number): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { kind, settlement } of rows.filter(({ atMs }) => atMs >= sinceMs)) {
    const { outcome = 'reserved', status = 0 } = settlement ?? {}
    const sort = textOf({ kind, outcome, succeeded: [200, 299].includes(status) })
    sums[sort] = (sums[sort] ?? 0) + 1
  }
  return sums
}

const sumsOf = (counts: readonly KindCount[] = []): Record<string, number> =>
  Object.fromEntries(counts.filter(({ count }) => count !== 0).map((one) => [textOf(one), one.count]))

test('has the expected rows from each instant on, and from the millisecond after the reading on (8.3)', () => {
  assert(
    property(array(row), (rows) => {
      const expected = new ExpectedLedger(EMPTY, SINCES_MS)
      for (const one of rows) expected.reserve(one)
      for (const one of rows) if (one.settlement) expected.settle(one, one.settlement)
      expect(expected.isChanged).toBe(rows.length > 0)
      expect(expected.counts.map(sumsOf)).toEqual([countsOf(rows, 10), countsOf(rows, 30)])
      expect(sumsOf(expected.sinceReading?.counts)).toEqual(countsOf(rows, 21))
    }),
  )
})

test('adds to the counts of the ledger, which it leaves unchanged', () => {
  const known: KindCount = { kind: 'api.read', outcome: 'reserved', succeeded: false, count: 2 }
  const ledger = { counts: [[known]], sinceReading: { reading: READING, counts: [known] } }
  const expected = new ExpectedLedger(ledger, [0])
  expected.reserve({ kind: 'api.read', atMs: 21 })
  const added = [{ ...known, count: 3 }]
  expect([expected.counts, expected.sinceReading?.counts]).toEqual([[added], added])
  expect([ledger.counts, ledger.sinceReading.counts]).toEqual([[[known]], [known]])
  expect(new ExpectedLedger({ ...ledger, sinceReading: undefined }, [0]).sinceReading).toBe(undefined)
})

test('the newest request is the last one of them that is no request to the token endpoint (5.4, 8.3)', () => {
  const expected = new ExpectedLedger(EMPTY, SINCES_MS)
  expected.reserve({ kind: 'token.refresh', atMs: 40 })
  expect(expected.newestAtMs).toBeUndefined()
  for (const atMs of [20, 30, 25]) expected.reserve({ kind: 'api.read', atMs })
  expect(expected.newestAtMs).toBe(30)
})
