import { expect, test } from 'vitest'
import { StoreLimiter, type StoreLimiterOptions } from '../../../src/bff/limiter/store-limiter.ts'
import { openSqlite } from '../../../src/store/sqlite/sqlite.ts'
import { AttemptQueue } from '../../../src/bff/limiter/attempt-queue.ts'

const OPTIONS = { name: 'tests', points: 3, duration: 60 }

/** Limiters of several processes over one store, whose writes are counted. */
function createLimiters(processes = 1) {
  const clock = { ms: 1_000_000 }
  const store = openSqlite(':memory:')
  const writes: string[] = []
  const failure = { cause: undefined as Error | undefined }
  const counted = {
    addToCounter: (...values: Parameters<typeof store.addToCounter>) => {
      writes.push(values[0])
      return failure.cause ? Promise.reject(failure.cause) : store.addToCounter(...values)
    },
  }
  const limiterOf = (options: StoreLimiterOptions) => new StoreLimiter(counted, () => clock.ms, options)
  const limiters = Array.from({ length: processes }, () => limiterOf(OPTIONS))
  return { limiterOf, clock, writes, failure, limiters, limiter: limiters[0] as StoreLimiter }
}

/** The milliseconds to wait; 0 if the attempt was allowed. */
const take = (limiter: StoreLimiter, key = 'a'): Promise<number> =>
  limiter.consume(key).then(
    () => 0,
    ({ msBeforeNext }: { msBeforeNext: number }) => msBeforeNext,
  )

test('all processes share the rest of a window (ASVS 2.4.1)', async () => {
  const { clock, limiters } = createLimiters(2)
  const waits: number[] = []
  for (let at = 0; at < 5; at += 1) {
    waits.push(await take(limiters[at % 2] as StoreLimiter))
    clock.ms += 10_000
  }
  expect(waits).toEqual([0, 0, 0, 30_000, 20_000])
  clock.ms += 10_000
  expect(await take(limiters[0] as StoreLimiter)).toBe(0)
})

test('a blocked key costs one write, and no more until its window ends (ASVS 2.4.1)', async () => {
  const { clock, writes, limiter } = createLimiters()
  for (let at = 0; at < 1000; at += 1) await take(limiter)
  expect(writes).toHaveLength(4)
  expect(limiter.blockedMs('a')).toBe(60_000)
  expect(limiter.blockedMs('b')).toBe(0)
  expect(await take(limiter, 'b')).toBe(0)
  clock.ms += 60_000
  expect(await take(limiter)).toBe(0)
  expect(writes).toHaveLength(6)
})

test('an attempt given back can be taken again, even if the key was blocked meanwhile (ASVS 2.4.1)', async () => {
  const { limiter } = createLimiters()
  for (let at = 0; at < 4; at += 1) await take(limiter)
  expect(await take(limiter)).toBe(60_000)
  await limiter.reward('a', 2)
  expect(limiter.blockedMs('a')).toBe(0)
  expect([await take(limiter), await take(limiter)]).toEqual([0, 60_000])
})

test('while the store fails memory counts, and the store is asked once in five seconds (ASVS 16.5.2)', async () => {
  const { clock, writes, failure, limiter } = createLimiters()
  failure.cause = new Error('the store is down')
  const waits: number[] = []
  for (let at = 0; at < 5; at += 1) waits.push(await take(limiter))
  expect(waits.map((wait) => wait > 0)).toEqual([false, false, false, true, true])
  expect(writes).toHaveLength(1)
  failure.cause = undefined
  clock.ms += 5000
  expect(await take(limiter)).toBe(0)
  expect(writes).toHaveLength(2)
})

test('ten thousand blocked keys are remembered at most (ASVS 15.2.2)', async () => {
  const { writes, limiter } = createLimiters()
  for (let at = 0; at <= 10_000; at += 1) await limiter.consume(String(at), 4).catch(() => {})
  const before = writes.length
  for (const key of ['10000', '1']) await take(limiter, key)
  expect(writes).toHaveLength(before)
  await take(limiter, '0')
  expect(writes).toHaveLength(before + 1)
})

/** Enters, and notes the order in which attempts may run. */
function entering(queue: AttemptQueue) {
  const running: string[] = []
  const enter = async (name: string, label: string) => {
    const leave = await queue.enter(name)
    running.push(label)
    return leave
  }
  return { running, enter }
}

test('beyond so many none waits, and after the last has left there is room again (ASVS 2.4.1)', async () => {
  const queue = new AttemptQueue(1, 2)
  const first = await queue.enter('one')
  const waiting = [queue.enter('one'), queue.enter('one')]
  expect(await queue.enter('one')).toBeUndefined()
  first?.()
  for (const next of waiting) (await next)?.()
  expect(await queue.enter('one')).toBeDefined()
})

test('an attempt that ends makes room for one, while others run (ASVS 2.4.1)', async () => {
  const { running, enter } = entering(new AttemptQueue(2, 10))
  const [leaveA] = [await enter('one', 'a'), await enter('one', 'b')]
  leaveA?.()
  const leaveC = await enter('one', 'c')
  const last = enter('one', 'd')
  await new Promise(setImmediate)
  expect(running).toEqual(['a', 'b', 'c'])
  leaveC?.()
  await last
  expect(running).toEqual(['a', 'b', 'c', 'd'])
})

test('names do not wait for each other (ASVS 2.4.1)', async () => {
  const { running, enter } = entering(new AttemptQueue(1, 10))
  await Promise.all([enter('one', 'a'), enter('other', 'b')])
  expect(running).toEqual(['a', 'b'])
})
