import { setImmediate as nextIteration } from 'node:timers/promises'
import { array, assert, asyncProperty, constantFrom, nat, record } from 'fast-check'
import { expect, test } from 'vitest'
import type { RequestKind } from '../../../src/contract/month.ts'
import { InFlight } from '../../../src/store/sqlite/in-flight.ts'
import { entry, OPENED_TWICE } from '../../kit/stores.ts'

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
