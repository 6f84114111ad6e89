// Tests of changes by another process, as Redis announces them.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Watch } from '../../../src/store/redis/watch.ts'
import { entry } from '../../kit/stores.ts'
import { opened, server } from '../_redis.ts'
import { findRedisServer } from '../_redis-server.ts'

describe('looks', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('the server is asked once a second while anyone watches, whatever it answers, and no longer', () => {
    let looks = 0
    const watch = new Watch(() => {
      looks += 1
      return Promise.reject(new Error('down'))
    })
    const looksOf3Seconds = () => {
      looks = 0
      vi.advanceTimersByTime(3000)
      return looks
    }
    expect(looksOf3Seconds()).toBe(0)
    const ends = [watch.add(['token a'], () => {}), watch.add(['token b'], () => {})]
    expect(looksOf3Seconds()).toBe(3)
    ends[0]?.()
    expect(looksOf3Seconds()).toBe(3)
    ends[1]?.()
    expect(looksOf3Seconds()).toBe(0)
    watch.add(['token a'], () => {})
    watch.stop()
    expect(looksOf3Seconds()).toBe(0)
  })
})

describe.skipIf(findRedisServer() === undefined)('watching Redis', () => {
  const watched = async (...topics: Parameters<Awaited<ReturnType<typeof opened>>['watch']>[0]) => {
    const store = await opened()
    const calls: number[] = []
    await store.watch(topics, () => calls.push(performance.now()))
    return { store, calls }
  }

  test('a change of another process is announced within half a second, once, and only to its watchers', async () => {
    const { calls } = await watched('organization 7')
    const { calls: others } = await watched('organization 8', 'session a')
    const writer = await opened()
    const startMs = performance.now()
    await writer.reserve(entry('a'))
    await expect.poll(() => calls.length, { interval: 5 }).toBe(1)
    expect((calls[0] as number) - startMs).toBeLessThan(500)
    await writer.readVersion()
    expect([calls.length, others.length]).toEqual([1, 0])
  })

  test('a change in another database of the server is none of this one', async () => {
    const { store, calls } = await watched('organization 7')
    const elsewhere = await opened(server.url(9))
    for (const id of ['a', 'b', 'c']) await elsewhere.reserve(entry(id))
    await store.reserve(entry('own', { organization: '8' }))
    expect(calls).toEqual([])
  })

  test('after the connection was lost all watchers are called, since changes may be missing', async () => {
    const { store, calls } = await watched('session never-seen')
    await server.send('CLIENT', 'KILL', 'TYPE', 'pubsub')
    await expect.poll(() => calls.length).toBe(1)
    const writer = await opened()
    await store.readVersion()
    await writer.changeNote('session never-seen', () => 1, 4e12)
    expect(calls).toHaveLength(1)
  })

  test('when the store comes back empty everyone is called', async () => {
    const { store, calls } = await watched('session never-seen')
    await store.changeNote('token x', () => 1, 4e12)
    await server.send('FLUSHALL')
    await expect.poll(() => calls.length).toBe(1)
    await store.readVersion()
    expect(calls).toHaveLength(1)
  })

  test('a change of which no announcement came is found out within two seconds', async () => {
    const { calls } = await watched('organization 7')
    await server.send('HINCRBY', '{plimsoll}:meta', 'version', '1')
    await expect.poll(() => calls.length).toBe(1)
  })

  test('a server that hangs is left although nothing else is asked, and everyone is called when it goes on', async () => {
    const { calls } = await watched('session never-seen')
    server.signal('SIGSTOP')
    try {
      await new Promise((resolve) => setTimeout(resolve, 3500))
    } finally {
      server.signal('SIGCONT')
    }
    await expect.poll(() => calls.length).toBe(1)
  })
})
