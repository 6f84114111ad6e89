import { setImmediate as settle } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { EventStream, type ServerEvent } from '../../../src/bff/events/stream.ts'
import { type Recipient, GroupedReads } from '../../../src/bff/events/grouped-reads.ts'
import { readableOf } from '../../../src/contract/pushed-body.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { EventStreams, MOST_STREAMS } from '../../../src/bff/events/streams.ts'
import { problemOf } from '../_context.ts'

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

test('a stop before the first event was read lets it come, then ends the stream (HTML 9.2.5, attack 73)', async () => {
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

/** A clock that stands still. */
const STOPPED = { wait: () => new Promise<void>(() => {}), now: () => 0 }

/** A stream that counts its ticks, and stores when it is asked to come back. */
function createTicked() {
  const seen = { ticks: 0, retries: [] as number[] }
  const stream = {
    tick: () => {
      seen.ticks += 1
    },
    close: (retryMs: number) => void seen.retries.push(retryMs),
  }
  return { stream, seen }
}

test('a session has twenty streams, another one its own, and one that ends makes room (attack 71)', async () => {
  const streams = new EventStreams()
  const add = (session: string) => streams.add(session, createTicked().stream, STOPPED)
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

test('a stop ends all, and those that are opened later, each with another time to come back (attack 73)', () => {
  const streams = new EventStreams()
  const made = Array.from({ length: 200 }, createTicked)
  for (const [at, { stream }] of made.slice(0, 199).entries()) streams.add(`session ${at}`, stream, STOPPED)
  streams.close()
  streams.add('late', made[199]?.stream ?? createTicked().stream, STOPPED)
  const retries = made.flatMap(({ seen }) => seen.retries)
  expect(retries).toHaveLength(200)
  expect(new Set(retries).size).toBeGreaterThan(100)
  expect(Math.min(...retries)).toBeGreaterThanOrEqual(500)
  expect(Math.max(...retries)).toBeLessThan(2500)
})

const GROUP = 256

interface Reading {
  /** Milliseconds of the clock for each group, and for each recipient that takes a value. */
  groupMs?: number
  takeMs?: number
  /** An asker whose read fails. */
  failing?: number
}

/** Reads that take some milliseconds of a clock, and double the number that they are asked for. */
function createReads({ groupMs = 0, takeMs = 0, failing }: Reading = {}) {
  const seen = { groups: [] as number[][], works: [] as Promise<void>[], nowMs: 0, taken: 0 }
  const reads = new GroupedReads<number, number>({
    async readAll(askers) {
      seen.groups.push([...askers])
      seen.nowMs += groupMs
      await settle()
      if (askers.includes(-1)) throw new Error('all fail')
      return (nth) => {
        if (askers[nth] === failing) throw new Error(`${failing} fails`)
        return 2 * (askers[nth] ?? Number.NaN)
      }
    },
    now: () => seen.nowMs,
    onWork: (work) => void seen.works.push(work),
  })
  const ask =
    (how: 'read' | 'readFirst') =>
    (asker: number, begin = () => true) =>
      new Promise<number>((resolve, reject) => {
        const take = (read: number) => {
          seen.taken += 1
          seen.nowMs += takeMs
          resolve(read)
        }
        reads[how](asker, { begin, take, fail: reject })
      })
  return { seen, reads, read: ask('read'), readFirst: ask('readFirst') }
}

const upTo = (count: number) => Array.from({ length: count }, (_, nth) => nth)
const sizes = ({ groups }: { groups: number[][] }) => groups.map(({ length }) => length)
const doubled = (askers: number[]) => askers.map((asker) => 2 * asker)

test('reads at the same time are grouped, and each asker gets its own value (8.3)', async () => {
  const { seen, read } = createReads()
  const askers = upTo(3 * GROUP + 22)
  expect(await Promise.all(askers.map((asker) => read(asker)))).toEqual(doubled(askers))
  expect(sizes(seen)).toEqual([GROUP, GROUP, GROUP, 22])
  expect(seen.groups.flat()).toEqual(askers)
})

test('a read that fails does not fail the others, and a failed group does not fail the next (attack 72)', async () => {
  const { read } = createReads({ failing: 3 })
  const some = await Promise.allSettled(upTo(5).map((asker) => read(asker)))
  expect(some.map(({ status }) => status === 'fulfilled')).toEqual([true, true, true, false, true])
  const all = await Promise.allSettled([-1, ...upTo(GROUP)].map((asker) => read(asker)))
  expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(GROUP)
  expect(all.at(-1)).toEqual({ status: 'fulfilled', value: 2 * (GROUP - 1) })
  expect(await read(7)).toBe(14)
})

test('a defect of one that takes is its own (attack 72)', async () => {
  const { reads, read } = createReads()
  const failed = new Promise<unknown>((resolve) => {
    const recipient: Recipient<number> = {
      begin: () => true,
      take: () => {
        throw new Error('a defect')
      },
      fail: resolve,
    }
    reads.read(1, recipient)
  })
  expect([await read(2), await failed]).toEqual([4, new Error('a defect')])
})

test('a read begins when its group does, and what is asked meanwhile is read afterwards (HTML 9.2)', async () => {
  const { seen, read } = createReads()
  const started: string[] = []
  let later: Promise<number> | undefined
  const first = read(1, () => {
    started.push('first')
    later = read(2, () => started.push('later') > 0)
    return true
  })
  expect(started).toEqual([])
  expect([await first, await later, started]).toEqual([2, 4, ['first', 'later']])
  expect(seen.groups).toEqual([[1], [2]])
})

test('the work lasts until no one asks, and then begins again (attack 73)', async () => {
  const { seen, read } = createReads()
  await Promise.all(upTo(2 * GROUP).map((asker) => read(asker)))
  expect(seen.works).toHaveLength(1)
  await seen.works[0]
  await read(1)
  expect(seen.works).toHaveLength(2)
})
