import { setImmediate as settle } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { GroupedReads, type Recipient } from '../../../src/bff/events/grouped-reads.ts'

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

test('more than a group that open a stream are all read (HTML 9.2)', async () => {
  const { seen, readFirst } = createReads()
  const askers = upTo(GROUP + 8)
  expect(await Promise.all(askers.map((asker) => readFirst(asker)))).toEqual(doubled(askers))
  expect(sizes(seen)).toEqual([GROUP, 8])
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
