import { setImmediate as settle } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { EventStreams, MOST_STREAMS } from '../../../src/bff/events/streams.ts'
import { problemOf } from '../_context.ts'

/** A clock that stands still. */
const STOPPED = { wait: () => new Promise<void>(() => {}), now: () => 0 }

/** A stream that counts its ticks, and stores when it is asked to come back. */
function createStream() {
  const seen = { ticks: 0, retries: [] as number[] }
  const stream = {
    tick: () => {
      seen.ticks += 1
    },
    close: (retryMs: number) => void seen.retries.push(retryMs),
  }
  return { stream, seen }
}

/** Waits end when the test ends them. Each look at the clock takes some milliseconds. */
function createClock(lookMs = 0) {
  const asked: number[] = []
  let nowMs = 0
  let pass = () => {}
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      asked.push(ms)
      pass = resolve
    })
  const advance = async () => {
    pass()
    await settle()
  }
  return { asked, clock: { wait, now: () => (nowMs += lookMs) }, advance }
}

test('a session has twenty streams, another one its own, and one that ends makes room (attack 71)', async () => {
  const streams = new EventStreams()
  const add = (session: string) => streams.add(session, createStream().stream, STOPPED)
  const removals = Array.from({ length: MOST_STREAMS }, () => add('a'))
  const refusalOf = (session: string) => problemOf(Promise.resolve().then(() => add(session)))
  const refusal = await refusalOf('a')
  expect([MOST_STREAMS, refusal]).toEqual([20, { code: 'too_many_streams', retryInMs: 30_000 }])
  add('b')
  expect(streams.size).toBe(21)
  removals[3]?.()
  add('a')
  expect(streams.size).toBe(21)
  removals[3]?.()
  expect(await refusalOf('a')).toEqual(refusal)
  for (const remove of removals) remove()
  expect(streams.size).toBe(2)
  for (let at = 1; at < MOST_STREAMS; at += 1) add('a')
  expect(await refusalOf('a')).toEqual(refusal)
})

test('one timer of a quarter of a second serves all, and runs only while there are streams (8.3)', async () => {
  const streams = new EventStreams()
  const { asked, clock, advance } = createClock()
  const [a, b, c] = [createStream(), createStream(), createStream()]
  expect(asked).toEqual([])
  const leave = [streams.add('a', a.stream, clock), streams.add('b', b.stream, clock)]
  await advance()
  expect([asked, a.seen.ticks, b.seen.ticks]).toEqual([[250, 250], 1, 1])
  leave[0]?.()
  await advance()
  expect([a.seen.ticks, b.seen.ticks]).toEqual([1, 2])
  leave[1]?.()
  await advance()
  await advance()
  expect([asked.length, b.seen.ticks]).toEqual([3, 2])
  streams.add('a', c.stream, clock)
  await advance()
  expect([asked.length, c.seen.ticks]).toEqual([5, 1])
})

test('a stream may end in a tick of its own (8.3)', async () => {
  const streams = new EventStreams()
  const { clock, advance } = createClock()
  const other = createStream()
  const leave = streams.add('a', { tick: () => leave(), close: () => {} }, clock)
  streams.add('a', other.stream, clock)
  await advance()
  expect([streams.size, other.seen.ticks]).toEqual([1, 1])
})

test('a tick of many lets everything else run in between (attack 71)', async () => {
  const streams = new EventStreams()
  const { clock, advance } = createClock(1)
  const made = Array.from({ length: 5 }, createStream)
  for (const [at, { stream }] of made.entries()) streams.add(`session ${at}`, stream, clock)
  const ticked: number[] = []
  for (let round = 0; round < 3; round += 1) {
    await advance()
    ticked.push(made.filter(({ seen }) => seen.ticks > 0).length)
  }
  expect(ticked).toEqual([2, 4, 5])
})

test('a stop ends all, and those that are opened later, each with another time to come back (attack 73)', () => {
  const streams = new EventStreams()
  const made = Array.from({ length: 200 }, createStream)
  for (const [at, { stream }] of made.slice(0, 199).entries()) streams.add(`session ${at}`, stream, STOPPED)
  streams.close()
  streams.add('late', made[199]?.stream ?? createStream().stream, STOPPED)
  const retries = made.flatMap(({ seen }) => seen.retries)
  expect(retries).toHaveLength(200)
  expect(new Set(retries).size).toBeGreaterThan(100)
  expect(Math.min(...retries)).toBeGreaterThanOrEqual(500)
  expect(Math.max(...retries)).toBeLessThan(2500)
})
