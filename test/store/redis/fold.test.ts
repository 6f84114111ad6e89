// Tests of the data that a fold leaves in Redis, also when it ends halfway.
import { setImmediate as nextIteration } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { foldedBeforeMs } from '../../../src/contract/ledger-fold.ts'
import type { Store } from '../../../src/store/store.ts'
import { entry } from '../../kit/stores.ts'
import { opened, server } from '../_redis.ts'
import { findRedisServer } from '../_redis-server.ts'

const NOW_MS = Date.UTC(2026, 10, 22)
const OLD_MS = foldedBeforeMs(NOW_MS) - 1
const DAY_MS = 86_400_000
const DAY_START_MS = OLD_MS + 1 - DAY_MS

/** Adds rows on the last three old days, a hundred at a time. */
async function addOld(store: Store, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += 100)
    await Promise.all(
      ids
        .slice(from, from + 100)
        .map((id, nth) => store.reserve(entry(id, { atMs: OLD_MS - ((from + nth) % 3) * DAY_MS }))),
    )
}
const left = (store: Store) => store.countSent('print', ['api.read'], 0)

describe.skipIf(findRedisServer() === undefined)('a fold in Redis', () => {
  test('of folded rows the counts of their days stay, and no other key', async () => {
    const store = await opened()
    await store.reserve(entry('answered', { atMs: OLD_MS }))
    await store.settle('answered', { outcome: 'settled', status: 200 }, OLD_MS)
    await store.reserve(entry('open', { atMs: OLD_MS }))
    await store.sweep(NOW_MS)
    expect(((await server.send('KEYS', '*')) as string[]).toSorted()).toEqual([
      `{plimsoll}:day:${DAY_START_MS}:7`,
      '{plimsoll}:days:7',
      '{plimsoll}:meta',
    ])
  })

  test('a row of a newer version is left as it is, and the others are folded', async () => {
    const store = await opened()
    await addOld(store, ['newer', 'own'])
    await server.send('HSET', '{plimsoll}:entry:newer', 'format', '2')
    await store.sweep(NOW_MS)
    expect(await store.listEntries('7', { sinceMs: 0, most: 9 })).toMatchObject([{ id: 'newer' }])
  })

  test('more rows and keys than one step takes are folded by the steps of a sweep', async () => {
    const store = await opened()
    await addOld(
      store,
      Array.from({ length: 600 }, (_, nth) => `${nth}`),
    )
    await store.reserve(entry('new', { atMs: OLD_MS + 1 }))
    await store.sweep(NOW_MS)
    expect(await left(store)).toBe(1)
    expect(await store.countByDay('7', 0)).toMatchObject([1, 200, 200, 200].map((count) => ({ count })))
  })

  test('a sweep ends after a hundred steps, and the next one goes on', async () => {
    const store = await opened()
    await store.sweep(NOW_MS)
    const fill = "for nth = 1, 150000 do redis.call('SET', KEYS[1] .. nth, '') end"
    await server.send('EVAL', fill, '1', 'of another app ')
    const steps = async () => {
      await server.send('CONFIG', 'RESETSTAT')
      await store.sweep(NOW_MS)
      return Number(
        /cmdstat_evalsha:calls=(\d+)/.exec(String(await server.send('INFO', 'commandstats')))?.[1],
      )
    }
    // The first of them removes lapsed records.
    expect(await steps()).toBe(101)
    expect(await server.send('HGET', '{plimsoll}:meta', 'foldCursor')).not.toBe('0')
    expect(await steps()).toBeLessThan(101)
    expect(await server.send('HGET', '{plimsoll}:meta', 'foldCursor')).toBe('0')
  })

  test('a server that is killed during a fold has counted no row twice and lost none (8.3)', async () => {
    const store = await opened()
    await addOld(
      store,
      Array.from({ length: 2000 }, (_, nth) => `${nth}`),
    )
    const [all, days] = [await left(store), await store.countByDay('7', 0)]
    expect(all).toBe(2000)
    const sweeping = store.sweep(NOW_MS).catch(() => 'ended')
    while ((await left(store)) === all) await nextIteration()
    await server.stop()
    expect(await sweeping).toBe('ended')
    await server.start()
    const again = await opened()
    const half = await left(again)
    expect(half).toBeGreaterThan(0)
    expect(half).toBeLessThan(all)
    expect(await again.countByDay('7', 0)).toEqual(days)
    // The first one continues where the killed one stopped, and the second one begins at the first key.
    for (let sweeps = 0; sweeps < 2; sweeps += 1) await again.sweep(NOW_MS)
    expect([await left(again), await again.countByDay('7', 0)]).toEqual([0, days])
  })
})
