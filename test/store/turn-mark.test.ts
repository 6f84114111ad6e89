import { stat } from 'node:fs'
import { nextTick } from 'node:process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { TurnMark } from '../../src/store/turn-mark.ts'

test('a mark is set until the turn of the event loop has ended, and can be set again', async () => {
  await nextTurn()
  const mark = new TurnMark()
  const seen = [mark.isSet]
  for (let round = 0; round < 2; round += 1) {
    mark.set()
    await Promise.resolve()
    seen.push(mark.isSet)
    await new Promise(nextTick)
    seen.push(mark.isSet)
    await nextTurn()
    seen.push(mark.isSet)
  }
  expect(seen).toEqual([false, true, true, false, true, true, false])
})

test('a mark that is set at the end of a turn is not set for what arrives after it', async () => {
  await nextTurn()
  const mark = new TurnMark()
  mark.set()
  const order: unknown[] = []
  setImmediate(() => order.push('the end of the next turn'))
  const arrived = new Promise<void>((resolve) => {
    stat('.', () => {
      order.push(mark.isSet)
      resolve()
    })
  })
  // It arrives meanwhile, and is worked on at the beginning of the next turn.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  await arrived
  await nextTurn()
  expect(order).toEqual([false, 'the end of the next turn'])
})
