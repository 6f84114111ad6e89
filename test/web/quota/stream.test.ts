import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as fc from 'fast-check'
import { Problem } from '../../../src/contract/problem.ts'
import { readEvents, Stream, waitAfter } from '../../../src/web/quota/stream.ts'

type Controller = ReadableStreamDefaultController<Uint8Array>

/** Each attempt fails with what the function returns, or opens a stream. */
function open(refusal: (count: number) => Problem | undefined = () => undefined) {
  const streams: Controller[] = []
  const seen: string[] = []
  let attempts = 0
  const stream = new Stream({
    open: async (signal) => {
      attempts += 1
      const problem = refusal(attempts)
      if (problem) throw problem
      return new ReadableStream({
        start(controller) {
          streams.push(controller)
          signal.addEventListener('abort', () => controller.error(new Error('aborted')))
        },
      })
    },
    onEvent: (name, data) => {
      if (data === 'bad') throw new Problem('unexpected_reply')
      seen.push(`${name} ${data}`)
    },
    onLive: (isLive) => {
      const now = isLive ? 'live' : 'not live'
      if (seen.at(-1) !== now) seen.push(now)
    },
    onRefused: () => seen.push('refused'),
  })
  opened.push(stream)
  const write = (text: string) => streams.at(-1)?.enqueue(new TextEncoder().encode(text))
  return { stream, seen, write, streams, attempts: () => attempts }
}

const opened: Stream[] = []
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  for (const stream of opened.splice(0)) stream.stop()
})
const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms)

test.each([
  [1, undefined, 0, 1000],
  [1, undefined, 1, 2000],
  [2, undefined, 0, 2000],
  [4, undefined, 1, 16_000],
  [5, undefined, 1, 30_000],
  [50, undefined, 0, 15_000],
  [1, 'store_unavailable', 1, 2000],
  [1, 'too_many_streams', 0, 15_000],
  [1, 'not_found', 1, 30_000],
] as const)(
  'after failure %i by %s, and at a random share of %d, it waits %i ms (B20)',
  (failures, code, random, ms) => {
    expect(waitAfter(failures, code && new Problem(code), random)).toBe(ms)
  },
)

test('two waits differ, so that not all pages come back at once after a restart', () => {
  expect(new Set(Array.from({ length: 20 }, () => waitAfter(9, undefined))).size).toBeGreaterThan(10)
})

test('a stream that ends, or has an event that cannot be read, is opened again (B20)', async () => {
  const { seen, write, streams, attempts } = open()
  await pass()
  write('event: quota\ndata: 1\n\n')
  await pass()
  expect(seen).toEqual(['live', 'quota 1'])
  streams[0]?.close()
  await pass()
  expect([seen.at(-1), attempts()]).toEqual(['not live', 1])
  await pass(999)
  expect(attempts()).toBe(1)
  await pass(1001)
  expect([seen.at(-1), attempts()]).toEqual(['live', 2])
  write('data: bad\n\n')
  await pass()
  expect(seen.at(-1)).toBe('not live')
})

test('repeated failures wait longer, up to 30 s, and a lasting connection resets the wait (B20)', async () => {
  vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => array)
  let isDown = true
  const { attempts, streams } = open(() => (isDown ? new Problem('store_unavailable') : undefined))
  await pass()
  for (const [at, wait] of [1000, 2000, 4000, 8000, 15_000, 15_000].entries()) {
    await pass(wait - 1)
    expect(attempts()).toBe(at + 1)
    await pass(1)
  }
  isDown = false
  await pass(15_000)
  const before = attempts()
  await pass(21_000)
  streams[0]?.close()
  await pass(1000)
  expect(attempts()).toBe(before + 1)
})

test('after a refusal the next attempt is late, and a 401 is reported (attack 31)', async () => {
  const { seen, attempts } = open((count) => new Problem(count === 1 ? 'too_many_streams' : 'signed_out'))
  await pass(14_999)
  expect([attempts(), seen]).toEqual([1, ['not live']])
  await pass(15_001)
  expect([attempts(), seen.at(-1)]).toEqual([2, 'refused'])
})

test('a look drops a connection without a byte for 40 s, and a comment keeps it (B20, B11)', async () => {
  const { stream, seen, write } = open()
  for (let times = 0; times < 4; times++) {
    await pass(25_000)
    write(':\n\n')
    await pass()
    stream.dropSilent()
  }
  await pass(39_000)
  stream.dropSilent()
  await pass()
  expect(seen).toEqual(['live'])
  vi.setSystemTime(Date.now() + 3_600_000)
  stream.dropSilent()
  await pass()
  stream.hurry()
  await pass()
  expect(seen).toEqual(['live', 'not live', 'live'])
})

test.each(['connecting', 'live', 'waiting'] as const)(
  'a stream that is stopped while %s opens and reports nothing any more',
  async (when) => {
    const { stream, seen, attempts } = open(() => (when === 'waiting' ? new Problem('unknown') : undefined))
    if (when !== 'connecting') await pass()
    const before = seen.length
    stream.stop()
    await pass(120_000)
    expect([seen.length, attempts(), vi.getTimerCount()]).toEqual([before, 1, 0])
  },
)

const bytes = new TextEncoder().encode(
  [
    'event: quota\ndata: {"name":"Überlauf 制限"}\nretry: 2000\n\n',
    ':\n\n',
    'retry: 500\n\n',
    'data: one\ndata:two\n\n',
    'event: session\ndata: {"signed_in":false}\n\n',
  ].join(''),
)
const EVENTS = [
  ['quota', '{"name":"Überlauf 制限"}'],
  ['message', 'one\ntwo'],
  ['session', '{"signed_in":false}'],
]

/** In chunks that end at these places. The bytes after the last place never come. */
async function read(ends: readonly number[]) {
  const events: string[][] = []
  let parts = 0
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const [at, end] of ends.entries()) controller.enqueue(bytes.slice(ends[at - 1] ?? 0, end))
      controller.close()
    },
  })
  await readEvents(
    body,
    (...event) => events.push(event),
    () => parts++,
  )
  return { events, parts }
}

test('the events are the same however the bytes arrive, and each chunk is reported (B20)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 })), async (cuts) => {
      const ends = [...cuts.toSorted((a, b) => a - b), bytes.length]
      expect(await read(ends)).toEqual({ events: EVENTS, parts: ends.length })
    }),
  )
})

test('a stream that is cut at any byte has its complete events, and no half of one (B20)', async () => {
  const counts: number[] = []
  for (let end = 1; end <= bytes.length; end++) {
    const { events } = await read([end])
    expect(events).toEqual(EVENTS.slice(0, events.length))
    counts.push(events.length)
  }
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  expect([...new Set(counts)]).toEqual([0, 1, 2, 3])
})
