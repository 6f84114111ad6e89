import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MonthSnapshot } from '../../src/contract/quota.ts'
import { isLow, isUsedUp, leftOf, othersOf, segmentsOf, usedOf } from '../../src/contract/month-state.ts'
import { month } from '../web/_snapshot.ts'

const reading = (low: number, high: number) => ({ organization: { low, high, reading_age_ms: 0 } })
const SUSPECTED = { suspected: { age_ms: 0, reasons: [] } }

const { limit: _, ...unlimited } = month({ low: 5000, high: 5000 })

test.each<[Partial<MonthSnapshot>, string]>([
  [{ low: 79, high: 79 }, ''],
  [{ low: 79, high: 80 }, 'low'],
  [{ low: 99, high: 120 }, 'low'],
  [{ low: 100, high: 120 }, 'low, used up'],
  [{ low: 2, high: 2, ...reading(32, 34) }, ''],
  [{ low: 2, high: 2, ...reading(70, 80) }, 'low'],
  [{ low: 2, high: 2, ...reading(100, 101) }, 'low, used up'],
  [{ low: 2, high: 2, ...SUSPECTED }, 'used up'],
  [{ low: 2, high: 2, ...reading(32, 34), ...SUSPECTED }, 'used up'],
  [{ ...unlimited, limit: undefined as never }, ''],
])('%o is %j (8.3)', (changes, words) => {
  const of = month(changes)
  expect([isLow(of) && 'low', isUsedUp(of) && 'used up'].filter(Boolean).join(', ')).toBe(words)
})

test('the requests of this app count as used, even if the reading is lower (C18)', () => {
  expect(usedOf(month({ low: 5, high: 7, ...reading(3, 4) }))).toEqual({ low: 5, high: 5 })
  expect(usedOf(month({ low: 5, high: 7, ...reading(98, 119) }))).toEqual({ low: 98, high: 100 })
  expect(usedOf(month({ low: 5, high: 7, ...reading(104, 119) }))).toEqual({ low: 104, high: 104 })
})

test('others have used the requests of the reading that this app has not sent (C23)', () => {
  expect(othersOf(month({ low: 2, high: 3 }))).toBeUndefined()
  expect(othersOf(month({ low: 2, high: 3, ...reading(32, 36) }))).toEqual({ low: 29, high: 34 })
})

const counts = fc.record({
  own: fc.tuple(fc.nat(300), fc.nat(50)),
  reading: fc.option(fc.tuple(fc.nat(300), fc.nat(50)), { nil: undefined }),
  limit: fc.nat(200),
})

test('the segments fill no more than the limit, and the number left is never below zero (8.3)', () => {
  fc.assert(
    fc.property(counts, ({ own, reading: read, limit }) => {
      const drawn = month({
        low: own[0],
        high: own[0] + own[1],
        ...(read && reading(read[0], read[0] + read[1])),
      })
      const segments = segmentsOf(drawn, limit)
      const parts = [segments.own, segments.others, segments.uncertain]
      expect(parts.every((part) => part >= 0)).toBe(true)
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(Math.min(limit, usedOf(drawn).high))
      const left = leftOf(drawn, limit)
      expect(left.low).toBeGreaterThanOrEqual(0)
      expect(left.high).toBeGreaterThanOrEqual(left.low)
    }),
  )
})

test('what is left is between what surely is and what may be, and none is beyond the limit (8.3)', () => {
  expect(leftOf(month(reading(32, 34)), 100)).toEqual({ low: 66, high: 68 })
  expect(leftOf(month(reading(99, 103)), 100)).toEqual({ low: 0, high: 1 })
})

test('the rest of the bar is not known without a reading, and after a refusal (D5)', () => {
  expect(segmentsOf(month({ low: 99, high: 99 }), 100).isRestUnknown).toBe(true)
  expect(segmentsOf(month({ low: 100, high: 105 }), 100).isRestUnknown).toBe(false)
  expect(segmentsOf(month(reading(32, 34)), 100).isRestUnknown).toBe(false)
  expect(segmentsOf(month({ ...reading(32, 34), ...SUSPECTED }), 100).isRestUnknown).toBe(true)
})
