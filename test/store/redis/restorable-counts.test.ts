// A store that comes back empty, or as it was before, never counts fewer requests than this process has seen.
import { describe, expect, test } from 'vitest'
import { RestorableCounts } from '../../../src/store/redis/restorable-counts.ts'
import { type Store, UNPROVEN } from '../../../src/store/store.ts'
import { entry } from '../../kit/stores.ts'
import { findRedisServer } from '../_redis-server.ts'
import { opened, server } from '../_redis.ts'

const DAY_MS = 86_400_000
const counted = async (store: Store, sinceMs = 0) =>
  (await store.countByKind('7', sinceMs))
    .map(({ kind, outcome, count }) => `${kind} ${outcome} ${count}`)
    .toSorted()

describe.skipIf(findRedisServer() === undefined)('a store that lost what was seen', () => {
  test('one that comes back empty gets the counts that each process has seen, and counts none twice (8.3)', async () => {
    const [writer, reader] = [await opened(), await opened()]
    for (let nth = 0; nth < 5; nth += 1) await writer.reserve(entry(`${nth}`, { atMs: DAY_MS + nth }))
    for (const id of ['0', '1']) await writer.settle(id, { outcome: 'settled', status: 200 }, DAY_MS + 9)
    await writer.reserve(entry('token', { kind: 'token.refresh', atMs: 5 }))
    const before = await counted(reader)
    expect(before).toEqual(['api.read reserved 3', 'api.read settled 2', 'token.refresh reserved 1'])
    await server.send('FLUSHALL')
    await writer.reserve(entry('late', { organization: '8' }))
    expect(await counted(writer)).toEqual(before)
    expect(await counted(reader)).toEqual(before)
    expect(await counted(await opened(), DAY_MS)).toEqual(['api.read reserved 3', 'api.read settled 2'])
    await reader.reserve(entry('new', { atMs: DAY_MS + 10 }))
    expect(await counted(writer)).toEqual([
      'api.read reserved 4',
      'api.read settled 2',
      'token.refresh reserved 1',
    ])
  })

  test('one that was restored from a copy gets the missing counts, and settlements take nothing away (8.3)', async () => {
    const store = await opened()
    const snapshot = async () => {
      for (const id of ['a', 'b']) await store.reserve(entry(id))
      const keys = (await server.send('KEYS', '*')) as string[]
      // In hexadecimal digits, since an answer is read as text.
      const dump = `local t = {} for i, b in ipairs({ string.byte(redis.call('DUMP', KEYS[1]), 1, -1) }) do t[i] = string.format('%02x', b) end return table.concat(t)`
      return Promise.all(
        keys.map(async (key) => [key, await server.send('EVAL', dump, '1', key)] as [string, string]),
      )
    }
    const restore = async (copy: [string, string][]) => {
      const load = `return redis.call('RESTORE', KEYS[1], 0, (string.gsub(ARGV[1], '..', function (h) return string.char(tonumber(h, 16)) end)))`
      await server.send('FLUSHALL')
      for (const [key, value] of copy) await server.send('EVAL', load, '1', key, value)
    }
    const copy = await snapshot()
    await store.reserve(entry('c'))
    for (const id of ['a', 'b', 'c']) await store.settle(id, { outcome: 'settled', status: 200 }, 2000)
    await restore(copy)
    // Two rows lack their settlements, and the row of the third request is lost.
    expect(await counted(store)).toEqual(['api.read reserved 2', 'api.read settled 1'])
    for (const id of ['a', 'b', 'c']) await store.settle(id, { outcome: 'settled', status: 200 }, 2000)
    expect(await counted(store)).toEqual(['api.read settled 3'])
  })

  test('a reservation right after the loss is decided on the counts that were seen (8.3)', async () => {
    const store = await opened()
    const admission = {
      notes: [],
      countedSinceMs: [0],
      inFlight: { token: 'print', kinds: [], sinceMs: 0 },
      decide({ counts: [rows] }: { counts: readonly (readonly { count: number }[])[] }) {
        if ((rows ?? []).reduce((sum, { count }) => sum + count, 0) >= 3) throw new RangeError('none left')
        return undefined
      },
    }
    for (const id of ['a', 'b', 'c']) await store.reserve(entry(id), admission)
    await server.send('FLUSHALL')
    await expect(store.reserve(entry('d'), admission)).rejects.toThrow(RangeError)
  })

  test('a loss that others have not noticed is made good when the connection is made again (8.3)', async () => {
    const store = await opened()
    for (const id of ['a', 'b', 'c']) await store.reserve(entry(id))
    // Like a restart that lost a request, after which others made as many changes as were lost.
    await server.send('HINCRBY', '{plimsoll}:day:0:7', 'api.read reserved 0', '-1')
    await server.send('CLIENT', 'KILL', 'TYPE', 'pubsub')
    await expect.poll(() => counted(store).catch(() => [])).toEqual(['api.read reserved 3'])
  })

  test('a restart that lost nothing adds nothing, also where others wrote meanwhile', async () => {
    const [store, other] = [await opened(), await opened()]
    for (const id of ['a', 'b']) await store.reserve(entry(id))
    await other.settle('a', { outcome: 'settled', status: 200 }, 2000)
    await server.stop()
    await server.start()
    await expect
      .poll(() => counted(store).catch(() => []))
      .toEqual(['api.read reserved 1', 'api.read settled 1'])
    await expect
      .poll(() => counted(other).catch(() => []))
      .toEqual(['api.read reserved 1', 'api.read settled 1'])
  })
})

describe('what was seen', () => {
  /** The data that is restored to an empty store. */
  async function restored(seen: RestorableCounts) {
    const written: { organization: string; newestAtMs: number; days: [number, string][] }[] = []
    await seen.restore(async (_script, organization, newestAtMs, days) => {
      const rows = JSON.parse(`${days}`) as [number, [string, number][]][]
      written.push({
        organization: `${organization}`,
        newestAtMs: Number(newestAtMs),
        days: rows.map(([startMs, counts]) => [startMs, counts.flat().join(' ')]),
      })
    })
    return written
  }

  test('nothing is remembered of a name that no one was proven to have (8.3)', async () => {
    const seen = new RestorableCounts()
    seen.add(`${UNPROVEN}a`, 5, 'api.read reserved 0', 1)
    seen.read(`${UNPROVEN}a`, [[0, [['api.read reserved 0', 1]]]], 5)
    expect(await restored(seen)).toEqual([])
  })

  test('33 days of an organization are remembered, the newest (8.3)', async () => {
    const seen = new RestorableCounts()
    for (let day = 33; day >= 0; day -= 1) seen.add('7', day * DAY_MS, 'api.read reserved 0', 1)
    seen.add('7', 34 * DAY_MS, 'api.read reserved 0', 1)
    const days = (await restored(seen))[0]?.days.map(([startMs]) => startMs / DAY_MS)
    expect(days?.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 33 }, (_, nth) => nth + 2),
    )
  })

  test('ten thousand organizations are remembered, and the one that was not used for longest makes room', async () => {
    const seen = new RestorableCounts()
    for (let nth = 0; nth < 10_000; nth += 1) seen.add(`${nth}`, 0, 'api.read reserved 0', 1)
    seen.read('0', [])
    expect(await restored(seen)).toHaveLength(10_000)
    seen.add('new', 0, 'api.read reserved 0', 1)
    const names = (await restored(seen)).map(({ organization }) => organization)
    expect(names).toHaveLength(10_000)
    expect(names).not.toContain('1')
    expect(names).toContain('0')
  })

  test('fifty organizations at a time are written again', async () => {
    const seen = new RestorableCounts()
    for (let nth = 0; nth < 120; nth += 1) seen.add(`${nth}`, 0, 'api.read reserved 0', 1)
    const [atOnce, ends]: [number[], (() => void)[]] = [[], []]
    const restoring = seen.restore(() => new Promise((resolve) => ends.push(() => resolve(1))))
    while (ends.length > 0) {
      atOnce.push(ends.length)
      for (const end of ends.splice(0)) end()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await restoring
    expect(atOnce).toEqual([50, 50, 20])
  })
})
