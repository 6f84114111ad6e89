import { setImmediate as settle } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { EventStream, type ServerEvent } from '../../../src/bff/events/stream.ts'
import { groupedReads } from '../../../src/bff/events/grouped-reads.ts'
import { Problem } from '../../../src/contract/problem.ts'
import type { Topic } from '../../../src/store/store.ts'
import { EventStreams, MOST_STREAMS } from '../../../src/bff/events/streams.ts'
import { readEvents } from '../../kit/events.ts'
import { createContext, problemOf, START_MS } from '../_context.ts'

/** Ticks in 15 seconds. */
const PATIENCE = 60
const nth = (n: number) => `event: count\ndata: ${n}\n\n`
const FIRST = nth(1)

/** A clock that stands still. */
const STOPPED = { wait: () => new Promise<void>(() => {}), now: () => 0 }

/** Counts its reads, and ticks when the test says so. */
function createStream(read?: (n: number) => Promise<ServerEvent>, watched: readonly Topic[] = []) {
  const { context } = createContext()
  const { streams } = context.memory
  const seen = {
    reads: 0,
    disconnects: 0,
    readsAtMs: Infinity,
    get isEnded() {
      return streams.size === 0
    },
  }
  const stream = new EventStream({
    context: { ...context, wait: STOPPED.wait, disconnect: () => void (seen.disconnects += 1) },
    name: 'a session',
    read: () => {
      seen.reads += 1
      return read?.(seen.reads) ?? Promise.resolve({ event: 'count', data: String(seen.reads) })
    },
    // With each read it watches another organization, if there are any.
    topics: () => watched.slice(seen.reads, seen.reads + 1),
    readsAtMs: () => seen.readsAtMs,
  })
  const tick = async (times = 1) => {
    for (let at = 0; at < times; at += 1) stream.tick()
    await settle()
  }
  return { stream, seen, tick }
}

const open = async (stream: EventStream) => (await stream.open()).body

function take(body: Response['body']) {
  const { text, isClosed, leave } = readEvents(body)
  const taken = {
    get text() {
      return text()
    },
    get isClosed() {
      return isClosed()
    },
  }
  return { taken, leave }
}

async function openStream(read?: (n: number) => Promise<ServerEvent>) {
  const made = createStream(read)
  const { taken, leave } = take(await open(made.stream))
  await settle()
  /** A change, after which a quarter of a second has passed since the last event. */
  const changeLater = async () => {
    await made.tick()
    made.stream.change()
    await settle()
  }
  return { ...made, taken, leave, changeLater }
}

const count = (n: number) => Promise.resolve({ event: 'count', data: String(n) })

/** A stream whose reads, except the first one, last until `answer` or `fail` is called. */
async function openSlow() {
  let end = { answer: () => {}, fail: (_error: Error) => {} }
  const opened = await openStream((n) =>
    n === 1 ? count(n) : new Promise((resolve, fail) => (end = { answer: () => resolve(count(n)), fail })),
  )
  return {
    ...opened,
    answer: async () => settle(end.answer()),
    fail: async (error: Error) => settle(end.fail(error)),
  }
}

test('the first event comes at once; fifteen seconds after each event a comment follows (HTML 9.2.7)', async () => {
  const { stream, taken, seen, tick } = await openStream()
  await tick(PATIENCE - 1)
  expect([taken.text, seen.reads]).toEqual([FIRST, 1])
  await tick()
  expect(taken.text).toBe(`${FIRST}:\n\n`)
  await tick(PATIENCE - 1)
  expect(taken.text).toBe(`${FIRST}:\n\n`)
  stream.change()
  await settle()
  await tick(PATIENCE - 1)
  expect(taken.text).toBe(`${FIRST}:\n\n${nth(2)}`)
  await tick()
  expect(taken.text).toBe(`${FIRST}:\n\n${nth(2)}:\n\n`)
})

test('a change is written at once, and those of the same quarter of a second are one event (HTML 9.2)', async () => {
  const { stream, taken, tick, changeLater } = await openStream()
  await changeLater()
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
  await expect.poll(() => seen.reads).toBe(1)
  stream.change()
  const { taken } = take(await opening)
  await tick()
  expect([taken.text, seen.reads]).toEqual([FIRST + nth(2), 2])
})

test('a read that changes what is watched is followed by another one, and so is the time for one (8.2)', async () => {
  const { stream, seen, tick } = createStream(undefined, ['organization 1', 'organization 2'])
  take(await open(stream))
  await tick()
  expect(seen.reads).toBe(2)
  await tick()
  await tick()
  expect(seen.reads).toBe(3)
  seen.readsAtMs = START_MS
  await tick()
  expect(seen.reads).toBe(4)
})

test('a change while an event is read is read afterwards (HTML 9.2)', async () => {
  const { stream, tick, seen, answer, changeLater } = await openSlow()
  await changeLater()
  stream.change()
  expect(seen.reads).toBe(2)
  await answer()
  await tick()
  expect(seen.reads).toBe(3)
})

test('a browser that takes nothing causes no read, and is cut off after fifteen seconds (attack 71)', async () => {
  const { stream, seen, tick } = createStream()
  await open(stream)
  for (let at = 0; at < 20; at += 1) {
    stream.change()
    await tick()
  }
  expect(seen.reads).toBe(1)
  await tick(PATIENCE - 21)
  expect([seen.isEnded, seen.disconnects]).toEqual([false, 0])
  await tick()
  expect([seen.isEnded, seen.disconnects]).toEqual([true, 1])
  stream.change()
  await tick(PATIENCE)
  expect([seen.reads, seen.isEnded, seen.disconnects]).toEqual([1, true, 1])
})

test('an event that is long in the reading cuts no browser (attack 72)', async () => {
  const { seen, tick, taken, answer, changeLater } = await openSlow()
  await changeLater()
  await tick(3 * PATIENCE)
  expect([seen.isEnded, seen.disconnects]).toEqual([false, 0])
  await answer()
  expect(taken.text).toBe(FIRST + nth(2))
})

test('while the store fails a stream sends only comments, tries once a second, and goes on (attack 72)', async () => {
  let isDown = false
  const down = () => Promise.reject(new Problem('store_unavailable'))
  const { stream, seen, taken, tick, changeLater } = await openStream((n) => (isDown ? down() : count(n)))
  isDown = true
  await changeLater()
  expect(seen.reads).toBe(2)
  stream.change()
  await tick(3)
  expect(seen.reads).toBe(2)
  await tick()
  expect(seen.reads).toBe(3)
  for (let at = 0; at < PATIENCE; at += 1) await tick()
  expect([taken.text, seen.isEnded]).toEqual([`${FIRST}:\n\n`, false])
  isDown = false
  for (let at = 0; at < 4; at += 1) await tick()
  expect(taken.text).toBe(`${FIRST}:\n\n${nth(seen.reads)}`)
})

const ERRORS = [new Problem('store_unavailable'), new TypeError('a defect')]
test.each(ERRORS)(
  'a first event that fails is thrown, and ends the stream: %s (attack 72)',
  async (error) => {
    const { stream, seen, tick } = createStream(async () => {
      throw error
    })
    await expect(stream.open()).rejects.toBe(error)
    stream.change()
    await tick(PATIENCE)
    expect([seen.reads, seen.isEnded]).toEqual([1, true])
  },
)

test('after the last event the stream is closed, and nothing is read (HTML 9.2)', async () => {
  const { stream, seen, taken, tick, changeLater } = await openStream(async (n) => ({
    ...(await count(n)),
    isLast: n === 2,
  }))
  await changeLater()
  expect([taken, seen.isEnded]).toEqual([{ text: FIRST + nth(2), isClosed: true }, true])
  stream.change()
  await tick(PATIENCE)
  expect([seen.reads, seen.isEnded, seen.disconnects]).toEqual([2, true, 0])
})

test('a browser that leaves after the last event, or before a later defect, ends nothing again (HTML 9.2)', async () => {
  const ended = await openStream(() => Promise.resolve({ event: 'count', data: '1', isLast: true }))
  await ended.leave()
  expect([ended.seen.isEnded, ended.taken.isClosed]).toEqual([true, true])
  const left = await openSlow()
  await left.changeLater()
  await left.leave()
  await left.fail(new TypeError('a defect'))
  expect(left.seen.isEnded).toBe(true)
})

test('a stop before the first event was read lets it come, then ends the stream (HTML 9.2.5, attack 73)', async () => {
  const { stream, seen, tick } = createStream()
  const opening = open(stream)
  stream.close()
  await tick(PATIENCE)
  const { taken } = take(await opening)
  await settle()
  expect([taken, seen]).toEqual([
    { text: FIRST, isClosed: true },
    { reads: 1, readsAtMs: Infinity, isEnded: true, disconnects: 0 },
  ])
})

test('a stop while an event is read writes no event any more (attack 73)', async () => {
  const { stream, seen, taken, answer, changeLater } = await openSlow()
  await changeLater()
  stream.close()
  await answer()
  expect([taken.text, seen.isEnded]).toEqual([FIRST, true])
})

test('a stop cuts a browser that is behind, and does not wait for it (attack 73)', async () => {
  const { stream, seen } = createStream()
  await open(stream)
  stream.close()
  expect([seen.isEnded, seen.disconnects]).toEqual([true, 1])
})

/** A stream that counts its ticks and ends. */
function createTicked() {
  const seen = { ticks: 0, ends: 0 }
  const tick = () => void (seen.ticks += 1)
  return { stream: { tick, close: () => void (seen.ends += 1) }, seen }
}

/** Waits end when the test ends them. */
function createClock() {
  const asked: number[] = []
  let pass = () => {}
  const wait = (ms: number) => {
    asked.push(ms)
    return new Promise<void>((resolve) => void (pass = resolve))
  }
  const advance = async () => settle(pass())
  return { asked, clock: { wait, now: () => 0 }, advance }
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

test('one timer of a quarter of a second serves all, and runs only while there are streams (8.3)', async () => {
  const streams = new EventStreams()
  const { asked, clock, advance } = createClock()
  const [a, b, c] = [createTicked(), createTicked(), createTicked()]
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

test('a stop ends all streams, and those that are opened later (attack 73)', () => {
  const streams = new EventStreams()
  const made = [createTicked(), createTicked(), createTicked()] as const
  for (const { stream } of made.slice(0, 2)) streams.add('a', stream, STOPPED)
  streams.close()
  streams.add('late', made[2].stream, STOPPED)
  expect(made.map(({ seen }) => seen.ends)).toEqual([1, 1, 1])
})

const GROUP = 256

/** Reads that double the number that they are asked for. */
function createReads(failing?: number) {
  const groups: number[][] = []
  const works: Promise<void>[] = []
  const read = groupedReads<number, number>(
    async (askers) => {
      groups.push([...askers])
      await settle()
      if (askers.includes(-1)) throw new Error('all fail')
      return (nth) => {
        if (askers[nth] === failing) throw new Error(`${failing} fails`)
        return 2 * (askers[nth] ?? Number.NaN)
      }
    },
    (work) => void works.push(work),
  )
  return { groups, works, read }
}

const upTo = (count: number) => Array.from({ length: count }, (_, nth) => nth)

test('reads at the same time are grouped, and each asker gets its own value (8.3, attack 73)', async () => {
  const { groups, works, read } = createReads()
  const askers = upTo(3 * GROUP + 22)
  expect(await Promise.all(askers.map(read))).toEqual(askers.map((asker) => 2 * asker))
  expect(groups.map(({ length }) => length)).toEqual([GROUP, GROUP, GROUP, 22])
  expect(groups.flat()).toEqual(askers)
  // The work lasts until no one asks, and then begins again.
  expect(works).toHaveLength(1)
  await works[0]
  await read(1)
  expect(works).toHaveLength(2)
})

test('between two groups everything else that waits goes first (attack 71)', async () => {
  const { groups, read } = createReads()
  const all = Promise.all(upTo(2 * GROUP).map(read))
  const order: number[] = []
  for (let round = 0; round < 4; round += 1) {
    await settle()
    order.push(groups.length)
  }
  await all
  expect(order).toEqual([1, 1, 2, 2])
})

test('a read that fails does not fail the others, and a failed group does not fail the next (attack 72)', async () => {
  const { read } = createReads(3)
  const some = await Promise.allSettled(upTo(5).map(read))
  expect(some.map(({ status }) => status === 'fulfilled')).toEqual([true, true, true, false, true])
  const all = await Promise.allSettled([-1, ...upTo(GROUP)].map(read))
  expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(GROUP)
  expect(all.at(-1)).toEqual({ status: 'fulfilled', value: 2 * (GROUP - 1) })
  expect(await read(7)).toBe(14)
})
