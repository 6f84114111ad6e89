import { stat } from 'node:fs'
import { nextTick } from 'node:process'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { IterationFlag } from '../../../src/store/sqlite/iteration-flag.ts'

test('a flag is set until the iteration of the event loop has ended, and can be set again', async () => {
  await nextIteration()
  const mark = new IterationFlag()
  const seen = [mark.isSet]
  for (let round = 0; round < 2; round += 1) {
    mark.set()
    await Promise.resolve()
    seen.push(mark.isSet)
    await new Promise(nextTick)
    seen.push(mark.isSet)
    await nextIteration()
    seen.push(mark.isSet)
  }
  expect(seen).toEqual([false, true, true, false, true, true, false])
})

test('a flag that is set at the end of an iteration is not set for requests that arrive after it', async () => {
  await nextIteration()
  const mark = new IterationFlag()
  mark.set()
  const order: unknown[] = []
  setImmediate(() => order.push('the end of the next iteration'))
  const arrived = new Promise<void>((resolve) => {
    stat('.', () => {
      order.push(mark.isSet)
      resolve()
    })
  })
  // It arrives meanwhile, and is handled at the beginning of the next iteration.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  await arrived
  await nextIteration()
  expect(order).toEqual([false, 'the end of the next iteration'])
})
