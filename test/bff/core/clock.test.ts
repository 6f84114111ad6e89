// What processes tell each other of the service's clock (8.3).
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/contract/duration.ts'
import {
  clockNoteName,
  correctionsOf,
  followClock,
  observeDate,
  readNewestDate,
} from '../../../src/bff/core/clock.ts'
import { type Context, serviceNowMs } from '../../../src/bff/core/context.ts'
import { createContext, newMemory, START_MS } from '../_context.ts'

const AHEAD_MS = 40 * DAY_MS

/** An answer to a request recorded now, by a service that is ahead of us. */
const answerFrom = (context: Context, aheadMs: number, isGood = true) => ({
  servedAtSeconds: Math.floor((context.now() + aheadMs) / SECOND_MS),
  sentAtMs: context.now(),
  recordedAtMs: context.now(),
  isGood,
})

/** As the background work of an answer has left it. */
async function note({ store, memory, ...context }: Context): Promise<{ value?: unknown } | undefined> {
  await Promise.all(memory.background)
  const [stored] = await store.readNotes([clockNoteName(context)])
  return stored as { value?: unknown } | undefined
}
/** Another process over the same store, whose clock runs as ours. */
const another = (context: Context): Context => ({ ...context, memory: newMemory() })
const follow = async (context: Context): Promise<void> => followClock(context, await note(context))
const offsetOf = (context: Context): number =>
  Math.round((serviceNowMs(context) - context.now()) / MINUTE_MS) * MINUTE_MS

test('an answer that agrees writes nothing for the others (8.3)', async () => {
  const { context } = createContext()
  observeDate(context, answerFrom(context, 0))
  expect(await note(context)).toBeUndefined()
})

test('the first answer of another time is shared, and a second one that another process gets confirms it (8.3)', async () => {
  const { context, clock } = createContext()
  const next = another(context)
  const served = observeDate(context, answerFrom(context, AHEAD_MS))
  // One answer alone is not believed.
  expect([served, offsetOf(context)]).toEqual([START_MS / SECOND_MS, 0])
  clock.ms += MINUTE_MS
  await follow(next)
  expect(offsetOf(next)).toBe(0)
  observeDate(next, answerFrom(next, AHEAD_MS))
  expect(offsetOf(next)).toBe(AHEAD_MS)
  // All rows since the first doubt, which the other process recorded.
  expect(correctionsOf(next.memory)).toMatchObject([{ fromMs: START_MS, toMs: START_MS + MINUTE_MS }])
  await follow(context)
  expect(offsetOf(context)).toBe(AHEAD_MS)
  const third = another(context)
  await follow(third)
  expect(offsetOf(third)).toBe(AHEAD_MS)
  expect(correctionsOf(third.memory)).toEqual(correctionsOf(context.memory))
})

test.each([
  ['a day', DAY_MS, DAY_MS],
  ['less than a day', DAY_MS - 1, 0],
])(
  'a doubt that is %s old belongs to another clock, or to this one (8.3)',
  async (_name, afterMs, fromMs) => {
    const { context, clock } = createContext()
    observeDate(context, answerFrom(context, AHEAD_MS))
    clock.ms += afterMs
    const next = another(context)
    await follow(next)
    observeDate(next, answerFrom(next, AHEAD_MS))
    expect(correctionsOf(next.memory)[0]?.fromMs).toBe(START_MS + fromMs)
  },
)

test('an answer that agrees removes the doubt of another process (8.3)', async () => {
  const { context, clock } = createContext()
  observeDate(context, answerFrom(context, AHEAD_MS))
  const next = another(context)
  await follow(next)
  observeDate(next, answerFrom(next, 0))
  clock.ms += MINUTE_MS
  const third = another(context)
  await follow(third)
  observeDate(third, answerFrom(third, AHEAD_MS))
  expect(offsetOf(third)).toBe(0)
})

test('the time of the last agreement is stored every ten minutes (8.3)', async () => {
  const { context, clock } = createContext()
  observeDate(context, answerFrom(context, -AHEAD_MS))
  observeDate(context, answerFrom(context, -AHEAD_MS))
  const written = [await note(context)]
  for (const ms of [10 * MINUTE_MS - 2 * SECOND_MS, 4 * SECOND_MS]) {
    clock.ms += ms
    observeDate(context, answerFrom(context, -AHEAD_MS))
    written.push(await note(context))
  }
  const [first, tenMinutes, later] = written.map((one) => JSON.stringify(one))
  expect(tenMinutes).toBe(first)
  expect(later).not.toBe(first)
  expect(offsetOf(context)).toBe(-AHEAD_MS)
  // The offset is still known to a process that starts later, after years without a change.
  clock.ms += 3999 * DAY_MS
  await context.store.sweep(clock.ms)
  const next = another(context)
  await follow(next)
  expect(offsetOf(next)).toBe(-AHEAD_MS)
})

test('a process that takes over an offset finds its own rows again (8.3)', async () => {
  const { context, clock } = createContext()
  const next = another(context)
  for (let answers = 0; answers < 2; answers += 1) observeDate(context, answerFrom(context, -AHEAD_MS))
  clock.ms += HOUR_MS
  next.memory.unagreedSinceMs = clock.ms
  clock.ms += HOUR_MS
  await follow(next)
  expect(offsetOf(next)).toBe(-AHEAD_MS)
  const taken = { fromMs: START_MS + HOUR_MS, toMs: START_MS + 2 * HOUR_MS }
  expect(correctionsOf(next.memory)[0]).toMatchObject(taken)
  const third = another(context)
  await follow(third)
  expect(correctionsOf(third.memory)[0]).toMatchObject(taken)
})

test('the newest Date of good answers is stored: a jump needs two that agree, and it never goes back', async () => {
  const { context } = createContext()
  const newest: number[] = []
  for (const [aheadMs, isGood] of [
    [0, false],
    [0, true],
    [AHEAD_MS, true],
    [AHEAD_MS, true],
    [0, true],
    [0, true],
  ] as const) {
    observeDate(context, answerFrom(context, aheadMs, isGood))
    await Promise.all(context.memory.background)
    newest.push((await readNewestDate(context.store, context.config.serviceUrl)) - START_MS)
  }
  expect(newest).toEqual([-START_MS, 0, 0, AHEAD_MS, AHEAD_MS, AHEAD_MS])
})
