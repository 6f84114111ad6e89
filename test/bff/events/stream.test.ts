import { setImmediate as settle } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { EventStream, type ServerEvent } from '../../../src/bff/events/stream.ts'
import type { Recipient } from '../../../src/bff/events/grouped-reads.ts'
import { readableOf } from '../../../src/contract/pushed-body.ts'
import { Problem } from '../../../src/contract/problem.ts'

/** Ticks in 15 seconds. */
const PATIENCE = 60
/** It asks the browser to come back after two seconds. */
const FIRST = 'event: count\ndata: 1\nretry: 2000\n\n'
const nth = (n: number) => `event: count\ndata: ${n}\n\n`

/** Answers all reads at once while they are wanted. */
function reading(read: () => Promise<ServerEvent>) {
  const readFor = (recipient: Recipient<ServerEvent>) => {
    if (recipient.begin())
      void read()
        .then((event) => recipient.take(event))
        .catch((error: unknown) => recipient.fail(error))
  }
  return { readFirst: readFor, read: readFor }
}

/** Counts its reads, and ticks when the test says so. */
function createStream(read?: (n: number) => Promise<ServerEvent>) {
  const seen = { reads: 0, ends: [] as unknown[], disconnects: 0 }
  const stream = new EventStream({
    ...reading(() => {
      seen.reads += 1
      return read?.(seen.reads) ?? Promise.resolve({ event: 'count', data: String(seen.reads) })
    }),
    onEnd: (error) => void seen.ends.push(error),
    disconnect: () => {
      seen.disconnects += 1
    },
  })
  const tick = async (times = 1) => {
    for (let at = 0; at < times; at += 1) stream.tick()
    await settle()
  }
  return { stream, seen, tick }
}

const open = async (stream: EventStream) => readableOf(await stream.open())

function take(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader()
  const taken = { text: '', isClosed: false }
  const pump = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      taken.text += new TextDecoder().decode(part.value)
    taken.isClosed = true
  }
  void pump()
  return { taken, leave: () => reader.cancel() }
}

async function openStream(read?: (n: number) => Promise<ServerEvent>) {
  const made = createStream(read)
  const { taken, leave } = take(await open(made.stream))
  await settle()
  return { ...made, taken, leave }
}

/** A stream whose reads, except the first one, last until `answer` is called. */
async function openSlow() {
  let answer = () => {}
  const opened = await openStream(
    (n) =>
      new Promise((resolve) => {
        answer = () => resolve({ event: 'count', data: String(n) })
        if (n === 1) answer()
      }),
  )
  return { ...opened, answer: () => answer() }
}

test('the first event comes at once, and then nothing without a change (HTML 9.2)', async () => {
  const { taken, seen, tick } = await openStream()
  await tick(PATIENCE - 1)
  expect([taken.text, seen.reads]).toEqual([FIRST, 1])
})

test('a change is written at once, and those of the same quarter of a second are one event (HTML 9.2)', async () => {
  const { stream, taken, tick } = await openStream()
  await tick()
  stream.change()
  await settle()
  expect(taken.text).toBe(FIRST + nth(2))
  for (let change = 0; change < 10; change += 1) stream.change()
  await settle()
  expect(taken.text).toBe(FIRST + nth(2))
  await tick()
  expect(taken.text).toBe(FIRST + nth(2) + nth(3))
  await tick()
  expect(taken.text).toBe(FIRST + nth(2) + nth(3))
})

test('a change before the first event was read makes another event (HTML 9.2)', async () => {
  const { stream, seen, tick } = createStream()
  const opening = open(stream)
  stream.change()
  expect(seen.reads).toBe(1)
  const { taken } = take(await opening)
  await tick()
  expect([taken.text, seen.reads]).toEqual([FIRST + nth(2), 2])
})

test('a change while an event is read is read afterwards (HTML 9.2)', async () => {
  const { stream, tick, seen, answer } = await openSlow()
  await tick()
  stream.change()
  stream.change()
  expect(seen.reads).toBe(2)
  answer()
  await settle()
  await tick()
  expect(seen.reads).toBe(3)
})

test('after fifteen seconds without an event a comment follows, and again (HTML 9.2.7)', async () => {
  const { taken, tick } = await openStream()
  await tick(PATIENCE)
  expect(taken.text).toBe(`${FIRST}:\n\n`)
  await tick(PATIENCE - 1)
  expect(taken.text).toBe(`${FIRST}:\n\n`)
  await tick()
  expect(taken.text).toBe(`${FIRST}:\n\n:\n\n`)
})

test('an event puts the comment off (HTML 9.2.7)', async () => {
  const { stream, taken, tick } = await openStream()
  await tick(PATIENCE - 1)
  stream.change()
  await settle()
  await tick(PATIENCE - 1)
  expect(taken.text).toBe(FIRST + nth(2))
  await tick()
  expect(taken.text).toBe(`${FIRST}${nth(2)}:\n\n`)
})

test('a browser that takes nothing causes two reads, and is cut off after fifteen seconds (attack 71)', async () => {
  const { stream, seen, tick } = createStream()
  await open(stream)
  for (let at = 0; at < 20; at += 1) {
    stream.change()
    await tick()
  }
  expect(seen.reads).toBe(2)
  await tick(PATIENCE - 20)
  expect([seen.ends, seen.disconnects]).toEqual([[], 0])
  await tick()
  expect([seen.ends, seen.disconnects]).toEqual([[undefined], 1])
  stream.change()
  await tick(PATIENCE)
  expect([seen.reads, seen.ends, seen.disconnects]).toEqual([2, [undefined], 1])
})

test('a browser that is slow gets the newest event, not those between (attack 71)', async () => {
  const { stream, tick } = createStream()
  const body = await open(stream)
  for (let at = 0; at < 20; at += 1) {
    stream.change()
    await tick()
  }
  const { taken } = take(body)
  await settle()
  await tick()
  expect(taken.text).toBe(FIRST + nth(2) + nth(3))
})

test('an event that is long in the reading cuts no browser (attack 72)', async () => {
  const { stream, seen, tick, taken, answer } = await openSlow()
  await tick()
  stream.change()
  await tick(3 * PATIENCE)
  expect([seen.ends, seen.disconnects]).toEqual([[], 0])
  answer()
  await settle()
  expect(taken.text).toBe(FIRST + nth(2))
})

test('while the store fails a stream sends only comments, tries once a second, and goes on (attack 72)', async () => {
  let isDown = false
  const { stream, seen, taken, tick } = await openStream((n) =>
    isDown
      ? Promise.reject(new Problem('store_unavailable'))
      : Promise.resolve({ event: 'count', data: String(n) }),
  )
  isDown = true
  await tick()
  stream.change()
  await settle()
  expect(seen.reads).toBe(2)
  stream.change()
  await tick(3)
  expect(seen.reads).toBe(2)
  await tick()
  expect(seen.reads).toBe(3)
  for (let at = 0; at < PATIENCE; at += 1) await tick()
  expect([taken.text, seen.ends]).toEqual([`${FIRST}:\n\n`, []])
  isDown = false
  for (let at = 0; at < 4; at += 1) await tick()
  expect(taken.text).toBe(`${FIRST}:\n\n${nth(seen.reads)}`)
})

test('a defect ends the stream, and is reported (RFC 9110 15.6.1)', async () => {
  const defect = new TypeError('a defect')
  const { stream, seen, taken, tick } = await openStream((n) =>
    n === 1 ? Promise.resolve({ event: 'count', data: '1' }) : Promise.reject(defect),
  )
  await tick()
  stream.change()
  await settle()
  expect([taken, seen.ends]).toEqual([{ text: FIRST, isClosed: true }, [defect]])
})

test.each([new Problem('store_unavailable'), new TypeError('a defect')])(
  'a first event that cannot be read is thrown, and the stream has ended: %s (attack 72)',
  async (error) => {
    const { stream, seen, tick } = createStream(async () => {
      throw error
    })
    await expect(stream.open()).rejects.toBe(error)
    stream.change()
    await tick(PATIENCE)
    expect([seen.reads, seen.ends]).toEqual([1, [undefined]])
  },
)

test('after the last event the stream is closed, and nothing is read (HTML 9.2)', async () => {
  const { stream, seen, taken, tick } = await openStream((n) =>
    Promise.resolve({ event: 'count', data: String(n), isLast: n === 2 }),
  )
  await tick()
  stream.change()
  await settle()
  expect([taken, seen.ends]).toEqual([{ text: FIRST + nth(2), isClosed: true }, [undefined]])
  stream.change()
  await tick(PATIENCE)
  expect([seen.reads, seen.ends, seen.disconnects]).toEqual([2, [undefined], 0])
})

test('an event is read when those before it are read, and not where the browser has gone meanwhile (8.3)', async () => {
  const waiting: (() => void)[] = []
  let reads = 0
  const parts = reading(async () => {
    reads += 1
    return { event: 'count', data: String(reads) }
  })
  const stream = new EventStream({
    readFirst: parts.readFirst,
    read: (recipient) => waiting.push(() => parts.read(recipient)),
    onEnd: () => {},
  })
  const { leave } = take(await open(stream))
  await settle()
  for (const expected of [2, 3]) {
    stream.tick()
    stream.change()
    await settle()
    expect(reads).toBe(expected - 1)
    if (expected === 3) await leave()
    waiting.shift()?.()
    await settle()
  }
  expect([reads, waiting]).toEqual([2, []])
})

test('a connection that closes after the last event, or a later defect, ends nothing again (HTML 9.2)', async () => {
  let fail: (error: Error) => void = () => {}
  const attached = async (isLast: boolean) => {
    const made = createStream((n) =>
      n === 1
        ? Promise.resolve({ event: 'count', data: '1', isLast })
        : new Promise((_, reject) => void (fail = reject)),
    )
    const sink = { ends: 0 }
    const body = await made.stream.open()
    const close = body.writeTo({ write: (_, onTaken) => onTaken(), end: () => void (sink.ends += 1) })
    return { ...made, sink, close }
  }
  const ended = await attached(true)
  ended.close()
  expect([ended.seen.ends, ended.sink.ends]).toEqual([[undefined], 1])
  const left = await attached(false)
  await left.tick()
  left.stream.change()
  await settle()
  left.close()
  fail(new TypeError('a defect'))
  await settle()
  expect([left.seen.ends, left.sink.ends]).toEqual([[undefined], 0])
})

test('a browser that goes ends the stream once (HTML 9.2)', async () => {
  const { stream, seen, tick, leave } = await openStream()
  await leave()
  stream.change()
  await tick(PATIENCE)
  expect([seen.reads, seen.ends, seen.disconnects]).toEqual([1, [undefined], 0])
})

test('a last event that is not taken ends the stream once, and no connection needs to be there (attack 71)', async () => {
  const ends: unknown[] = []
  let reads = 0
  const stream = new EventStream({
    ...reading(async () => {
      reads += 1
      return { event: 'count', data: String(reads), isLast: reads === 2 }
    }),
    onEnd: (error) => void ends.push(error),
  })
  await open(stream)
  await settle()
  stream.tick()
  stream.change()
  await settle()
  for (let at = 0; at < PATIENCE; at += 1) stream.tick()
  await settle()
  expect([reads, ends]).toEqual([2, [undefined]])
})

test('a stop before the first event was read lets it come, and then ends the stream (attack 73)', async () => {
  const { stream, seen, tick } = createStream()
  const opening = open(stream)
  stream.close(1234)
  await tick(PATIENCE)
  const { taken } = take(await opening)
  await settle()
  expect([taken, seen]).toEqual([
    { text: `${FIRST}retry: 1234\n\n`, isClosed: true },
    { reads: 1, ends: [undefined], disconnects: 0 },
  ])
})

test('a stop ends the stream with the time to come back (HTML 9.2.5, attack 73)', async () => {
  const { stream, seen, taken } = await openStream()
  stream.close(1234)
  await settle()
  expect([taken, seen]).toEqual([
    { text: `${FIRST}retry: 1234\n\n`, isClosed: true },
    { reads: 1, ends: [undefined], disconnects: 0 },
  ])
})

test('a stop while an event is read writes no event any more (attack 73)', async () => {
  const { stream, seen, tick, taken, answer } = await openSlow()
  await tick()
  stream.change()
  stream.close(1234)
  answer()
  await settle()
  expect([taken.text, seen.ends]).toEqual([`${FIRST}retry: 1234\n\n`, [undefined]])
})

test('a stop cuts a browser that is behind, and does not wait for it (attack 73)', async () => {
  const { stream, seen, tick } = createStream()
  await open(stream)
  await tick()
  stream.change()
  await settle()
  stream.close(1234)
  expect([seen.ends, seen.disconnects]).toEqual([[undefined], 1])
})
