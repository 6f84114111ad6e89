import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { forecastOf, type MonthSoFar } from '../../src/contract/forecast.ts'
import { type Forecast } from '../../src/contract/quota.ts'

const DAY_MS = 86_400_000
const START_MS = Date.UTC(2026, 10, 1)
const END_MS = Date.UTC(2026, 11, 1)

/** Standard, `days` days into a month of 30. `perDay`: the upper end of each day, the first day first. */
function month(days: number, high: number, perDay: number[], more: Partial<MonthSoFar> = {}): MonthSoFar {
  return {
    nowMs: START_MS + days * DAY_MS,
    startMs: START_MS,
    endMs: END_MS,
    used: { low: high, high },
    limit: 100,
    reserve: 10,
    days: perDay.map((count, at) => ({ startMs: START_MS + at * DAY_MS, count })),
    rows: high,
    ...more,
  }
}
const evenly = (days: number, perDay: number) => Array.from<number>({ length: days }).fill(perDay)

test.each<[string, MonthSoFar, number]>([
  ['10 days left share what the reserve leaves of 40', month(20, 60, []), 3],
  ['9.4 days left are 10', month(20.6, 60, []), 3],
  ['the upper end counts as used', month(20, 60, [], { used: { low: 0, high: 71 } }), 1],
  ['half a day is one', month(29.5, 60, []), 30],
  ['after the earliest reset there is still a day', month(31, 60, []), 30],
  ['within the reserve it is 0', month(20, 95, []), 0],
  ['over the limit it is 0', month(20, 130, []), 0],
  ['without a reserve the last request is shared, too', month(20, 90, [], { reserve: 0 }), 1],
])('the allowance a day: %s (8.3)', (_, input, expected) => {
  expect(forecastOf(input).allowance_per_day).toBe(expected)
})

test.each<[string, MonthSoFar, Forecast]>([
  ['in the first 3 % nothing', month(0.89, 40, [40]), { state: 'too_early', early: true }],
  ['with 2 rows nothing', month(20, 50, [], { rows: 2 }), { state: 'too_early', early: false }],
  [
    'a reading counts what the rows do not',
    month(20, 60, [], { rows: 2, readingAgeMs: 0 }),
    { state: 'on_pace', early: false },
  ],
  [
    'a reading of 2 with 2 rows says nothing',
    month(20, 2, [], { rows: 2, readingAgeMs: 0 }),
    { state: 'too_early', early: false },
  ],
  [
    'a low reading takes no row away',
    month(20, 0, [], { rows: 3, readingAgeMs: 0 }),
    { state: 'under', difference: 90, early: false },
  ],
  [
    'what may have been used is not seen',
    month(20, 0, [], { used: { low: 2, high: 60 }, rows: 0, readingAgeMs: 0 }),
    { state: 'too_early', early: false },
  ],
  ['from 3 % and 3 rows on it is early', month(0.9, 3, [3]), { state: 'over', difference: 10, early: true }],
  ['until 10 %', month(3, 9, evenly(3, 3)), { state: 'on_pace', early: false }],
  ['a limit that is used up is no forecast', month(0.1, 100, [100]), { state: 'used_up', early: true }],
  [
    'an old reading has no pace',
    month(20, 60, evenly(20, 3), { readingAgeMs: 5 * DAY_MS }),
    { state: 'stale', early: false },
  ],
  [
    'a younger one has',
    month(20, 60, evenly(20, 3), { readingAgeMs: 5 * DAY_MS - 1 }),
    { state: 'on_pace', early: false },
  ],
  [
    'what the pace leaves is named',
    month(15, 15, evenly(15, 1)),
    { state: 'under', difference: 60, early: false },
  ],
  ['2 of 100 are no difference', month(20, 61, []), { state: 'on_pace', early: false }],
  ['neither way', month(20, 58, [], { reserve: 11 }), { state: 'on_pace', early: false }],
  ['3 are', month(20, 58, []), { state: 'under', difference: 3, early: false }],
  ['into the reserve by 3', month(20, 62, []), { state: 'over', difference: 3, early: false }],
  ['of 10 one is none', month(15, 4, [], { limit: 10, reserve: 1 }), { state: 'on_pace', early: false }],
  [
    'of 10 two are one',
    month(15, 4, [], { limit: 10, reserve: 0 }),
    { state: 'under', difference: 2, early: false },
  ],
  [
    'to the last request at the reset is no run-out',
    month(15, 50, []),
    { state: 'over', difference: 10, early: false },
  ],
  [
    'nothing used leaves all but the reserve',
    month(15, 0, [], { rows: 3 }),
    { state: 'under', difference: 90, early: false },
  ],
])('the forecast: %s (8.3)', (_, input, expected) => {
  expect(forecastOf(input).forecast).toEqual(expected)
})

const LATE_WEEK = [...evenly(9, 0), ...evenly(6, 6)]

test.each<[string, MonthSoFar, days: number]>([
  ['60 of 100 after 15 of 30 days', month(15, 60, []), 10],
  ['early too', month(1, 20, [20]), 4],
  ['the last 7 days are faster than the month', month(15, 36, LATE_WEEK), 64 / 6],
  ['what others used is added to them at its mean', month(15, 51, LATE_WEEK), 49 / 7],
  [
    'this day is one of the 7, as far as it has passed',
    month(15.5, 56, [...evenly(9, 0), ...evenly(7, 8)]),
    44 / (56 / 6.5),
  ],
  ['the whole month is faster than they are', month(15, 60, [...evenly(3, 20), ...evenly(12, 0)]), 10],
  ['what may be used up', month(15, 120, [], { used: { low: 99, high: 120 } }), 0],
])('the run-out: %s (8.3)', (_, input, days) => {
  const { forecast } = forecastOf(input)
  expect(forecast.state).toBe('runs_out')
  expect((forecast.runs_out_in_ms ?? NaN) / DAY_MS).toBeCloseTo(days, 6)
})

const instant = fc.integer({ min: -2 * DAY_MS, max: 40 * DAY_MS }).map((ms) => START_MS + ms)
const requests = fc.nat(200)
const anyMonth: fc.Arbitrary<MonthSoFar> = fc
  .record(
    {
      nowMs: instant,
      startMs: instant,
      endMs: instant,
      used: fc.tuple(requests, requests).map(([low, more]) => ({ low, high: low + more })),
      limit: requests,
      reserve: fc.nat(100),
      days: fc.array(fc.record({ startMs: instant, count: requests }), { maxLength: 40 }),
      rows: fc.nat(5),
      readingAgeMs: fc.nat(10 * DAY_MS),
    },
    { requiredKeys: ['nowMs', 'startMs', 'endMs', 'used', 'limit', 'reserve', 'days', 'rows'] },
  )
  .map((input) => input as MonthSoFar)

test('any month has an allowance and a forecast with no run-out after reset (8.3)', () => {
  fc.assert(
    fc.property(anyMonth, (input) => {
      const { allowance_per_day, forecast } = forecastOf(input)
      expect(Math.min(allowance_per_day, forecast.difference ?? 0)).toBeGreaterThanOrEqual(0)
      expect(forecast.runs_out_in_ms ?? -Infinity).toBeLessThan(Math.max(0, input.endMs - input.nowMs))
    }),
    { numRuns: 2000 },
  )
})

test('the allowance, used on each day left, leaves the reserve (8.3)', () => {
  fc.assert(
    fc.property(anyMonth, (input) => {
      const { allowance_per_day } = forecastOf(input)
      fc.pre(allowance_per_day > 0)
      const daysLeft = Math.max(1, Math.ceil((input.endMs - input.nowMs) / DAY_MS))
      expect(input.used.high + daysLeft * allowance_per_day).toBeLessThanOrEqual(input.limit - input.reserve)
    }),
  )
})

/** Its end is not known to the hour, so it may have passed. */
const AFTER_ITS_END: MonthSoFar = {
  nowMs: START_MS + 1387,
  startMs: START_MS + 224,
  endMs: START_MS,
  used: { low: 0, high: 166 },
  limit: 48,
  reserve: 81,
  days: [],
  rows: 3,
}

test('one more request never makes the forecast better (8.3)', () => {
  const order: Forecast['state'][] = ['under', 'on_pace', 'over', 'runs_out', 'used_up']
  const rank = (input: MonthSoFar) => order.indexOf(forecastOf(input).forecast.state)
  fc.assert(
    fc.property(anyMonth, (input) => {
      const { low, high } = input.used
      const more = rank({ ...input, used: { low: low + 1, high: high + 1 } })
      expect(more === -1 ? rank(input) : more).toBeGreaterThanOrEqual(rank(input))
    }),
    { examples: [[AFTER_ITS_END]] },
  )
})
