// What processes tell each other of the service's clock (8.3).
import { expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/contract/duration.ts'
import { clockNoteName, followClock, observeDate, readNewestDate } from '../../../src/bff/core/clock.ts'
import { type Context, serviceNowMs } from '../../../src/bff/core/context.ts'
import { createContext, newMemory, START_MS } from '../_context.ts'

const AHEAD_MS = 40 * DAY_MS

/** A good answer of a service that is ahead of us. */
function answerFrom(context: Context, aheadMs: number): void {
  const servedAtSeconds = Math.floor((context.now() + aheadMs) / SECOND_MS)
  observeDate(context, { servedAtSeconds, sentAtMs: context.now() })
}

/** As the background work of an answer has left it. */
async function note({ store, memory, ...context }: Context): Promise<unknown> {
  await Promise.all(memory.background)
  const [stored] = await store.readNotes([clockNoteName(context)])
  return stored
}
/** Another process over the same store, whose clock runs as ours. */
const another = (context: Context): Context => ({ ...context, memory: newMemory() })
const follow = async (context: Context): Promise<void> => followClock(context, await note(context))
const offsetOf = (context: Context): number =>
  Math.round((serviceNowMs(context) - context.now()) / MINUTE_MS) * MINUTE_MS

test('a clock that is set right while the process runs is noticed, whichever answer was stored (8.3)', async () => {
  const { context, clock } = createContext()
  answerFrom(context, -AHEAD_MS)
  clock.ms += MINUTE_MS
  answerFrom(context, -AHEAD_MS)
  clock.ms -= AHEAD_MS - MINUTE_MS
  expect(offsetOf(context)).toBe(-AHEAD_MS)
  await follow(context)
  expect(offsetOf(context)).toBe(0)
})

test('the first good answer is believed, here and in the other processes (8.3)', async () => {
  const { context, clock } = createContext()
  const next = another(context)
  answerFrom(next, 0)
  clock.ms += MINUTE_MS
  answerFrom(context, AHEAD_MS)
  expect(offsetOf(context)).toBe(AHEAD_MS)
  expect(offsetOf(next)).toBe(0)
  await note(context)
  for (const process of [next, another(context)]) {
    await follow(process)
    expect(offsetOf(process)).toBe(AHEAD_MS)
  }
})

test('an answer that is newer than the shared one is believed (8.3)', async () => {
  const { context, clock } = createContext()
  const next = another(context)
  answerFrom(context, 0)
  await note(context)
  clock.ms += MINUTE_MS
  answerFrom(next, AHEAD_MS)
  await follow(next)
  expect(offsetOf(next)).toBe(AHEAD_MS)
  await follow(context)
  expect(offsetOf(context)).toBe(AHEAD_MS)
})

test('the Date is stored every ten minutes, and is known for years (8.3)', async () => {
  const { context, clock } = createContext()
  answerFrom(context, -AHEAD_MS)
  const written = [await note(context)]
  for (const ms of [10 * MINUTE_MS - 2 * SECOND_MS, 4 * SECOND_MS]) {
    clock.ms += ms
    answerFrom(context, -AHEAD_MS)
    written.push(await note(context))
  }
  const [first, tenMinutes, later] = written.map((one) => JSON.stringify(one))
  expect(tenMinutes).toBe(first)
  expect(later).not.toBe(first)
  clock.ms += 3999 * DAY_MS
  await context.store.sweep(clock.ms)
  const next = another(context)
  await follow(next)
  expect(offsetOf(next)).toBe(-AHEAD_MS)
})

test('the newest Date of good answers never goes back (8.3)', async () => {
  const { context } = createContext()
  const newest: number[] = []
  for (const aheadMs of [0, AHEAD_MS, 0]) {
    answerFrom(context, aheadMs)
    await note(context)
    newest.push((await readNewestDate(context.store, context.config.serviceUrl)) - START_MS)
  }
  expect(newest).toEqual([0, AHEAD_MS, AHEAD_MS])
  expect(offsetOf(context)).toBe(0)
})
