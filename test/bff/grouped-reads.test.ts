import { setImmediate as settle } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { GroupedReads } from '../../src/bff/grouped-reads.ts'

const GROUP = 32

/** Reads that take some milliseconds of a clock for each group, and double what they are asked. */
function createReads({ groupMs = 0, failing }: { groupMs?: number; failing?: number } = {}) {
  const seen = { groups: [] as number[][], works: [] as Promise<void>[], nowMs: 0 }
  const reads = new GroupedReads<number, number>({
    async readAll(askers) {
      seen.groups.push([...askers])
      seen.nowMs += groupMs
      if (askers.includes(-1)) throw new Error('all fail')
      return Promise.allSettled(
        askers.map(async (asker) => {
          if (asker === failing) throw new Error(`${asker} fails`)
          return 2 * asker
        }),
      )
    },
    now: () => seen.nowMs,
    onWork: (work) => void seen.works.push(work),
  })
  /** As a stream does: it waits, and then reads. */
  const read = (asker: number, onGo = () => {}) =>
    new Promise<number>((resolve, reject) => {
      reads.wait(() => {
        onGo()
        reads.read(asker).then(resolve, reject)
      })
    })
  return { seen, read, reads }
}

const upTo = (count: number) => Array.from({ length: count }, (_, nth) => nth)
const sizes = ({ groups }: { groups: number[][] }) => groups.map(({ length }) => length)

test('those who ask at the same time are read together, and each gets its own (8.3)', async () => {
  const { seen, read } = createReads()
  const askers = upTo(150)
  expect(await Promise.all(askers.map((asker) => read(asker)))).toEqual(askers.map((asker) => 2 * asker))
  expect(sizes(seen)).toEqual([GROUP, GROUP, GROUP, GROUP, 22])
  expect(seen.groups.flat()).toEqual(askers)
})

test('when groups have taken five milliseconds, everything else that waits goes first (attack 71)', async () => {
  const { seen, read } = createReads({ groupMs: 2.5 })
  const all = Promise.all(upTo(5 * GROUP).map((asker) => read(asker)))
  const done: number[] = []
  for (let turn = 0; turn < 3; turn += 1) {
    await settle()
    done.push(seen.groups.length)
  }
  await all
  expect([done, sizes(seen)]).toEqual([[2, 4, 5], upTo(5).map(() => GROUP)])
})

test('one that fails does not fail the others, and a group that fails not the next one (attack 72)', async () => {
  const { read } = createReads({ failing: 3 })
  const some = await Promise.allSettled(upTo(5).map((asker) => read(asker)))
  expect(some.map(({ status }) => status === 'fulfilled')).toEqual([true, true, true, false, true])
  const all = await Promise.allSettled([-1, ...upTo(GROUP)].map((asker) => read(asker)))
  expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(GROUP)
  expect(all.at(-1)).toEqual({ status: 'fulfilled', value: 2 * (GROUP - 1) })
  expect(await read(7)).toBe(14)
})

test('a reading begins when its group does, and what is asked meanwhile is read afterwards (HTML 9.2)', async () => {
  const { seen, read } = createReads()
  const started: string[] = []
  let later: Promise<number> | undefined
  const first = read(1, () => {
    started.push('first')
    later = read(2, () => started.push('later'))
  })
  expect(started).toEqual([])
  expect([await first, await later, started]).toEqual([2, 4, ['first', 'later']])
  expect(seen.groups).toEqual([[1], [2]])
})

test('one that has nothing to wait for reads in the next group (HTML 9.2)', async () => {
  const { seen, read, reads } = createReads()
  expect(await Promise.all([read(1), reads.read(2), read(3)])).toEqual([2, 4, 6])
  expect(seen.groups).toEqual([[2, 1, 3]])
})

test('more than a group that have nothing to wait for are all read (HTML 9.2)', async () => {
  const { seen, reads } = createReads()
  const askers = upTo(GROUP + 8)
  expect(await Promise.all(askers.map((asker) => reads.read(asker)))).toEqual(
    askers.map((asker) => 2 * asker),
  )
  expect(sizes(seen)).toEqual([GROUP, 8])
})

test('where those whose turn it is read nothing, nothing is read (attack 71)', async () => {
  const { seen, reads } = createReads()
  await new Promise<void>((resolve) => reads.wait(resolve))
  await seen.works[0]
  expect(seen.groups).toEqual([])
})

test('the work lasts until no one asks, and then begins again (attack 73)', async () => {
  const { seen, read } = createReads()
  await Promise.all(upTo(2 * GROUP).map((asker) => read(asker)))
  expect(seen.works).toHaveLength(1)
  await seen.works[0]
  await read(1)
  expect(seen.works).toHaveLength(2)
})
