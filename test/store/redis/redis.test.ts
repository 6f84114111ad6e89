// Tests that need several clients, a restart or a newer version.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test } from 'vitest'
import { openRedis } from '../../../src/store/redis/redis.ts'
import { type Admission, type Store, UNPROVEN } from '../../../src/store/store.ts'
import { entry, session } from '../../kit/stores.ts'
import { linesOf, startWriter, writeTogether } from '../_processes.ts'
import { findRedisServer } from '../_redis-server.ts'
import { opened, server } from '../_redis.ts'

const FAR_MS = 4e12
const one = Uint8Array.of(1)
const admitting = (places: number): Admission => ({
  notes: ['token x'],
  countedSinceMs: [0],
  inFlight: { token: 'print', kinds: ['api.read'], sinceMs: 0 },
  decide({ counts: [rows], inFlight }) {
    const counted = (rows ?? []).reduce((sum, { count }) => sum + count, 0)
    if (counted !== inFlight) throw new Error(`counted ${counted}, in flight ${inFlight}`)
    if (counted >= places) throw new RangeError('none left')
    return undefined
  },
})

const recordAndSettle = async (store: Store, ids: readonly string[]) => {
  for (const id of ids) {
    await store.reserve(entry(id), { ...admitting(9), decide: () => undefined })
    await store.settle(id, { outcome: 'settled', status: 200 }, 1001)
  }
}

/** Counts the calls of a command since the statistics were reset. */
const calls = async (command: string): Promise<number> =>
  Number(
    new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(
      String(await server.send('INFO', 'commandstats')),
    )?.[1] ?? 0,
  )

const SENDER = `
const { parentPort, workerData: { port, isAnswered } } = require('node:worker_threads')
const socket = require('node:net').connect(port, '127.0.0.1')
parentPort.on('message', (command) => socket.write(command + '\\r\\n'))
socket.on('data', (answer) => {
  if (/^-/.test(answer)) throw new Error(answer)
  Atomics.store(isAnswered, 0, 1)
  Atomics.notify(isAnswered, 0)
})`

/** @returns a function that sends a command while nothing else of this thread runs */
function startSender(): (command: string) => void {
  const isAnswered = new Int32Array(new SharedArrayBuffer(4))
  sender = new Worker(SENDER, { eval: true, workerData: { port: server.port, isAnswered } })
  return (command) => {
    Atomics.store(isAnswered, 0, 0)
    sender?.postMessage(command, [])
    if (Atomics.wait(isAnswered, 0, 0, 5000) === 'timed-out') throw new Error(`no answer to ${command}`)
  }
}
let sender: Worker | undefined

describe.skipIf(findRedisServer() === undefined)('Redis', () => {
  afterEach(async () => {
    await sender?.terminate()
  })

  test('everything is there after a kill of the server and its restart, and the same store uses it', async () => {
    const store = await opened()
    await store.writeSession('a', session(one), 0)
    await store.claim('a', 0, FAR_MS)
    const fence = (await store.acquireLease('a', 0, FAR_MS)) as number
    await store.addToCounter('a', 5, 0, FAR_MS)
    await store.reserve(entry('a'))
    await store.settle('a', { outcome: 'settled', status: 200 }, 1001)
    await store.attribute('unproven b', '7', 1000)
    await store.changeNote('a', () => ({ limit: 60 }), FAR_MS)
    await server.stop('SIGKILL')
    await expect(store.readSession('a')).rejects.toMatchObject({ code: 'store_unavailable' })
    await server.start()
    await expect.poll(() => store.readSession('a').catch(() => 0)).toEqual({ ...session(one), version: 1 })
    expect(await store.claim('a', 0, FAR_MS)).toBe(false)
    expect(await store.acquireLease('a', 0, FAR_MS)).toBeUndefined()
    expect(await store.acquireLease('b', 0, FAR_MS)).toBeGreaterThan(fence)
    expect(await store.addToCounter('a', 1, 0, FAR_MS)).toMatchObject({ count: 6 })
    const settled = { kind: 'api.read', outcome: 'settled', succeeded: true, count: 1 }
    expect(await store.countByKind('7', 0)).toEqual([settled])
    await store.reserve(entry('b', { organization: 'unproven b' }))
    expect(await store.countByKind('7', 0)).toHaveLength(2)
    expect(await store.readNote('a')).toEqual({ limit: 60 })
  })

  test.each([1, 2, 3])(
    'of 500 calls over two stores for the last 100 places 100 are recorded, round %i (8.2)',
    async () => {
      const stores = [await opened(), await opened()] as const
      const calls = Array.from({ length: 500 }, (_, nth) =>
        (nth % 2 === 0 ? stores[0] : stores[1]).reserve(entry(`${nth}`), admitting(100)).then(
          () => 'recorded',
          (error: unknown) => error,
        ),
      )
      const results = await Promise.all(calls)
      expect(results.filter((result) => result === 'recorded')).toHaveLength(100)
      expect(results.filter((result) => result !== 'recorded' && !(result instanceof RangeError))).toEqual([])
      expect(await stores[0].countInFlight('print', ['api.read'], 0)).toBe(100)
    },
  )

  test.each([
    ['a note', 'SET "{plimsoll}:note:token x" "1 1"'],
    ['a claim', 'SET {plimsoll}:claim:c 5'],
    ['what is in flight', 'ZADD {plimsoll}:open:api.read:print 1000 other'],
    ['the ledger', 'HSET {plimsoll}:ledger:7 revision other'],
  ])('a decision is made again when %s was changed meanwhile (8.2)', async (_, command) => {
    const [store, sendNow] = [await opened(), startSender()]
    await store.reserve(entry('before'))
    let decisions = 0
    const decide = () => {
      decisions += 1
      if (decisions === 1) sendNow(command)
      return undefined
    }
    await store.reserve(entry('a'), { ...admitting(9), claim: 'c', decide })
    await store.reserve(entry('b'), { ...admitting(9), claim: 'c', decide })
    // The second is first decided as if nothing were in flight, and then again.
    expect(decisions).toBe(4)
  })

  test('a request is recorded in one step if nothing has changed since it was seen or is in flight (8.3)', async () => {
    const store = await opened()
    await recordAndSettle(store, ['a', 'b'])
    await store.changeNote('token x', () => 'free', FAR_MS)
    await server.send('CONFIG', 'RESETSTAT')
    const states: unknown[] = []
    const decide: Admission['decide'] = (state) => {
      states.push(state)
      if (state.notes[0] !== 'free' || state.counts[0]?.[0]?.count !== 2) throw new RangeError('unexpected')
      return undefined
    }
    await store.reserve(entry('c'), { ...admitting(9), notes: ['token x', 'organization 7'], decide })
    expect([states, await calls('evalsha')]).toMatchObject([[{ inFlight: 0 }], 1])
    expect(await store.countInFlight('print', ['api.read'], 0)).toBe(1)
  })

  test('a request refused by the state that was seen last is refused if that has not changed (8.3)', async () => {
    const store = await opened()
    await recordAndSettle(store, ['a', 'b'])
    await store.changeNote('token x', () => 'full', FAR_MS)
    const decide: Admission['decide'] = ({ notes: [note] }) => {
      if (note === 'full') throw new RangeError('none left')
      return undefined
    }
    await expect(store.reserve(entry('c'), { ...admitting(9), decide })).rejects.toThrow('none left')
    expect(await store.countInFlight('print', ['api.read'], 0)).toBe(0)
  })

  test('a cached ledger is not answered again, and one that is not known is asked for at once (8.3)', async () => {
    const store = await opened()
    await recordAndSettle(store, ['a', 'b'])
    const { decide: _, ...asked } = admitting(9)
    await server.send('CONFIG', 'RESETSTAT')
    await store.readAdmissionState('7', asked)
    expect([await calls('evalsha'), await calls('hgetall')]).toEqual([1, 0])
    const { counts } = await store.readAdmissionState('7', { ...asked, countedSinceMs: [0, 86_400_000] })
    expect(counts).toMatchObject([[{ count: 2 }], []])
    expect([await calls('evalsha'), await calls('hgetall')]).toEqual([2, 1])
    expect(await store.countByKind('7', 0)).toMatchObject([{ count: 2 }])
    expect([await calls('evalsha'), await calls('hgetall')]).toEqual([3, 1])
    expect(await store.countByKind('7', 900_000)).toEqual([])
    expect(await calls('evalsha')).toBe(4)
  })

  test('a note that has not changed is the same value, and one that was read is changed in one step', async () => {
    const [store, other] = [await opened(), await opened()]
    await other.changeNote('n', () => ({ limit: 60 }), FAR_MS)
    const note = await store.readNote('n')
    expect(await store.readNote('n')).toBe(note)
    await server.send('CONFIG', 'RESETSTAT')
    await store.changeNote('n', () => 1, FAR_MS)
    await store.changeNote('n', () => undefined, FAR_MS)
    await store.changeNote('n', () => 2, FAR_MS)
    expect(await calls('evalsha')).toBe(3)
  })

  test.each([
    ['a note', (store: Store) => store.changeNote('token x', () => 'free', FAR_MS)],
    ['a request', (store: Store) => store.settle('a', { outcome: 'settled', status: 200 }, 1001)],
  ])(
    'a request that would be refused by the last seen state is decided after a change of %s (8.3)',
    async (_, change) => {
      const [store, other] = [await opened(), await opened()]
      await store.changeNote('token x', () => 'full', FAR_MS)
      await store.reserve(entry('a'), { ...admitting(9), decide: () => undefined })
      await change(other)
      const decide: Admission['decide'] = ({ notes: [note], counts: [rows] }) => {
        if (note === 'full' && rows?.some(({ outcome }) => outcome === 'reserved'))
          throw new RangeError('none left')
        return undefined
      }
      await store.reserve(entry('b'), { ...admitting(9), decide })
      expect((await store.countByKind('7', 0)).reduce((sum, { count }) => sum + count, 0)).toBe(2)
    },
  )

  test('a try that takes a claim is decided by the claim that another process has (8.3)', async () => {
    const [store, other] = [await opened(), await opened()]
    for (const id of ['a', 'b']) await store.reserve(entry(id), { ...admitting(9), decide: () => undefined })
    await other.claim('c', 0, FAR_MS)
    const decide: Admission['decide'] = ({ claimedUntilMs = 0, newestAtMs }) => {
      if (claimedUntilMs > 0) throw new RangeError(`tried at ${newestAtMs}`)
      return FAR_MS
    }
    const trying = store.reserve(entry('c'), { ...admitting(9), claim: 'c', decide })
    await expect(trying).rejects.toThrow('tried at 1000')
  })

  test('if others are faster each time, a request and a change of a note are given up after 200 tries (8.2)', async () => {
    const [store, sendNow] = [await opened(), startSender()]
    const refused = { code: 'store_unavailable', cause: { message: 'other processes were faster 200 times' } }
    let [decisions, changes] = [0, 0]
    const decide = () => {
      decisions += 1
      sendNow('HINCRBY {plimsoll}:ledger:7 revision 1')
      return undefined
    }
    await expect(store.reserve(entry('a'), { ...admitting(9), decide })).rejects.toMatchObject(refused)
    const change = () => {
      changes += 1
      sendNow(`SET {plimsoll}:note:n "1 ${changes}"`)
      return 'ours'
    }
    await expect(store.changeNote('n', change, FAR_MS)).rejects.toMatchObject(refused)
    expect([decisions, changes]).toEqual([200, 200])
    expect([await store.countByKind('7', 0), await store.readNote('n')]).toEqual([[], 200])
  })

  test('an acknowledged write outlives a kill of the server under load, and is counted once', async () => {
    const store = await opened()
    let [asked, acknowledged] = [0, 0]
    for (let round = 0; round < 3; round += 1) {
      const calls = Array.from({ length: 300 }, async () => {
        await store.reserve(entry(`${(asked += 1)}`), admitting(10_000))
        acknowledged += 1
      })
      setTimeout(() => void server.stop('SIGKILL'), 30)
      await Promise.allSettled(calls)
      await server.stop('SIGKILL')
      await server.start()
      await expect.poll(() => store.readVersion().catch(() => -1)).toBeGreaterThanOrEqual(0)
    }
    const [row] = await store.countByKind('7', 0)
    expect(row?.count).toBeGreaterThanOrEqual(acknowledged)
    expect(row?.count).toBeLessThanOrEqual(asked)
    expect(acknowledged).toBeGreaterThan(0)
    expect(await store.countInFlight('print', ['api.read'], 0)).toBe(row?.count)
  })

  test('processes that write together lose no change, and each lease goes to one (5.4.4)', async () => {
    const url = server.url()
    expect(await writeTogether(url, 2, 'count', 100)).toHaveLength(200)
    expect(await (await opened()).readNote('counter')).toBe(200)
    const lines = await writeTogether(url, 2, 'lease', 100)
    const taken = lines.filter((line) => !line.endsWith('undefined')).map((line) => line.split(' '))
    expect(new Set(taken.map(([name]) => name)).size).toBe(100)
    expect(new Set(taken.map(([, fence]) => fence)).size).toBe(100)
    expect(taken).toHaveLength(100)
  })

  test('two processes that race for the last five places take five, in each of ten rounds (8.2)', async () => {
    const lines = await writeTogether(server.url(), 2, 'race', 10)
    const taken = Array.from({ length: 10 }, (_, round) =>
      lines
        .filter((line) => line.startsWith(`${round + 1} `))
        .reduce((sum, line) => sum + Number(line.split(' ')[1]), 0),
    )
    expect(taken).toEqual(Array.from({ length: 10 }, () => 5))
  })

  test('processes that are killed while they write lose nothing that was acknowledged', async () => {
    const counts = await Promise.all(
      Array.from({ length: 3 }, async (_, nth) => {
        const child = startWriter(server.url(), 'reserve', 1_000_000)
        child.stdin.end()
        let acknowledged = ''
        child.stdout.setEncoding('utf8').on('data', (more: string) => {
          acknowledged += more
          if (acknowledged.length > 1000 + 500 * nth) child.kill('SIGKILL')
        })
        await once(child, 'close')
        return linesOf(acknowledged).length
      }),
    )
    const acknowledged = counts.reduce((sum, count) => sum + count, 0)
    const [row] = await (await opened()).countByKind('7', 0)
    expect(acknowledged).toBeGreaterThan(50)
    expect(row?.count).toBeGreaterThanOrEqual(acknowledged)
    // One more of each may be written but not acknowledged, or its line not read whole.
    expect(Number(row?.count) - acknowledged).toBeLessThan(30)
  })

  test('a record of a newer version is neither read nor overwritten', async () => {
    const store = await opened()
    await store.writeSession('a', session(one), 0)
    await store.changeNote('n', () => 1, FAR_MS)
    await store.reserve(entry('a'))
    await server.send('HSET', '{plimsoll}:session:a', 'format', '2')
    await server.send('SET', '{plimsoll}:note:n', '2 {"new":true}')
    await server.send('HSET', '{plimsoll}:entry:a', 'format', '2')
    const refused = {
      code: 'store_unavailable',
      cause: {
        message: 'a newer Plimsoll has written it, so it is left unchanged',
        cause: expect.any(Error),
      },
    }
    await expect(store.readSession('a')).rejects.toMatchObject(refused)
    await expect(store.writeSession('a', session(one), 1)).rejects.toMatchObject(refused)
    await expect(store.readNote('n')).rejects.toMatchObject(refused)
    await expect(store.changeNote('n', () => 2, FAR_MS)).rejects.toMatchObject(refused)
    await expect(store.settle('a', { outcome: 'void' }, 1)).rejects.toMatchObject(refused)
    expect(await server.send('GET', '{plimsoll}:note:n')).toBe('2 {"new":true}')
    expect(await server.send('HGET', '{plimsoll}:session:a', 'version')).toBe('1')
  })

  test('a store of a newer version is refused at the start, and left by one that is open', async () => {
    const store = await opened()
    await server.send('HSET', '{plimsoll}:meta', 'format', '2')
    await expect(store.readNote('a')).rejects.toMatchObject({ code: 'store_unavailable' })
    await expect(openRedis(server.url())).rejects.toThrow(/newer Plimsoll/)
  })

  test('what is free once it lapses has a time to live, and the clock of Redis removes nothing else', async () => {
    const store = await opened()
    const [nowMs, endsAtMs] = [Date.now(), Date.now() + 1000]
    await store.claim('a', nowMs, endsAtMs)
    await store.addToCounter('a', 1, nowMs, endsAtMs)
    await store.acquireLease('a', nowMs, endsAtMs)
    await store.claim('past', 0, 5000)
    await store.writeSession('a', session(one, endsAtMs), 0)
    await store.changeNote('a', () => 1, endsAtMs)
    await store.attribute(`${UNPROVEN}a`, '7', nowMs)
    const times = (await server.send('KEYS', '*:a')) as string[]
    for (const key of [...times, '{plimsoll}:claim:past'])
      expect([key, await server.send('PEXPIRETIME', key)]).toEqual([
        key,
        /:(claim|counter|lease):a/.test(key) ? endsAtMs + 86_400_000 : -1,
      ])
    expect(times).toHaveLength(5)
  })

  test('more than one step of a sweep takes is swept', async () => {
    const store = await opened()
    await Promise.all(Array.from({ length: 450 }, (_, nth) => store.claim(`${nth}`, 0, 1000)))
    await store.sweep(1000)
    expect(await server.send('KEYS', '*')).toEqual(['{plimsoll}:meta'])
  })

  test('all keys have one hash tag, so that they are in one slot of a cluster', async () => {
    const store = await opened()
    await store.writeSession('{a}', session(one), 0)
    await store.reserve(entry('{b}', { organization: '{c}' }), admitting(9))
    await store.changeNote('{d}', () => 1, FAR_MS)
    const keys = (await server.send('KEYS', '*')) as string[]
    expect(keys.length).toBeGreaterThan(8)
    expect(keys.filter((key) => !key.startsWith('{plimsoll}:'))).toEqual([])
  })
})
