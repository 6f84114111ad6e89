// What the store does while its server is down, hangs, is full, read-only or forgets its scripts: it answers store_unavailable
// soon, and works again by itself.
import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { entry } from './_adapters.ts'
import { opened, server } from './_redis.ts'
import { findRedisServer } from './_redis-server.ts'

const FAR_MS = 4e12
const unavailable = (message: RegExp) =>
  expect.objectContaining({
    code: 'store_unavailable',
    cause: expect.objectContaining({ message: expect.stringMatching(message) }),
  })
const note = (store: Store, value: unknown) => store.changeNote('n', () => value, FAR_MS)
const recovered = (store: Store, value: unknown) =>
  expect.poll(() => note(store, value).catch(() => 'refused')).toBe(value)

describe.skipIf(findRedisServer() === undefined)('the connection to Redis', () => {
  afterEach(async () => {
    server.signal('SIGCONT')
    await server.send('REPLICAOF', 'NO', 'ONE')
    await server.send('CONFIG', 'SET', 'maxmemory', '0')
  })

  test('while the server is down each call is refused at once, and not done later', async () => {
    const store = await opened()
    await note(store, 'before')
    await server.stop()
    await expect(note(store, 'lost')).rejects.toEqual(unavailable(/./))
    const startMs = performance.now()
    for (let nth = 0; nth < 20; nth += 1)
      await expect(store.reserve(entry(`${nth}`))).rejects.toEqual(unavailable(/./))
    expect(performance.now() - startMs).toBeLessThan(1000)
    await server.start()
    await expect.poll(() => store.readNote('n').catch(() => 'refused')).toBe('before')
    expect(await store.countByKind('7', 0)).toEqual([])
  })

  test('a server that hangs is left after two seconds, by all who wait, and used again when it goes on', async () => {
    const store = await opened()
    await note(store, 'before')
    server.signal('SIGSTOP')
    const startMs = performance.now()
    const calls = Array.from({ length: 50 }, (_, nth) => store.reserve(entry(`${nth}`)))
    const outcomes = await Promise.allSettled([...calls, note(store, 'x'), store.readNote('n')])
    const waitedMs = performance.now() - startMs
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([])
    expect(outcomes.at(-1)).toEqual({ status: 'rejected', reason: unavailable(/2000 ms/) })
    expect(waitedMs).toBeGreaterThan(1900)
    expect(waitedMs).toBeLessThan(4000)
    const againMs = performance.now()
    await expect(note(store, 'again')).rejects.toEqual(unavailable(/./))
    expect(performance.now() - againMs).toBeLessThan(500)
    server.signal('SIGCONT')
    await recovered(store, 'after')
  })

  test('an answer that came while this process did not run is read, however late', async () => {
    const store = await opened()
    await note(store, 'before')
    const reading = store.readNote('n')
    // The command leaves, and is answered while nothing runs here.
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    const endMs = performance.now() + 2500
    while (performance.now() < endMs);
    expect(await reading).toBe('before')
    expect(await store.readNote('n')).toBe('before')
  })

  test('a server that became a replica refuses, and is used again as a primary', async () => {
    const store = await opened()
    await note(store, 'before')
    await server.send('REPLICAOF', '127.0.0.1', '1')
    await expect(note(store, 'lost')).rejects.toEqual(unavailable(/READONLY/))
    await expect.poll(() => store.readNote('n').catch((error) => error.cause.message)).toMatch(/replica/)
    await server.send('REPLICAOF', 'NO', 'ONE')
    await recovered(store, 'after')
  })

  test('a full server refuses what it has no room for, answers the rest, and takes all again with room', async () => {
    const store = await opened()
    await note(store, 'before')
    await server.send('CONFIG', 'SET', 'maxmemory', '1mb')
    await expect(note(store, 'lost')).rejects.toEqual(unavailable(/OOM|maxmemory/))
    await expect(store.reserve(entry('a'))).rejects.toEqual(unavailable(/OOM|maxmemory/))
    expect(await store.readNote('n')).toBe('before')
    expect(await store.countByKind('7', 0)).toEqual([])
    await store.endSession('a')
    await server.send('CONFIG', 'SET', 'maxmemory', '0')
    await note(store, 'after')
  })

  test('scripts that the server forgot are sent again', async () => {
    const store = await opened()
    await note(store, 'before')
    await server.send('SCRIPT', 'FLUSH')
    expect(await note(store, 'after')).toBe('after')
  })

  test('a password that was changed refuses, and no error has the old one', async () => {
    await server.send('ACL', 'SETUSER', 'app', 'on', '>first-secret', '~*', '&*', '+@all')
    const store = await opened(server.url().replace('//', '//app:first-secret@'))
    await note(store, 'before')
    await server.send('ACL', 'SETUSER', 'app', 'resetpass', '>other')
    await server.send('CLIENT', 'KILL', 'USER', 'app')
    const described = () => store.readNote('n').catch(({ cause }) => inspect(cause))
    await expect.poll(described).toMatch(/WRONGPASS/)
    expect(await described()).not.toContain('first-secret')
    await server.send('ACL', 'SETUSER', 'app', '>first-secret')
    await recovered(store, 'after')
  })

  test('a new store has no change yet', async () => {
    expect(await (await opened()).readVersion()).toBe(0)
    expect(await (await opened()).readVersion()).toBe(0)
  })

  test('numbers of changes and fencing numbers go on above those that were seen when the store comes back empty', async () => {
    const store = await opened()
    for (let nth = 0; nth < 5; nth += 1) await store.changeNote('token x', () => nth, FAR_MS)
    const [version, fence] = [await store.readVersion(), (await store.acquireLease('a', 0, 1)) as number]
    await server.send('FLUSHALL')
    expect(await store.readVersion()).toBeGreaterThan(version)
    expect(await store.acquireLease('a', 0, 1)).toBeGreaterThan(fence)
  })
})
