import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as fc from 'fast-check'
import { Problem, problemBody } from '../../../src/contract/problem.ts'
import { type LivePage, LiveStream, waitAfter } from '../../../src/web/live/stream.ts'
import { stubFetch } from '../_network.ts'
import { readEvents, type ServerEvent } from '../../../src/web/live/event-stream.ts'

type Controller = ReadableStreamDefaultController<Uint8Array>

/** Each request is answered by the function, or by a stream that stays open. */
function serve(answer?: (count: number) => Response | undefined) {
  const streams: Controller[] = []
  let count = 0
  stubFetch(async () => {
    count += 1
    const refusal = answer?.(count)
    if (refusal !== undefined) return refusal
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void streams.push(controller) })
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
  })
  const write = (text: string) => streams.at(-1)?.enqueue(new TextEncoder().encode(text))
  return { streams, write, requests: () => count }
}

const refuse = (code: Problem['code']): Response => {
  const problem = new Problem(code)
  return new Response(JSON.stringify(problemBody(problem, 'id')), {
    status: problem.status,
    headers: { 'Content-Type': 'application/problem+json' },
  })
}

/** The page records what it gets. */
function open(confirm: LivePage['confirm'] = async () => true) {
  const seen: string[] = []
  const waits: number[] = []
  const confirmed: (string | undefined)[] = []
  const stream = new LiveStream({
    onEvent: ({ name, data }) => seen.push(`${name} ${data}`),
    onState: (state, retryInMs) => {
      // Until a connection exists again, the page stays marked as not live.
      const isRetry = state === 'not_live' && retryInMs === 0
      seen.push(isRetry ? 'retrying' : state)
      if (state === 'not_live' && !isRetry) waits.push(retryInMs)
    },
    confirm: (because) => {
      confirmed.push(because?.code)
      return confirm(because)
    },
  })
  opened.push(stream)
  return { stream, seen, waits, confirmed }
}

const opened: LiveStream[] = []
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

test('events come once the session is confirmed, and a stream that ends is opened again (B20)', async () => {
  const server = serve()
  let confirm: (isShown: boolean) => void = () => {}
  const { seen, waits } = open(
    () =>
      new Promise((resolve) => {
        confirm = resolve
      }),
  )
  await pass()
  server.write('event: quota\ndata: 1\n\n')
  await pass()
  expect(seen).toEqual(['connecting'])
  confirm(true)
  await pass()
  expect(seen).toEqual(['connecting', 'live', 'quota 1'])
  server.streams[0]?.close()
  await pass()
  expect(seen.at(-1)).toBe('not_live')
  expect(waits[0]).toBeGreaterThanOrEqual(1000)
  expect(waits[0]).toBeLessThanOrEqual(2000)
  await pass(waits[0])
  expect([server.requests(), seen.at(-1)]).toEqual([2, 'retrying'])
})

test('a stream that may belong to another session reports no event (attack 30)', async () => {
  const server = serve()
  const { seen } = open(async () => false)
  await pass()
  server.write('event: quota\ndata: 1\n\n')
  await pass()
  expect(seen).toEqual(['connecting', 'not_live'])
})

test('repeated failures wait longer, up to 30 s, and a lasting connection resets the wait (B20)', async () => {
  let isDown = true
  const server = serve(() => (isDown ? refuse('store_unavailable') : undefined))
  const { waits } = open()
  await pass()
  for (let times = 0; times < 7; times++) await pass(waits.at(-1))
  for (const [at, longest] of [2000, 4000, 8000, 16_000, 30_000, 30_000].entries()) {
    expect(waits[at]).toBeGreaterThanOrEqual(longest / 2)
    expect(waits[at]).toBeLessThanOrEqual(longest)
  }
  isDown = false
  await pass(waits.at(-1))
  await pass(21_000)
  server.streams[0]?.close()
  await pass()
  expect(waits.at(-1)).toBeLessThanOrEqual(2000)
})

test('after a refusal the next attempt is late, and a 401 asks who is signed in (attack 31)', async () => {
  serve((count) => refuse(count === 1 ? 'too_many_streams' : 'signed_out'))
  const { waits, confirmed } = open()
  await pass()
  expect(waits[0]).toBeGreaterThanOrEqual(15_000)
  expect(confirmed).toEqual([])
  await pass(waits[0])
  expect(confirmed).toEqual(['signed_out'])
})

test('an answer that is not a stream counts as a failure (B20)', async () => {
  serve(() => new Response('<html>', { headers: { 'Content-Type': 'text/html' } }))
  const { seen } = open()
  await pass()
  expect(seen).toEqual(['connecting', 'not_live'])
})

test('a connection without a byte for too long is opened again, and comments keep it (B20)', async () => {
  const server = serve()
  const { seen } = open()
  for (let times = 0; times < 4; times++) {
    await pass(25_000)
    server.write(':\n\n')
  }
  await pass()
  expect(seen).toEqual(['connecting', 'live'])
  await pass(39_000)
  expect(seen.at(-1)).toBe('live')
  await pass(14_000)
  expect(seen.slice(2, 4)).toEqual(['not_live', 'retrying'])
})

test('after sleep a check reopens a dead connection at once, and leaves a live one alone (B11)', async () => {
  const server = serve()
  const { stream, seen } = open()
  await pass()
  stream.check()
  await pass()
  expect(seen).toEqual(['connecting', 'live'])
  vi.setSystemTime(Date.now() + 3_600_000)
  stream.check()
  await pass()
  expect(seen.at(-1)).toBe('not_live')
  stream.check()
  await pass()
  expect([server.requests(), seen.at(-1)]).toEqual([2, 'live'])
})

test.each(['connecting', 'live', 'waiting'] as const)(
  'a stream that is stopped while %s opens and reports nothing any more',
  async (when) => {
    const server = serve(() => (when === 'waiting' ? refuse('unknown') : undefined))
    const { stream, seen } = open()
    if (when !== 'connecting') await pass()
    const before = seen.length
    stream.stop()
    await pass(120_000)
    expect(seen).toHaveLength(before)
    expect(server.requests()).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
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
  { name: 'quota', data: '{"name":"Überlauf 制限"}' },
  { name: 'message', data: 'one\ntwo' },
  { name: 'session', data: '{"signed_in":false}' },
]

/** In chunks that end at these places. The bytes after the last place never come. */
async function read(ends: readonly number[]) {
  const events: ServerEvent[] = []
  let parts = 0
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const [at, end] of ends.entries()) controller.enqueue(bytes.slice(ends[at - 1] ?? 0, end))
      controller.close()
    },
  })
  await readEvents(
    body,
    (event) => events.push(event),
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

test('an error of the connection is passed on', async () => {
  const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error('reset')) })
  await expect(
    readEvents(
      body,
      () => {},
      () => {},
    ),
  ).rejects.toThrow('reset')
})
