import { setImmediate as settle } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inSlices } from '../../../src/bff/events/streams.ts'

/** @returns the number done of five items, of `workMs` each, after each iteration of the event loop */
async function progressOf(workMs: number) {
  let nowMs = 1000
  const done: number[] = []
  const all = inSlices(
    [1, 2, 3, 4, 5],
    () => nowMs,
    (item) => {
      done.push(item)
      nowMs += workMs
    },
  )
  const counts = [done.length]
  while (counts.at(-1) !== 5) {
    await settle()
    counts.push(done.length)
  }
  await all
  expect(done).toEqual([1, 2, 3, 4, 5])
  return counts
}

test('after work of more than two milliseconds everything else that waits goes first (attack 71)', async () => {
  expect(await progressOf(9)).toEqual([1, 2, 3, 4, 5])
  expect(await progressOf(0)).toEqual([5])
})

test('a clock that is set back ends a slice too', async () => {
  expect(await progressOf(-3_600_000)).toEqual([1, 2, 3, 4, 5])
})

test('added items are included, removed ones are not, and a defect ends the work', async () => {
  const items = new Set([1, 2, 3])
  const done: number[] = []
  const all = inSlices(
    items,
    () => 0,
    (item) => {
      done.push(item)
      if (item === 1) items.delete(2)
      if (item === 3) items.add(4)
      if (item === 4) throw new Error('a defect')
    },
  )
  await expect(all).rejects.toThrow('a defect')
  expect(done).toEqual([1, 3, 4])
})
