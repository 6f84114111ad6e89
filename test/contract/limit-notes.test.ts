import { expect, test } from 'vitest'
import { DAY_MS } from '../../src/contract/duration.ts'
import { laterPause, pauseLeftMs, type StoredPause, suspicionAt } from '../../src/contract/limit-notes.ts'

const pause = (untilMs: number): StoredPause => ({ code: 'rate_limited', reasons: [], untilMs })

test('a suspicion ends on time, and one longer than a month is from before a clock change (8.3, attack 35)', () => {
  const suspicion = { reasons: [], sinceMs: 0, untilMs: 40 * DAY_MS }
  const { untilMs } = suspicion
  expect(suspicionAt(suspicion, untilMs - 1)).toBe(suspicion)
  expect([suspicionAt(suspicion, untilMs), suspicionAt(suspicion, 0)]).toEqual([undefined, undefined])
  expect(suspicionAt(undefined, 0)).toBeUndefined()
})

test('a pause longer than possible is from before a clock change, and is over (8.2, 8.3, attack 35)', () => {
  const at = (code: StoredPause['code'], untilMs: number) => pauseLeftMs({ code, reasons: [], untilMs }, 1000)
  expect([71_000, 71_001, 1000].map((untilMs) => at('rate_limited', untilMs))).toEqual([70_000, 0, 0])
  expect([at('month_suspected', DAY_MS + 1000), at('month_suspected', 34 * DAY_MS)]).toEqual([DAY_MS, 0])
  expect(pauseLeftMs(undefined, 1000)).toBe(0)
})

test('the pause that ends later remains, whichever came first; of two equal ones the second does (8.2)', () => {
  const [short, long] = [pause(1000), pause(2000)]
  const later = (known?: StoredPause, next?: StoredPause) => laterPause(known, next, 0)
  expect(later(short, long)).toBe(long)
  expect(later(long, short)).toBe(long)
  expect(later(pause(1000), short)).toBe(short)
  expect(later(undefined, short)).toBe(short)
  expect(later(short, undefined)).toBe(short)
  expect(later(undefined, undefined)).toBeUndefined()
  // One that a fast clock has dated does not stand in the way.
  expect(later(pause(7_200_000), short)).toBe(short)
})
