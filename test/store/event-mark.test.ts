import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { EventMark } from '../../src/store/event-mark.ts'

test('a mark is set until all that follows from its event is done, and can be set again', async () => {
  await nextTurn()
  const mark = new EventMark()
  const seen = [mark.isSet]
  for (let event = 0; event < 2; event += 1) {
    mark.set()
    await Promise.resolve()
    seen.push(mark.isSet)
    await nextTurn()
    seen.push(mark.isSet)
  }
  expect(seen).toEqual([false, true, false, true, false])
})
