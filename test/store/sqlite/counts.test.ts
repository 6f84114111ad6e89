import { setImmediate as nextIteration } from 'node:timers/promises'
import { array, assert, asyncProperty, constantFrom, nat, record } from 'fast-check'
import { expect, test } from 'vitest'
import type { KindCount, RequestKind } from '../../../src/contract/month.ts'
import { LedgerCache } from '../../../src/store/shared/ledger-cache.ts'
import { type CountRow, Counts } from '../../../src/store/sqlite/counts.ts'
import { InFlight } from '../../../src/store/sqlite/in-flight.ts'
import { entry, OPENED_TWICE } from '../../kit/stores.ts'

const ROW: CountRow<KindCount> = { kind: 'api.read', outcome: 'settled', succeeded: 1, count: 3 }
const READING = { id: 'r', count: 40, readAtMs: 50, inFlight: 0, monthWasReset: false, owner: 'browser' }
const REQUEST = { organization: '7', kind: 'api.read', atMs: 1000 } as const

/** @returns `queries`: the counts that were read from the file */
function counting() {
  const queries: unknown[][] = []
  const connection = { generation: 1 }
  const forget = () => {
    connection.generation += 1
  }
  const all = (...values: unknown[]) => {
    queries.push(values)
    return [ROW] as never[]
  }
  const counts = new Counts(
    { generation: () => connection.generation, forget },
    { countByKind: { all, run: () => 0 } },
  )
  const texts = (sinceMs: number) =>
    counts
      .countByKind('7', sinceMs)
      .map(({ kind, outcome, succeeded, count }) => [kind, outcome, succeeded, count].join(' '))
  return { counts, texts, queries, connection }
}

test('requests are counted once in a generation, from the quarter, block and day after an instant (8.3)', () => {
  const { counts, texts, queries, connection } = counting()
  expect([texts(1), texts(1)]).toEqual([['api.read settled true 3'], ['api.read settled true 3']])
  expect(queries).toEqual([['7', 900_000, 7_200_000, 86_400_000, 1]])
  connection.generation = 2
  counts.countByKind('7', 1)
  counts.countByKind('8', 1)
  expect(queries).toHaveLength(3)
})

test('requests that this connection records and settles are added to the counts (8.3)', () => {
  const { counts, texts, queries } = counting()
  texts(1000)
  texts(1001)
  counts.recorded('a', REQUEST)
  counts.recorded('b', REQUEST)
  expect([texts(1000), texts(1001)]).toEqual([
    ['api.read settled true 3', 'api.read reserved false 2'],
    ['api.read settled true 3'],
  ])
  counts.settled('a', { outcome: 'settled', status: 200 })
  expect(texts(1000)).toEqual(['api.read settled true 4', 'api.read reserved false 1'])
  counts.settled('b', { outcome: 'uncertain' })
  expect(texts(1000)).toEqual(['api.read settled true 4', 'api.read uncertain false 1'])
  expect(queries).toHaveLength(2)
})

test('an unproven name, a request of another process, and one that was settled before empty the cache', () => {
  const { counts, texts, queries } = counting()
  texts(0)
  counts.recorded('u', { ...REQUEST, organization: 'unproven x' })
  texts(0)
  counts.settled('u', { outcome: 'void' })
  texts(0)
  counts.settled('of another process', { outcome: 'void' })
  texts(0)
  counts.recorded('a', REQUEST)
  counts.settled('a', { outcome: 'void' })
  texts(0)
  expect(queries).toHaveLength(4)
  counts.settled('a', { outcome: 'void' })
  texts(0)
  expect(queries).toHaveLength(5)
})

test('the newest reading is read once until the generation is another one, also where there is none (8.3)', () => {
  const { counts, connection } = counting()
  let reads = 0
  const read = (reading?: typeof READING) =>
    counts.newestReading('7', () => {
      reads += 1
      return reading
    })
  expect([read(), read(READING), reads]).toEqual([undefined, undefined, 1])
  connection.generation = 2
  expect([read(READING), read(), reads]).toEqual([READING, READING, 2])
})
test('of an organization the four instants that were asked for last are known', () => {
  const ledgers = new LedgerCache<number>()
  for (const sinceMs of [1, 2, 3, 4]) ledgers.counted('7', sinceMs, 1, [])
  ledgers.counts('7', 1, 1)
  for (const sinceMs of [3, 5, 6]) ledgers.counted('7', sinceMs, 1, [])
  const known = [1, 2, 3, 4, 5, 6].filter((sinceMs) => ledgers.counts('7', sinceMs, 1) !== undefined)
  expect(known).toEqual([1, 3, 5, 6])
})

const READS: RequestKind[] = ['api.read', 'rate_limit']
const READ = { token: 'print', kind: 'api.read', atMs: 1000 } as const

/** @returns the connection, and `queries` of the file, in which each token has one update at instant 500 */
function inFile() {
  const queries: unknown[][] = []
  const connection = { generation: 1 }
  const update = (token: unknown) => ({ id: `old ${String(token)}`, token, kind: 'api.update', atMs: 500 })
  const listing = (tokensOf: (value: unknown) => unknown[]) => ({
    run: () => 0,
    all: (...values: unknown[]) => {
      queries.push(values)
      return tokensOf(values[0]).map(update) as never[]
    },
  })
  const inFlight = new InFlight(
    {
      generation: () => connection.generation,
      forget: () => {
        connection.generation += 1
      },
    },
    {
      listInFlight: listing((token) => [token]),
      listEachInFlight: listing((tokens) => JSON.parse(String(tokens)) as unknown[]),
    },
  )
  return { inFlight, queries, connection }
}

test('the requests of a token in flight are read once, until a new generation or an earlier instant (8.2)', () => {
  const { inFlight, queries, connection } = inFile()
  const counts = (sinceMs: number) => [
    inFlight.count('print', READS, sinceMs),
    inFlight.count('print', ['api.update'], sinceMs),
  ]
  expect([counts(400), counts(500), counts(501)]).toEqual([
    [0, 1],
    [0, 1],
    [0, 0],
  ])
  expect(queries).toEqual([['print', 400]])
  counts(399)
  expect(queries).toHaveLength(2)
  connection.generation = 2
  counts(400)
  expect(queries).toHaveLength(3)
})

test('a request that this connection records is in flight until it settles it (8.2)', () => {
  const { inFlight, queries } = inFile()
  const reads = () => inFlight.count('print', READS, 500)
  inFlight.recorded({ ...READ, id: 'before anything was asked' })
  expect(reads()).toBe(0)
  inFlight.recorded({ ...READ, id: 'a' })
  inFlight.recorded({ ...READ, id: 'b', kind: 'rate_limit' })
  inFlight.recorded({ ...READ, id: 'c', token: 'other' })
  inFlight.recorded({ id: 'd', kind: 'token.refresh', atMs: 1000 })
  expect([reads(), inFlight.count('print', READS, 1001)]).toEqual([2, 0])
  inFlight.settled('a')
  inFlight.settled('d')
  expect([reads(), inFlight.count('print', ['rate_limit'], 500)]).toEqual([1, 1])
  expect(queries).toHaveLength(1)
})

test('a request that this connection did not record, or has settled before, makes all be read again', () => {
  const { inFlight, queries } = inFile()
  const read = () => inFlight.count('print', READS, 500)
  read()
  inFlight.settled('of another process')
  read()
  expect(queries).toHaveLength(2)
  inFlight.recorded({ ...READ, id: 'a' })
  inFlight.settled('a')
  read()
  expect(queries).toHaveLength(2)
  inFlight.settled('a')
  read()
  expect(queries).toHaveLength(3)
})

test('of many tokens those are read together that are not known (8.2)', () => {
  const { inFlight, queries } = inFile()
  inFlight.count('b', ['api.update'], 500)
  expect(inFlight.countEach(['a', 'b', 'c', 'a'], ['api.update'], 500)).toEqual([1, 1, 1, 1])
  inFlight.recorded({ ...READ, id: 'x', token: 'c' })
  expect(inFlight.countEach(['c', 'a'], READS, 500)).toEqual([1, 0])
  expect(inFlight.countEach([], READS, 500)).toEqual([])
  expect(queries).toEqual([
    ['b', 500],
    ['["a","c"]', 500],
  ])
})

const anyAct = record({
  /** The process, of two. */
  by: nat(1),
  act: constantFrom('reserve', 'settle', 'count'),
  token: constantFrom('a', 'b'),
  kind: constantFrom<RequestKind>('api.read', 'api.update'),
  /** An earlier request. */
  nth: nat(5),
  atMs: nat(9),
})

test.each(OPENED_TWICE)(
  'two processes over %s count the same in flight, whichever of them recorded and settled it (8.2)',
  async (_, open) => {
    const stores = await open()
    let ids = 0
    await assert(
      asyncProperty(array(anyAct, { maxLength: 24 }), async (acts) => {
        const run = `${(ids += 1)}`
        const rows: { id: string; token: string; kind: RequestKind; atMs: number; isOpen: boolean }[] = []
        for (const [step, { by, act, token, kind, nth, atMs }] of acts.entries()) {
          const store = stores[by as 0 | 1]
          const row = rows[nth]
          if (act === 'reserve') {
            const id = `${run} ${step}`
            await store.reserve(entry(id, { token: run + token, kind, atMs }))
            rows.push({ id, token, kind, atMs, isOpen: true })
          } else if (act === 'settle' && row !== undefined) {
            await store.settle(row.id, { outcome: 'settled', status: 200 }, 9)
            row.isOpen = false
          }
          // Writes of another process are seen from the next iteration on.
          await nextIteration()
          const expected = rows.filter(
            (one) => one.isOpen && one.token === token && one.kind === kind && one.atMs >= atMs,
          ).length
          expect(await store.countInFlight(run + token, [kind], atMs)).toBe(expected)
          expect(await store.countEachInFlight([run + token, 'none'], [kind], atMs)).toEqual([expected, 0])
        }
      }),
      { numRuns: 40 },
    )
    for (const store of stores) await store.close()
  },
  60_000,
)
