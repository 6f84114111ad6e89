import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEvents, type ServerEvent } from '../../../src/web/live/event-stream.ts'

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
