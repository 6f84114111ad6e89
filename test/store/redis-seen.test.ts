// A store that comes back empty, or as it was before, never counts fewer requests than this process has seen.
import { describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { entry } from './_adapters.ts'
import { opened, server } from './_redis.ts'
import { findRedisServer } from './_redis-server.ts'

const DAY_MS = 86_400_000
const counted = async (store: Store, sinceMs = 0) =>
  (await store.countByKind('7', sinceMs))
    .map(({ kind, outcome, count }) => `${kind} ${outcome} ${count}`)
    .toSorted()

describe.skipIf(findRedisServer() === undefined)('a store that lost what was seen', () => {
  test('one that comes back empty has the counts that each process has seen, without counting any twice (8.3)', async () => {
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

  test('one that was restored from a copy has what is missing, and settlements take nothing away (8.3)', async () => {
    const store = await opened()
    const snapshot = async () => {
      for (const id of ['a', 'b']) await store.reserve(entry(id))
      const keys = (await server.send('KEYS', '*')) as string[]
      // As text of hexadecimal digits, since an answer is read as text.
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
    // Two rows without their settlements, and the third request, whose row is lost.
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
    // As after a restart that lost a request, and so many changes by others that the number of changes is as high again.
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
