import { expect, test } from 'vitest'
import { Counts, type CountRow } from '../../../src/store/sqlite/counts.ts'
import type { KindCount } from '../../../src/contract/month.ts'

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

test.each([
  [199, false],
  [200, true],
  [299, true],
  [300, false],
])('an answer %i is one of success: %s (8.3)', (status, succeeded) => {
  const { counts, texts } = counting()
  texts(0)
  counts.recorded('a', { ...REQUEST, kind: 'api.update' })
  counts.settled('a', { outcome: 'settled', status })
  expect(texts(0)).toContain(`api.update settled ${succeeded} 1`)
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
