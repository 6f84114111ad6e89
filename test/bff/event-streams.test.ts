import { setImmediate as settle } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { EventStreams, MOST_STREAMS } from '../../src/bff/event-streams.ts'
import { problemOf } from './_context.ts'

const never = () => new Promise<void>(() => {})

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

/** Waits that end when the test ends them. */
function createWait() {
  const asked: number[] = []
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
  return { asked, wait, advance }
}

test('a session has twenty streams, another one its own, and one that ends makes room (attack 71)', async () => {
  const streams = new EventStreams()
  const add = (session: string) => streams.add(session, createStream().stream, never)
  const removals = Array.from({ length: MOST_STREAMS }, () => add('a'))
  const refusal = await problemOf(Promise.resolve().then(() => add('a')))
  expect([MOST_STREAMS, refusal]).toEqual([20, { code: 'too_many_streams', retryInMs: 30_000 }])
  add('b')
  expect(streams.size).toBe(21)
  removals[3]?.()
  add('a')
  expect(streams.size).toBe(21)
  for (const remove of removals) remove()
  expect(streams.size).toBe(2)
})

test('one timer of a quarter of a second serves all, and runs only while there are streams (8.3)', async () => {
  const streams = new EventStreams()
  const { asked, wait, advance } = createWait()
  const [a, b, c] = [createStream(), createStream(), createStream()]
  expect(asked).toEqual([])
  const leave = [streams.add('a', a.stream, wait), streams.add('b', b.stream, wait)]
  await advance()
  expect([asked, a.seen.ticks, b.seen.ticks]).toEqual([[250, 250], 1, 1])
  leave[0]?.()
  await advance()
  expect([a.seen.ticks, b.seen.ticks]).toEqual([1, 2])
  leave[1]?.()
  await advance()
  await advance()
  expect([asked.length, b.seen.ticks]).toEqual([3, 2])
  streams.add('a', c.stream, wait)
  await advance()
  expect([asked.length, c.seen.ticks]).toEqual([5, 1])
})

test('a stream may end in a tick of its own (8.3)', async () => {
  const streams = new EventStreams()
  const { wait, advance } = createWait()
  const other = createStream()
  const leave = streams.add('a', { tick: () => leave(), close: () => {} }, wait)
  streams.add('a', other.stream, wait)
  await advance()
  expect([streams.size, other.seen.ticks]).toEqual([1, 1])
})

test('a stop ends all, and those that are opened later, each with another time to come back (attack 73)', () => {
  const streams = new EventStreams()
  const made = Array.from({ length: 200 }, createStream)
  for (const [at, { stream }] of made.slice(0, 199).entries()) streams.add(`session ${at}`, stream, never)
  streams.close()
  streams.add('late', made[199]?.stream ?? createStream().stream, never)
  const retries = made.flatMap(({ seen }) => seen.retries)
  expect(retries).toHaveLength(200)
  expect(new Set(retries).size).toBeGreaterThan(100)
  expect(Math.min(...retries)).toBeGreaterThanOrEqual(500)
  expect(Math.max(...retries)).toBeLessThan(2500)
})
