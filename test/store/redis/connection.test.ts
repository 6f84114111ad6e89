// A server is down, hangs, is full, read-only or forgets its scripts: the store says so soon, and recovers.
import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Connection, type ConnectionEvents } from '../../../src/store/redis/connection.ts'
import { READ_VERSION } from '../../../src/store/redis/scripts/lua.ts'
import { NOTE_SCRIPTS } from '../../../src/store/redis/scripts/notes.ts'
import type { Store } from '../../../src/store/store.ts'
import { entry } from '../../kit/stores.ts'
import { findRedisServer } from '../_redis-server.ts'
import { opened, server } from '../_redis.ts'

const FAR_MS = 4e12
const unavailable = (message: RegExp) =>
  expect.objectContaining({
    code: 'store_unavailable',
    cause: expect.objectContaining({ message: expect.stringMatching(message) }),
  })
const note = (store: Store, value: unknown) => store.changeNote('n', () => value, FAR_MS)
const recovered = (store: Store, value: unknown) =>
  expect.poll(() => note(store, value).catch(() => 'refused')).toBe(value)

const connections: Connection[] = []
function connectionWith(events: Partial<ConnectionEvents>): Connection {
  const connection = new Connection(server.url(), {
    onChange() {},
    async onAdopted() {},
    onNotice() {},
    ...events,
  })
  connections.push(connection)
  return connection
}
async function connected(events: Partial<ConnectionEvents>): Promise<Connection> {
  const connection = connectionWith(events)
  await connection.open()
  return connection
}

describe.skipIf(findRedisServer() === undefined)('the connection to Redis', () => {
  afterEach(async () => {
    server.signal('SIGCONT')
    await server.send('REPLICAOF', 'NO', 'ONE')
    await server.send('CONFIG', 'SET', 'maxmemory', '0')
    await server.send('CONFIG', 'SET', 'appendfsync', 'always')
    for (const connection of connections.splice(0)) await connection.close()
  })

  test('while the server is down each call is refused at once, and not done later', async () => {
    const store = await opened()
    await note(store, 'before')
    await server.stop()
    await expect(note(store, 'lost')).rejects.toEqual(unavailable(/./))
    // No call has waited for two seconds.
    for (let nth = 0; nth < 20; nth += 1)
      await expect(store.reserve(entry(`${nth}`))).rejects.toEqual(unavailable(/^(?!.*2000 ms)./))
    await server.start()
    await expect.poll(() => store.readNote('n').catch(() => 'refused')).toBe('before')
    expect(await store.countByKind('7', 0)).toEqual([])
  })

  test('a server that hangs is left after two seconds by all waiting calls, and used again when it goes on', async () => {
    const store = await opened()
    await note(store, 'before')
    server.signal('SIGSTOP')
    const startMs = performance.now()
    const calls = Array.from({ length: 50 }, (_, nth) => store.reserve(entry(`${nth}`)))
    const outcomes = await Promise.allSettled([...calls, note(store, 'x'), store.readNote('n')])
    const waitedMs = performance.now() - startMs
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([])
    expect(outcomes.at(-1)).toEqual({ status: 'rejected', reason: unavailable(/2000 ms/) })
    expect(outcomes.at(-1)).toMatchObject({ reason: { cause: { name: 'TimedOut', code: 'ETIMEDOUT' } } })
    expect(waitedMs).toBeGreaterThan(1900)
    const timers = vi.spyOn(globalThis, 'setTimeout')
    await expect(note(store, 'again')).rejects.toEqual(unavailable(/./))
    expect(timers).not.toHaveBeenCalled()
    timers.mockRestore()
    server.signal('SIGCONT')
    await recovered(store, 'after')
  })

  test('an answer that came while this process did not run is read, however late', async () => {
    const store = await opened()
    await note(store, 'before')
    const reading = store.readNote('n')
    // The command leaves, and is answered while nothing runs here.
    for (let round = 0; round < 3; round += 1) await new Promise((resolve) => setImmediate(resolve))
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

  test('a full server refuses writes without room, answers the rest, and takes all again with room', async () => {
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

  test('a connection that is lost while nothing is asked is made again at once, and no notice is repeated', async () => {
    await server.send('CONFIG', 'SET', 'appendfsync', 'everysec')
    const notices: string[] = []
    let made = 0
    await connected({
      onChange: () => (made += 1),
      onNotice: (notice) => notices.push(notice),
    })
    const timers = vi.spyOn(globalThis, 'setTimeout')
    for (let round = 1; round <= 3; round += 1) {
      await server.send('CLIENT', 'KILL', 'TYPE', 'pubsub')
      await expect.poll(() => made).toBe(round + 1)
    }
    // A later try would come after a quarter of a second; timers of two seconds are timeouts of answers.
    expect(timers.mock.calls.filter(([, ms = 0]) => ms > 0 && ms < 2000)).toEqual([])
    timers.mockRestore()
    expect(notices).toHaveLength(1)
  })

  test('while it is down the server is tried every quarter of a second', async () => {
    const store = await opened()
    await server.stop()
    const triedMs: number[] = []
    const down = createServer((socket) => {
      triedMs.push(performance.now())
      socket.destroy()
    }).listen(server.port, '127.0.0.1')
    await expect.poll(() => triedMs.length).toBeGreaterThan(2)
    down.close()
    await server.start()
    await recovered(store, 'after')
    const waitedMs = triedMs.slice(1).map((atMs, nth) => atMs - (triedMs[nth] as number))
    expect(Math.min(...waitedMs)).toBeGreaterThan(200)
  })

  test('a change is announced once, by its topics, by any process, and a call that changes nothing is not', async () => {
    const changes: unknown[] = []
    const connection = await connected({ onChange: (topics) => changes.push(topics) })
    await connection.run(READ_VERSION)
    await connection.run(NOTE_SCRIPTS.changeNote, 'token x', '', '1 1', FAR_MS)
    await connection.run(READ_VERSION)
    expect(changes).toEqual([undefined, ['token x']])
    const other = await opened()
    await other.changeNote('token y', () => 1, FAR_MS)
    await expect.poll(() => changes.length).toBe(3)
    await connection.run(READ_VERSION)
    expect(changes.slice(2)).toEqual([['token y']])
  })

  test('a store that is lost again each time it was made good is given up after the third time', async () => {
    let losses = 0
    const connection = await connected({
      async onAdopted() {
        losses += 1
        if (losses < 9) await server.send('FLUSHALL')
      },
    })
    await expect(connection.run(READ_VERSION)).rejects.toEqual(unavailable(/LOST/))
    expect(losses).toBe(3)
  })

  test.each([
    ['while it is made', () => {}],
    [
      'while it fails',
      () => {
        throw new Error('ours')
      },
    ],
  ])('a connection that is closed %s stays closed', async (_, end) => {
    const closing: Promise<void>[] = []
    const connection = connectionWith({
      async onAdopted() {
        closing.push(connection.close())
        end()
      },
    })
    const run = () => connection.run(READ_VERSION)
    await expect(run()).rejects.toEqual(unavailable(/^not connected to Redis yet$/))
    await expect(connection.open()).rejects.toThrow('the store is closed')
    await Promise.all(closing)
    await expect(run()).rejects.toEqual(unavailable(/^the store is closed$/))
    await expect.poll(() => server.send('CLIENT', 'LIST', 'TYPE', 'pubsub')).toBe('')
  })

  test('a store that is closed while its server hangs leaves no connection', async () => {
    // Ask the server for their number: this process has sockets of other tests too.
    const connections = async () =>
      String(await server.send('CLIENT', 'LIST'))
        .trim()
        .split('\n').length
    const before = await connections()
    const store = await opened()
    expect(await connections()).toBeGreaterThan(before)
    server.signal('SIGSTOP')
    const reading = store.readNote('n').catch((error: unknown) => error)
    // The command leaves.
    await new Promise((resolve) => setImmediate(resolve))
    await store.close()
    expect(await reading).toEqual(unavailable(/./))
    server.signal('SIGCONT')
    await expect.poll(connections).toBe(before)
  })

  test('numbers of changes and fencing numbers go on above those seen, each time the store comes back empty', async () => {
    const store = await opened()
    for (let nth = 0; nth < 5; nth += 1) await store.changeNote('token x', () => nth, FAR_MS)
    const [version, fence] = [await store.readVersion(), (await store.acquireLease('a', 0, 1)) as number]
    for (let losses = 0; losses < 2; losses += 1) {
      await server.send('FLUSHALL')
      expect(await store.readVersion()).toBeGreaterThan(version)
      expect(await store.acquireLease('a', 0, 1)).toBeGreaterThan(fence)
    }
  })
})
