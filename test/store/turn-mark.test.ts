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
