import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { forecastOf } from '../../src/contract/forecast.ts'
import { leftOf, monthState } from '../../src/contract/month-state.ts'
import { pauseOf } from '../../src/contract/pause.ts'
import type { Forecast, MonthSnapshot, Pause, QuotaSnapshot } from '../../src/contract/quota.ts'
import { type Verdict, verdictOf, type VerdictState } from '../../src/contract/verdict.ts'
import { month, snapshot, window_ } from '../web/_snapshot.ts'
import { anyInterval, anySnapshot } from './_any-quota.ts'

const DAY_MS = 86_400_000
const reading = (low: number, high = low) => ({ organization: { low, high, reading_age_ms: 0 } })
const forecast = (state: Forecast['state'], more: Partial<Forecast> = {}) => ({
  forecast: { state, early: false, ...more },
})
const PACE = { allowance_per_day: 6, ...forecast('on_pace') }
const SUSPECTED = { suspected: { age_ms: 0, reasons: [] } }
const RUNS_OUT = forecast('runs_out', { runs_out_in_ms: DAY_MS })
const PAUSE: Pause = { code: 'rate_limited', ends_in_ms: 50_000, reasons: [{ code: 'payment_asked' }] }
const PAUSED = { pauses: [PAUSE] }
const { limit: _, plan: __, ...unseen } = month()
const USED_UP_MINUTE = { read: window_({ remaining: 0, reset_in_ms: 22_000 }) }

const verdict = (changes: Partial<MonthSnapshot>, rest: Partial<QuotaSnapshot> = {}, elapsedMs = 0) =>
  verdictOf(snapshot({ month: month({ ...PACE, ...changes }), ...rest }), elapsedMs)
const withoutLimit = (changes: Partial<MonthSnapshot>, rest: Partial<QuotaSnapshot> = {}) =>
  verdictOf(snapshot({ month: { ...unseen, ...changes }, ...rest }))

test.each<[string, Partial<MonthSnapshot>, Verdict]>([
  ['used up by this app', { low: 100, high: 100 }, { state: 'used_up' }],
  ['used up by the reading', reading(100), { state: 'used_up' }],
  ['not while only its upper end is over', reading(90, 110), { state: 'low', perDay: 6 }],
  ['a refusal, whatever was counted', { ...reading(3), ...SUSPECTED }, { state: 'suspected' }],
  ['a refusal comes before a count', { ...reading(100), ...SUSPECTED }, { state: 'suspected' }],
  ['between two months', { ...reading(30), may_have_reset: true }, { state: 'may_have_reset' }],
  ['between two months, without a reading', { may_have_reset: true }, { state: 'may_have_reset' }],
  ['without a reading', {}, { state: 'unread' }],
  ['without a reading, near the end', { low: 98, high: 98, ...RUNS_OUT }, { state: 'unread' }],
  ['an old reading', { ...reading(30), ...forecast('stale') }, { state: 'stale' }],
  ['an old reading of nearly all', { ...reading(90), ...forecast('stale') }, { state: 'stale' }],
  ['a run-out', { ...reading(30), ...RUNS_OUT }, { state: 'runs_out', inMs: DAY_MS, isEarly: false }],
  [
    'a run-out is more than low',
    { ...reading(90), ...RUNS_OUT, allowance_per_day: 0 },
    { state: 'runs_out', inMs: DAY_MS, isEarly: false },
  ],
  [
    'an early run-out',
    { ...reading(30), ...forecast('runs_out', { early: true, runs_out_in_ms: 5 }) },
    { state: 'runs_out', inMs: 5, isEarly: true },
  ],
  ['80 of 100 used', reading(70, 80), { state: 'low', perDay: 6 }],
  ['79 of 100 used', reading(70, 79), { state: 'on_track', perDay: 6 }],
  ['less than one a day', { ...reading(30), allowance_per_day: 0 }, { state: 'low', perDay: 0 }],
  ['low, although it lasts', { ...reading(85), ...forecast('under') }, { state: 'low', perDay: 6 }],
  ['low and tight', { ...reading(85), ...forecast('over') }, { state: 'low', perDay: 6 }],
  ['into the reserve', { ...reading(30), ...forecast('over') }, { state: 'tight', perDay: 6 }],
  ['too early', { ...reading(30), ...forecast('too_early') }, { state: 'early', perDay: 6 }],
  ['on pace', reading(30), { state: 'on_track', perDay: 6 }],
  ['below the pace', { ...reading(30), ...forecast('under') }, { state: 'on_track', perDay: 6 }],
  [
    'an early pace',
    { ...reading(30), ...forecast('on_pace', { early: true }) },
    { state: 'on_track', perDay: 6 },
  ],
])('the verdict: %s (8.3)', (_name, changes, expected) => {
  expect(verdict(changes)).toEqual(expected)
})

test('without a limit the verdict is that there is none, or that none was seen yet (8.3)', () => {
  expect(withoutLimit({ plan: 'business' })).toEqual({ state: 'unlimited' })
  expect(withoutLimit({ plan: 'business', may_have_reset: true })).toEqual({ state: 'unlimited' })
  expect(withoutLimit({})).toEqual({ state: 'unseen' })
  expect(withoutLimit({ plan: 'business', ...SUSPECTED })).toEqual({ state: 'suspected' })
})

test('a month that is used up, or seems so, comes before a pause, which ends sooner (8.3)', () => {
  expect(verdict({ low: 100, high: 100 }, PAUSED)).toEqual({ state: 'used_up' })
  expect(verdict(SUSPECTED, PAUSED)).toEqual({ state: 'suspected' })
})

test.each<[string, Verdict]>([
  ['a pace', verdict(reading(30), PAUSED)],
  ['a run-out', verdict({ ...reading(30), ...RUNS_OUT }, PAUSED)],
  ['no reading', verdict({}, PAUSED)],
  ['no limit', withoutLimit({ plan: 'business' }, PAUSED)],
  ['no limit seen', withoutLimit({}, PAUSED)],
  ['a month that may be over', verdict({ may_have_reset: true }, PAUSED)],
])('a pause comes before %s, with its time and reasons (7, 8.4)', (_name, paused) => {
  expect(paused).toEqual({ state: 'paused', endsInMs: 50_000, reasons: PAUSE.reasons })
})

test('a used-up minute of reads is a pause until its reset, and one of updates is none (8.2)', () => {
  expect(verdict(reading(30), USED_UP_MINUTE, 2000)).toEqual({
    state: 'paused',
    endsInMs: 20_000,
    reasons: [{ code: 'minute_used_up' }],
  })
  expect(verdict(reading(30), USED_UP_MINUTE, 22_000).state).toBe('on_track')
  expect(verdict(reading(30), { update: window_({ remaining: 0 }) }).state).toBe('on_track')
  expect(verdict(reading(30), { pauses: [{ ...PAUSE, code: 'month_suspected' }] }).state).toBe('on_track')
})

test('the run-out comes nearer while the page is open, and never lies in the past (8.3)', () => {
  const after = (elapsedMs: number) => verdict({ ...reading(30), ...RUNS_OUT }, {}, elapsedMs)
  expect(after(1000)).toEqual({ state: 'runs_out', inMs: DAY_MS - 1000, isEarly: false })
  expect(after(2 * DAY_MS)).toEqual({ state: 'runs_out', inMs: 0, isEarly: false })
})

test('a month whose forecast is absent promises nothing (8.3)', () => {
  const { allowance_per_day: _a, forecast: _f, ...bare } = month({ ...PACE, ...reading(30) })
  expect(verdictOf(snapshot({ month: bare }))).toEqual({ state: 'low', perDay: 0 })
  expect(verdictOf(snapshot({ month: { ...bare, allowance_per_day: 4 } }))).toEqual({
    state: 'early',
    perDay: 4,
  })
  const runsOut = { ...bare, ...forecast('runs_out') }
  expect(verdictOf(snapshot({ month: runsOut }))).toEqual({ state: 'runs_out', inMs: 0, isEarly: false })
})

/** Since the snapshot came. */
const anyTime = fc.oneof(fc.nat(100_000), fc.nat(30 * DAY_MS), fc.constant(Infinity))

const STATES: Record<VerdictState, 'stops' | 'forecast' | 'neither'> = {
  used_up: 'stops',
  suspected: 'stops',
  paused: 'stops',
  runs_out: 'forecast',
  low: 'forecast',
  tight: 'forecast',
  early: 'forecast',
  on_track: 'forecast',
  stale: 'neither',
  unread: 'neither',
  may_have_reset: 'neither',
  unlimited: 'neither',
  unseen: 'neither',
}

test('any snapshot has a verdict at any time, whose numbers are finite and not negative (8.2, 8.3)', () => {
  fc.assert(
    fc.property(anySnapshot, anyTime, (quota, elapsedMs) => {
      const found = verdictOf(quota, elapsedMs)
      expect(Object.keys(STATES)).toContain(found.state)
      const numbers = Object.values(found).filter((value) => typeof value === 'number')
      expect(numbers.every((value) => value >= 0 && value < Infinity)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('whatever stops a person now is the verdict, and nothing else says that it does (7, 8.2, 8.3)', () => {
  fc.assert(
    fc.property(anySnapshot, anyTime, (quota, elapsedMs) => {
      const found = verdictOf(quota, elapsedMs)
      const state = monthState(quota.month)
      const endsInMs = pauseOf(quota, elapsedMs)?.endsInMs
      const stops = state === 'none' || state === 'suspected' || endsInMs !== undefined
      expect(STATES[found.state] === 'stops').toBe(stops)
      expect(found.state === 'paused' ? found.endsInMs : endsInMs).toBe(endsInMs)
    }),
    { numRuns: 2000 },
  )
})

test('without a reading, and between two months, nothing is forecast (8.3)', () => {
  fc.assert(
    fc.property(anySnapshot, anyTime, (quota, elapsedMs) => {
      fc.pre(quota.month.organization === undefined || quota.month.may_have_reset)
      expect(STATES[verdictOf(quota, elapsedMs).state]).not.toBe('forecast')
    }),
    { numRuns: 2000 },
  )
})

test('the requests a day, on each day until the reset, are never more than are left (8.3)', () => {
  const endMs = Date.UTC(2026, 11, 1)
  const made = fc.record({
    used: anyInterval,
    limit: fc.nat(200),
    reserve: fc.nat(20),
    aheadMs: fc.nat(29 * DAY_MS),
  })
  fc.assert(
    fc.property(made, ({ used, limit, reserve, aheadMs }) => {
      const nowMs = endMs - aheadMs
      const startMs = endMs - 30 * DAY_MS
      const so = { nowMs, startMs, endMs, used, limit, reserve, days: [], rows: 3, readingAgeMs: 0 }
      const shown = month({ ...used, limit, organization: { ...used, reading_age_ms: 0 }, ...forecastOf(so) })
      const found = verdictOf(snapshot({ month: shown }))
      fc.pre('perDay' in found)
      expect(found.perDay * Math.max(1, Math.ceil(aheadMs / DAY_MS))).toBeLessThanOrEqual(
        leftOf(shown, limit).low,
      )
    }),
    { numRuns: 2000 },
  )
})
