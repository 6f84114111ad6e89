import { setImmediate as nextIteration } from 'node:timers/promises'
import { array, assert, asyncProperty, constantFrom, nat, record } from 'fast-check'
import { expect, test } from 'vitest'
import type { KindCount, RequestKind } from '../../../src/contract/month.ts'
import { LedgerCache } from '../../../src/store/shared/ledger-cache.ts'
import { type CountRow, Counts } from '../../../src/store/sqlite/counts.ts'
import { entry, OPENED_TWICE } from '../../kit/stores.ts'

const ROW: CountRow<KindCount> = { kind: 'api.read', outcome: 'settled', succeeded: 1, count: 3 }
const READING = { id: 'r', count: 40, readAtMs: 50, inFlight: 0, monthWasReset: false, owner: 'browser' }

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
