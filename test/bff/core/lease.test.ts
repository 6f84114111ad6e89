import { expect, test } from 'vitest'
import { holdLease, type Lease, withLease } from '../../../src/bff/core/lease.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { createContext } from '../_context.ts'

/** A context whose waits end when the test lets them, with a function that lets a lease lapse. */
function created() {
  const made = createContext()
  const waiting: (() => void)[] = []
  const context = { ...made.context, wait: () => new Promise<void>((resolve) => void waiting.push(resolve)) }
  const pass = async (ms: number) => {
    made.clock.ms += ms
    for (const resolve of waiting.splice(0)) resolve()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const isFree = async () => {
    const fence = await context.store.acquireLease('a lease', made.clock.ms, made.clock.ms + 1000)
    if (fence !== undefined) await context.store.releaseLease('a lease', fence)
    return fence !== undefined
  }
  const drain = () => Promise.all(context.memory.background)
  return { ...made, context, waiting, pass, isFree, drain }
}

/** The work ends when the test lets it. */
function hold(context: Parameters<typeof withLease>[0]) {
  let end: (value: string) => void = () => {}
  let held: Lease | undefined
  const work = new Promise<string>((resolve) => void (end = resolve))
  const result = withLease(context, 'a lease', (lease) => {
    held = lease
    return work
  })
  return { result, end: (value: string) => end(value), lease: () => held }
}

test('a lease is held as long as the work runs, however long, and given back at its end (RFC 6749 6)', async () => {
  const { context, pass, isFree, drain } = created()
  const { result, end } = hold(context)
  for (let seconds = 0; seconds < 60; seconds += 3) {
    await pass(3000)
    expect(await isFree()).toBe(false)
  }
  expect(await withLease(context, 'a lease', () => Promise.resolve('another'))).toBeUndefined()
  end('done')
  expect(await result).toBe('done')
  await drain()
  expect(await isFree()).toBe(true)
})

test('a holder that stops renewing loses its lease after 15 s to one with a higher number (ASVS 15.4.3)', async () => {
  const { context, clock } = created()
  const first = hold(context)
  await new Promise((resolve) => setTimeout(resolve, 20))
  clock.ms += 14_999
  expect(await withLease(context, 'a lease', () => Promise.resolve('another'))).toBeUndefined()
  clock.ms += 1
  const second = hold(context)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(second.lease()?.fence).toBeGreaterThan(first.lease()?.fence ?? Infinity)
  expect([await first.lease()?.isHeld(), await second.lease()?.isHeld()]).toEqual([false, true])
})

test('a holder that has lost its lease does not give back that of the next one', async () => {
  const { context, clock, pass, isFree } = created()
  const first = hold(context)
  await pass(0)
  clock.ms += 15_000
  hold(context)
  first.end('too late')
  expect(await first.result).toBe('too late')
  await pass(0)
  expect(await isFree()).toBe(false)
})

test('it is held for work that follows, and a drain waits for that', async () => {
  const { context, isFree, pass } = created()
  let finish = () => {}
  const after = new Promise<void>((resolve) => void (finish = resolve))
  const result = await withLease(context, 'a lease', (lease) => {
    lease.holdFor(after)
    return Promise.resolve('early')
  })
  expect(result).toBe('early')
  await pass(14_000)
  await pass(14_000)
  expect([await isFree(), context.memory.background.size]).toEqual([false, 1])
  finish()
  await pass(0)
  expect([await isFree(), context.memory.background.size]).toEqual([true, 0])
})

test('a renewal that the store cannot write is tried again, and what the work throws is thrown', async () => {
  const { context, pass, isFree } = created()
  const { renewLease } = context.store
  let fail: (error: Error) => void = () => {}
  const result = withLease(context, 'a lease', () => new Promise<string>((_, reject) => void (fail = reject)))
  await pass(0)
  let failed = 0
  context.store.renewLease = async () => {
    failed += 1
    throw new Problem('store_unavailable')
  }
  await pass(3000)
  expect(failed).toBe(1)
  context.store.renewLease = renewLease
  await pass(3000)
  await pass(10_000)
  expect(await isFree()).toBe(false)
  fail(new TypeError('a defect'))
  await expect(result).rejects.toThrow(TypeError)
  await pass(0)
  expect(await isFree()).toBe(true)
})

test('a lease that is released during a renewal, by a store that fails, is not renewed again', async () => {
  const { context, pass, isFree } = created()
  const lease = await holdLease(context, 'a lease')
  const { renewLease, releaseLease } = context.store
  let renewed: (held: boolean) => void = () => {}
  context.store.renewLease = () => new Promise((resolve) => void (renewed = resolve))
  context.store.releaseLease = () => Promise.reject(new Problem('store_unavailable'))
  await pass(3000)
  await lease?.release()
  Object.assign(context.store, { renewLease, releaseLease })
  renewed(true)
  for (let seconds = 0; seconds < 15; seconds += 3) await pass(3000)
  expect(await isFree()).toBe(true)
})

test('a lease is given back by what is written at its end, and by itself where that cannot be written', async () => {
  const { context, isFree, pass } = created()
  const first = await holdLease(context, 'a lease')
  const written: unknown[] = []
  await first?.release(async (lease) => void written.push(lease))
  expect(written).toEqual([{ name: 'a lease', fence: first?.fence }])
  expect(await isFree()).toBe(false)
  // The lease is not renewed any more.
  for (let seconds = 0; seconds < 15; seconds += 3) await pass(3000)
  expect(await isFree()).toBe(true)
  const second = await holdLease(context, 'a lease')
  await second?.release(() => Promise.reject(new Problem('store_unavailable')))
  expect(await isFree()).toBe(true)
})

test('a process renews all its leases at the same times while it holds one, and later ones too', async () => {
  const { context, clock, waiting, pass } = created()
  const isFree = async (name: string) =>
    (await context.store.acquireLease(name, clock.ms, clock.ms + 1)) !== undefined
  for (let round = 0; round < 2; round += 1) {
    const leases = await Promise.all(['a', 'b', 'c'].map((name) => holdLease(context, name)))
    expect(waiting).toHaveLength(1)
    await leases[0]?.release()
    for (let seconds = 0; seconds < 30; seconds += 3) await pass(3000)
    expect(await Promise.all(['a', 'b', 'c'].map(isFree))).toEqual([true, false, false])
    for (const lease of leases) await lease?.release()
    await pass(3000)
    expect(waiting).toEqual([])
  }
})
