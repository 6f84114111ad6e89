import { nextTick } from 'node:process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { EventMark } from '../../src/store/event-mark.ts'

test.each([
  ['an event', nextTick, false],
  ['a turn', setImmediate, true],
])('a mark of %s is set until it has ended, and can be set again', async (_, later, outlivesEvent) => {
  await nextTurn()
  const mark = new EventMark(later)
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
  expect(seen).toEqual([false, true, outlivesEvent, false, true, outlivesEvent, false])
})
