import { setImmediate as settle } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { EventStream, type ServerEvent } from '../../../src/bff/events/stream.ts'
import { type Recipient, GroupedReads } from '../../../src/bff/events/grouped-reads.ts'
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
  const { taken, leave } = take(await made.stream.open())
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
  const opening = stream.open()
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

test('a browser that takes nothing causes no read, and is cut off after fifteen seconds (attack 71)', async () => {
  const { stream, seen, tick } = createStream()
  await stream.open()
  for (let at = 0; at < 20; at += 1) {
    stream.change()
    await tick()
  }
  expect(seen.reads).toBe(1)
  await tick(PATIENCE - 21)
  expect([seen.ends, seen.disconnects]).toEqual([[], 0])
  await tick()
  expect([seen.ends, seen.disconnects]).toEqual([[undefined], 1])
  stream.change()
  await tick(PATIENCE)
  expect([seen.reads, seen.ends, seen.disconnects]).toEqual([1, [undefined], 1])
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
  const { leave } = take(await stream.open())
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
    const { taken, leave } = take(await made.stream.open())
    await settle()
    return { ...made, taken, leave }
  }
  const ended = await attached(true)
  await ended.leave()
  expect([ended.seen.ends, ended.taken.isClosed]).toEqual([[undefined], true])
  const left = await attached(false)
  await left.tick()
  left.stream.change()
  await settle()
  await left.leave()
  fail(new TypeError('a defect'))
  await settle()
  expect(left.seen.ends).toEqual([undefined])
})

test('a stop before the first event was read lets it come, then ends the stream (HTML 9.2.5, attack 73)', async () => {
  const { stream, seen, tick } = createStream()
  const opening = stream.open()
  stream.close(1234)
  await tick(PATIENCE)
  const { taken } = take(await opening)
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
  await stream.open()
  await tick()
  stream.change()
  await settle()
  stream.close(1234)
  expect([seen.ends, seen.disconnects]).toEqual([[undefined], 1])
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

test('a stream may end in a tick of its own (8.3)', async () => {
  const streams = new EventStreams()
  const { clock, advance } = createClock()
  const other = createTicked()
  const leave = streams.add('a', { tick: () => leave(), close: () => {} }, clock)
  streams.add('a', other.stream, clock)
  await advance()
  expect([streams.size, other.seen.ticks]).toEqual([1, 1])
})

test('a tick of many lets everything else run in between (attack 71)', async () => {
  const streams = new EventStreams()
  const { clock, advance } = createClock(1)
  const made = Array.from({ length: 5 }, createTicked)
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

test('after two milliseconds of handing over results, everything else that waits goes first (attack 71)', async () => {
  const { seen, read } = createReads({ takeMs: 0.5 })
  const all = Promise.all(upTo(10).map((asker) => read(asker)))
  const taken: number[] = []
  for (let round = 0; round < 5; round += 1) {
    await settle()
    taken.push(seen.taken)
  }
  await all
  expect([taken, sizes(seen)]).toEqual([[0, 4, 8, 10, 10], [10]])
})

test('between two groups everything else that waits goes first (attack 71)', async () => {
  const { seen, read } = createReads()
  const all = Promise.all(upTo(2 * GROUP).map((asker) => read(asker)))
  const order: string[] = []
  for (let round = 0; round < 4; round += 1) {
    await settle()
    order.push(`${seen.groups.length} groups, ${seen.taken} taken`)
  }
  await all
  expect(order).toEqual([
    '1 groups, 0 taken',
    `1 groups, ${GROUP} taken`,
    `2 groups, ${GROUP} taken`,
    `2 groups, ${2 * GROUP} taken`,
  ])
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

test('a defect of one that is given a failure ends the work, and the next one is read (attack 72)', async () => {
  const { seen, reads, read } = createReads()
  const defect = () => {
    throw new Error('a defect')
  }
  reads.read(1, { begin: () => true, take: defect, fail: defect })
  await expect(seen.works[0]).rejects.toThrow('a defect')
  expect(await read(2)).toBe(4)
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

test('a stream that opens is read before all open ones (HTML 9.2)', async () => {
  const { seen, read, readFirst } = createReads()
  const streams = upTo(2 * GROUP).map((asker) => read(asker))
  expect(await Promise.all([readFirst(1001), readFirst(1002)])).toEqual([2002, 2004])
  await Promise.all(streams)
  expect(sizes(seen)).toEqual([GROUP, GROUP, 2])
  expect(seen.groups[0]?.slice(0, 3)).toEqual([1001, 1002, 0])
})

test('nothing is read if nobody in the group wants it any more (attack 71)', async () => {
  const { seen, read } = createReads()
  void read(1, () => false)
  await seen.works[0]
  expect(seen.groups).toEqual([])
  const [second] = [read(2), read(3, () => false)]
  expect(await second).toBe(4)
  expect(seen.groups).toEqual([[2]])
})

test('the work lasts until no one asks, and then begins again (attack 73)', async () => {
  const { seen, read } = createReads()
  await Promise.all(upTo(2 * GROUP).map((asker) => read(asker)))
  expect(seen.works).toHaveLength(1)
  await seen.works[0]
  await read(1)
  expect(seen.works).toHaveLength(2)
})
