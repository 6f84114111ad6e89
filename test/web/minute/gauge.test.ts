import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WindowSnapshot } from '../../../src/contract/quota.ts'
import { gaugeValues } from '../../../src/web/minute/gauge.ts'
import { UNSEEN, window_ } from '../_snapshot.ts'

test.each([
  [37, 'plenty', 37, 0],
  [12, 'low', 12, 0],
  [13, 'plenty', 13, 0],
  [0, 'none', 0, 0],
  [-4, 'none', 0, 4],
])('%i of 60 left is %s', (remaining, state, shown, overBy) => {
  expect(gaugeValues(window_({ remaining }), 0)).toMatchObject({ state, remaining: shown, overBy })
})

test('a count above the limit fills the bar, is shown as it came, and is marked (B4)', () => {
  const minute = gaugeValues(window_({ remaining: 61, inconsistent: true }), 0)
  expect(minute).toMatchObject({ remaining: 61, limit: 60, share: 1, inconsistent: true })
})

test('0 of 0 is valid (B2)', () => {
  expect(gaugeValues(window_({ limit: 0, remaining: 0 }), 0)).toMatchObject({
    state: 'none',
    share: 0,
    limit: 0,
  })
})

test('a class that was never seen has no number, and the limit of the plan (B24)', () => {
  const minute = gaugeValues(UNSEEN, 5000, { limit: 15 })
  expect(minute).toMatchObject({ state: 'unseen', limit: 15, share: 0 })
  expect(minute.remaining).toBeUndefined()
})

test('when the countdown ends the number disappears, and nothing replaces it (B26)', () => {
  expect(gaugeValues(window_(), 21_999)).toMatchObject({ state: 'plenty', countdownMs: 0 })
  const over = gaugeValues(window_(), 22_000)
  expect(over).toMatchObject({ state: 'reset', share: 0, limit: 60 })
  expect([over.remaining, over.countdownMs]).toEqual([undefined, undefined])
})

test('an open window without a number is shown as unreported', () => {
  const { remaining: _, ...unreported } = window_()
  expect(gaugeValues(unreported, 0).state).toBe('unreported')
})

test('requests in flight, of this page and of others, make a prediction beside the measurement (B17, B30)', () => {
  const minute = gaugeValues(window_({ in_flight: 1 }), 0, { sending: 1 })
  expect(minute).toMatchObject({ inFlight: 2, remaining: 37, expected: 35, state: 'plenty' })
  expect(minute.share).toBeCloseTo(35 / 60)
  expect(minute.flightShare).toBeCloseTo(2 / 60)
  expect(gaugeValues(window_({ remaining: 1, in_flight: 3 }), 0)).toMatchObject({ expected: 0, share: 0 })
  expect(gaugeValues(window_(), 0)).toMatchObject({ expected: 37, flightShare: 0 })
})

test.each([
  [61_999, 0, 60_000],
  [61_000, 0, 60_000],
  [61_000, 500, 59_500],
  [1500, 1000, 0],
  [65_000, 0, 60_000],
  [66_001, 0, 65_001],
])(
  'a window that ends in %d ms counts down, after %d ms, from %d ms',
  (resetInMs, elapsedMs, countdownMs) => {
    expect(gaugeValues(window_({ reset_in_ms: resetInMs }), elapsedMs)).toMatchObject({ countdownMs })
  },
)

test('a reset that has nothing to give back has no countdown (8.2)', () => {
  const of = (changes: Partial<WindowSnapshot>) => gaugeValues(window_(changes), 0).countdownMs
  expect(of({ remaining: 60 })).toBeUndefined()
  expect(of({ remaining: 61 })).toBeUndefined()
  expect(of({ remaining: 60, in_flight: 1 })).toBe(21_000)
  const { limit: _, ...unlimited } = window_({ remaining: 60 })
  expect(gaugeValues(unlimited, 0).countdownMs).toBe(21_000)
})

test('without a reset there is no countdown, and only an open window has a former limit (B1, B28)', () => {
  const { reset_in_ms: _, ...unlimited } = window_({ limit_before: 600 })
  expect(gaugeValues(unlimited, 0)).toMatchObject({ countdownMs: undefined, limitBefore: 600 })
  expect(gaugeValues(window_({ limit_before: 600 }), 22_000).limitBefore).toBeUndefined()
})

test.each([
  ['a window is open', {}, 0, false],
  ['an answer came within the minute', { known: 'expired' as const, age_ms: 59_000 }, 999, false],
  ['a minute has passed since', { known: 'expired' as const, age_ms: 59_000 }, 1000, true],
  ['an answer reported nothing', { known: 'unseen' as const, age_ms: 90_000, silent_ms: 59_000 }, 999, false],
  ['a request is in flight', { known: 'unseen' as const, age_ms: 90_000, in_flight: 1 }, 0, false],
  ['none ever came', UNSEEN, 0, true],
])('while %s the minute is idle: %4$s', (_, changes, elapsedMs, isIdle) => {
  const { age_ms: __, ...base } = window_()
  expect(gaugeValues({ ...base, ...changes }, elapsedMs).isIdle).toBe(isIdle)
})

test('no snapshot gives a number below zero, or a bar longer than its frame (B7)', () => {
  const window = fc.record(
    {
      known: fc.constantFrom<WindowSnapshot['known'][]>('measured', 'expired', 'unseen'),
      limit: fc.nat(),
      remaining: fc.integer(),
      reset_in_ms: fc.nat(),
      age_ms: fc.nat(),
      in_flight: fc.nat(),
    },
    { requiredKeys: ['known', 'in_flight'] },
  )
  fc.assert(
    fc.property(window, fc.nat(), (made, elapsedMs) => {
      const { overBy: _, ...minute } = gaugeValues({ ...UNSEEN, ...made }, elapsedMs)
      const numbers = Object.values(minute).filter((value) => typeof value === 'number')
      expect(numbers.every((value) => Number.isFinite(value) && value >= 0)).toBe(true)
      expect(minute.share).toBeLessThanOrEqual(1)
    }),
  )
})
