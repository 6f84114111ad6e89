// Tests of batches on a real server, whose statistics count the scripts.
import { array, assert, asyncProperty, constantFrom, nat, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { KindCount, RequestKind } from '../../../src/contract/month.ts'
import { ExpectedLedger } from '../../../src/store/redis/expected-ledger.ts'
import { Queue } from '../../../src/store/redis/queue.ts'
import { openRedis } from '../../../src/store/redis/redis.ts'
import {
  type Admission,
  type LedgerEntry,
  type Settlement,
  type Store,
  UNPROVEN,
} from '../../../src/store/store.ts'
import { entry } from '../../kit/stores.ts'
import { findRedisServer } from '../_redis-server.ts'
import { opened, server } from '../_redis.ts'

const FAR_MS = 4e12
const OK = { outcome: 'settled', status: 200 } as const

/** Admits so many requests of an organization, none with a token that has a note. */
const places = (most: number, token: string): Admission => ({
  notes: [`token ${token}`],
  countedSinceMs: [0],
  inFlight: { token, kinds: ['api.read'], sinceMs: 0 },
  decide({ notes: [note], counts: [rows = []] }) {
    if (note !== undefined) throw new RangeError('has a note')
    if (rows.reduce((sum, { count }) => sum + count, 0) >= most) throw new RangeError('none left')
    return undefined
  },
})

const reserve = (store: Store, id: string, most: number, of: Partial<LedgerEntry> = {}): Promise<string> =>
  store.reserve(entry(id, { token: id, ...of }), places(most, of.token ?? id)).then(
    () => 'recorded',
    (error: unknown) =>
      error instanceof RangeError ? error.message : String((error as { code?: unknown }).code),
  )

const idsOf = (from: number, to: number) => Array.from({ length: to - from }, (_, nth) => `${from + nth}`)
const countOf = async (store: Store, organization = '7') =>
  (await store.countByKind(organization, 0)).reduce((sum, { count }) => sum + count, 0)

/** Counts the scripts that ran since the statistics were reset. */
async function scripts(): Promise<number> {
  const statistics = String(await server.send('INFO', 'commandstats'))
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(statistics)?.[1] ?? 0)
}

describe.skipIf(findRedisServer() === undefined)('Redis', () => {
  test('of 260 that come together for 100 places the first 100 are recorded, and the others refused (8.2)', async () => {
    const store = await opened()
    for (const id of ['first', 'second']) await reserve(store, id, 102)
    await server.send('CONFIG', 'RESETSTAT')
    const results = await Promise.all(idsOf(0, 260).map((id) => reserve(store, id, 102)))
    expect(results).toEqual(Array.from({ length: 260 }, (_, nth) => (nth < 100 ? 'recorded' : 'none left')))
    // A batch has at most 64, so that none waits for all of them.
    expect(await scripts()).toBe(5)
    expect(await countOf(store)).toBe(102)
  })

  test('how requests ended, and new ones, are written by one script, which counts them in that order (8.2)', async () => {
    const store = await opened()
    for (const id of idsOf(0, 3)) await reserve(store, id, 9)
    await server.send('CONFIG', 'RESETSTAT')
    let seen: unknown[] = []
    const decide: Admission['decide'] = ({ counts: [rows = []] }) => {
      const counted = rows.filter(({ count }) => count > 0)
      seen = counted.map(({ outcome, succeeded, count }) => `${outcome} ${succeeded} ${count}`).toSorted()
      return undefined
    }
    const ended = idsOf(0, 3).map((id) => store.settle(id, OK, 1001))
    const next = store.reserve(entry('next', { token: 'next' }), { ...places(9, 'next'), decide })
    await Promise.all([next, ...ended])
    expect([seen, await scripts()]).toEqual([['settled true 3'], 1])
    await store.reserve(entry('last', { token: 'last' }), { ...places(9, 'last'), decide })
    expect([seen, await scripts()]).toEqual([['reserved false 1', 'settled true 3'], 2])
  })

  test('one that meets a note of another process is decided again, and so are those behind it (8.3)', async () => {
    const [store, other] = [await opened(), await opened()]
    await reserve(store, 'first', 9)
    await other.changeNote('token 3', () => 'paused', FAR_MS)
    const results = await Promise.all(idsOf(0, 9).map((id) => reserve(store, id, 9)))
    expect(results).toEqual([
      ...Array<string>(3).fill('recorded'),
      'has a note',
      ...Array<string>(5).fill('recorded'),
    ])
    expect(await countOf(store)).toBe(9)
  })

  test('one that fails does not fail the others of its batch', async () => {
    const store = await opened()
    await reserve(store, 'first', 99)
    await server.send('SET', '{plimsoll}:note:token 2', '9 1')
    const ids = ['0', 'first', '1', '2', '3']
    const results = await Promise.all(ids.map((id) => reserve(store, id, 99)))
    expect(results).toEqual(['recorded', 'store_unavailable', 'recorded', 'store_unavailable', 'recorded'])
    await server.send('HSET', '{plimsoll}:entry:0', 'format', '9')
    const ended = await Promise.allSettled(['0', '1', '3'].map((id) => store.settle(id, OK, 1001)))
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect(ended[0]).toMatchObject({
      reason: { code: 'store_unavailable', cause: { message: expect.stringContaining('newer Plimsoll') } },
    })
    expect(await countOf(store)).toBe(4)
  })

  test('under an unproven name, and where it was attributed meanwhile, all are recorded and counted (8.3)', async () => {
    const [store, other] = [await opened(), await opened()]
    const organization = `${UNPROVEN}x`
    const first = await Promise.all(idsOf(0, 20).map((id) => reserve(store, id, 99, { organization })))
    await other.attribute(organization, '7', 1000)
    const later = await Promise.all([
      ...idsOf(20, 40).map((id) => reserve(store, id, 99, { organization })),
      ...idsOf(0, 20).map((id) => store.settle(id, OK, 1001).then(() => 'recorded')),
    ])
    expect(new Set([...first, ...later])).toEqual(new Set(['recorded']))
    expect([await countOf(store), await countOf(store, organization)]).toEqual([40, 0])
  })

  test('those of one token, or counted from other instants, wait for the next batch, and none is lost', async () => {
    const store = await opened()
    const results = await Promise.all(
      idsOf(0, 12).map((id, nth) => {
        const admission = { ...places(99, `${nth % 3}`), countedSinceMs: nth % 2 === 0 ? [0] : [0, 500] }
        const decide: Admission['decide'] = ({ counts }) => {
          if (counts.length !== admission.countedSinceMs.length) throw new Error('of other instants')
          return undefined
        }
        return store.reserve(entry(id, { token: `${nth % 3}` }), { ...admission, decide })
      }),
    )
    expect([results.length, await countOf(store), await store.countInFlight('0', ['api.read'], 0)]).toEqual([
      12, 12, 4,
    ])
  })

  test('under an unproven name too, each is decided on the counts from its own instants on (8.3)', async () => {
    const store = await opened()
    const organization = `${UNPROVEN}x`
    for (const id of idsOf(0, 3)) await store.reserve(entry(id, { organization }))
    const reserveSince = (id: string, sinceMs: number, most: number) =>
      store.reserve(entry(id, { organization, token: id }), {
        ...places(most, id),
        countedSinceMs: [sinceMs],
      })
    // The three were recorded at 1000.
    const results = await Promise.allSettled([reserveSince('later', 2000, 0), reserveSince('all', 0, 3)])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await reserveSince('later', 2000, 1)).toBe(undefined)
  })

  test('one that takes a claim is decided on the newest request of all, others on the cached one (8.3)', async () => {
    const [store, other] = [await opened(), await opened()]
    await reserve(store, 'first', 9)
    await reserve(store, 'second', 9)
    await other.reserve(entry('token', { kind: 'token.refresh', atMs: 5 }))
    await reserve(store, 'third', 9)
    const seen: (number | undefined)[] = []
    const decide: Admission['decide'] = ({ newestAtMs }) => {
      seen.push(newestAtMs)
      return FAR_MS
    }
    await store.reserve(entry('try', { token: 'try' }), { ...places(9, 'try'), claim: 'c', decide })
    expect(seen.at(-1)).toBe(1000)
    expect(await other.claim('c', 0, FAR_MS)).toBe(false)
  })

  test('the newest request of another process, seen at an admission, is restored in an empty store (8.3)', async () => {
    const [store, other] = [await opened(), await opened()]
    const admission = { ...places(9, 'a'), decide: () => undefined }
    await reserve(store, 'first', 9)
    await other.reserve(entry('later', { atMs: 7000 }))
    await store.readAdmissionState('7', admission)
    await server.send('FLUSHALL')
    await store.reserve(entry('of another', { organization: '8' }))
    expect((await store.readAdmissionState('7', admission)).newestAtMs).toBe(7000)
  })

  test('when the server is gone all that wait are refused, and the same store goes on when it is back', async () => {
    const store = await opened()
    await reserve(store, 'first', 999)
    await server.stop('SIGKILL')
    const results = await Promise.all(idsOf(0, 100).map((id) => reserve(store, id, 999)))
    expect(new Set(results)).toEqual(new Set(['store_unavailable']))
    await server.start()
    await expect.poll(() => reserve(store, `${Math.random()}`, 999)).toBe('recorded')
    expect(await countOf(store)).toBeGreaterThan(1)
  })

  test('pending calls are written before the store is closed', async () => {
    const [store, other] = [await openRedis(server.url()), await opened()]
    await reserve(store, 'a', 9)
    const asked = [store.settle('a', OK, 1001), ...idsOf(0, 9).map((id) => reserve(store, id, 99))]
    await store.close()
    expect(await other.countByKind('7', 0)).toHaveLength(2)
    expect(await Promise.all(asked)).toHaveLength(10)
    expect(await countOf(other)).toBe(10)
  })

  test('two stores together record exactly as many as there are places, for any mix of calls (8.2)', async () => {
    const stores = [await opened(), await opened()] as const
    const act = record({ of: nat(1), token: nat(5), ends: nat(3) })
    let runs = 0
    await assert(
      asyncProperty(array(act, { maxLength: 60 }), nat(40), async (acts, most) => {
        const organization = `org ${(runs += 1)}`
        const results = await Promise.all(
          acts.map(async ({ of, token, ends }, nth) => {
            const [store, id] = [stores[of as 0 | 1], `${runs} ${nth}`]
            const result = await reserve(store, id, most, { organization, token: `${runs} ${token}` })
            // Either store settles it, even if the other one has recorded it.
            if (result === 'recorded' && ends > 0) await stores[ends === 1 ? 0 : 1].settle(id, OK, 1001)
            return result
          }),
        )
        const recorded = results.filter((result) => result === 'recorded').length
        expect(recorded).toBe(Math.min(most, acts.length))
        for (const store of stores) expect(await countOf(store, organization)).toBe(recorded)
      }),
      { numRuns: 30 },
    )
  })
})

const READING = {
  id: 'r',
  count: 40,
  readAtMs: 20,
  inFlight: 0,
  monthWasReset: false,
  owner: 'browser',
}
const EMPTY = { counts: [[], []], sinceReading: { reading: READING, counts: [] } }
const SINCES_MS = [10, 30]

interface Row {
  kind: RequestKind
  atMs: number
  settlement: Settlement | undefined
}

const row = record({
  kind: constantFrom<RequestKind>('api.read', 'token.refresh'),
  atMs: nat(40),
  settlement: constantFrom<(Settlement | undefined)[]>(
    undefined,
    { outcome: 'settled', status: 199 },
    { outcome: 'settled', status: 200 },
    { outcome: 'settled', status: 299 },
    { outcome: 'uncertain' },
  ),
})

const textOf = ({ kind, outcome, succeeded }: Omit<KindCount, 'count'>) => `${kind} ${outcome} ${succeeded}`

function countsOf(rows: readonly Row[], sinceMs: number): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { kind, settlement } of rows.filter(({ atMs }) => atMs >= sinceMs)) {
    const { outcome = 'reserved', status = 0 } = settlement ?? {}
    const sort = textOf({ kind, outcome, succeeded: [200, 299].includes(status) })
    sums[sort] = (sums[sort] ?? 0) + 1
  }
  return sums
}

const sumsOf = (counts: readonly KindCount[] = []): Record<string, number> =>
  Object.fromEntries(counts.filter(({ count }) => count !== 0).map((one) => [textOf(one), one.count]))

test('has the expected rows from each instant on, and from the millisecond after the reading on (8.3)', () => {
  assert(
    property(array(row), (rows) => {
      const expected = new ExpectedLedger(EMPTY, SINCES_MS)
      for (const one of rows) expected.reserve(one)
      for (const one of rows) if (one.settlement) expected.settle(one, one.settlement)
      expect(expected.isChanged).toBe(rows.length > 0)
      expect(expected.counts.map(sumsOf)).toEqual([countsOf(rows, 10), countsOf(rows, 30)])
      expect(sumsOf(expected.sinceReading?.counts)).toEqual(countsOf(rows, 21))
    }),
  )
})

test('works of one name run one after the other, even after a failure, and those of another do not wait', async () => {
  const queue = new Queue()
  const done: string[] = []
  let fail = () => {}
  const first = queue.run(
    'a',
    () => new Promise((_, reject) => (fail = () => reject(new RangeError('ours')))),
  )
  const second = queue.run('a', async () => void done.push('second'))
  await queue.run('b', async () => void done.push('other'))
  expect(done).toEqual(['other'])
  fail()
  await expect(first).rejects.toThrow(RangeError)
  await second
  expect(done).toEqual(['other', 'second'])
})
