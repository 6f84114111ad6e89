import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { forecastOf } from '../../src/contract/forecast.ts'
import { isUsedUp, leftOf } from '../../src/contract/month-state.ts'
import { pauseOf } from '../../src/contract/pause.ts'
import type { Forecast, MonthSnapshot, Pause, QuotaSnapshot } from '../../src/contract/quota.ts'
import { type Verdict, verdictOf } from '../../src/contract/verdict.ts'
import { month, snapshot, window_ } from '../web/_snapshot.ts'
import { anyInterval, anySnapshot } from './_any-quota.ts'

const DAY_MS = 86_400_000
const AT_MS = Date.UTC(2026, 10, 21, 12)
const RESET_MS = AT_MS + Math.round(month().resets_in_ms.latest / 60_000) * 60_000
const reading = (low: number, high = low) => ({ organization: { low, high, reading_age_ms: 0 } })
const forecast = (state: Forecast['state'], more: Partial<Forecast> = {}) => ({
  forecast: { state, early: false, ...more },
})
const PACE = { allowance_per_day: 6, ...forecast('on_pace') }
const SUSPECTED = { suspected: { age_ms: 5, reasons: [] } }
const RUNS_OUT = forecast('runs_out', { runs_out_in_ms: DAY_MS })
const TURNING = { may_have_reset: true }
const PAUSE: Pause = { code: 'rate_limited', ends_in_ms: 50_000, reasons: [{ code: 'payment_asked' }] }
const PAUSED = { pauses: [PAUSE] }
const { limit: _, plan: __, ...unseen } = month()
const USED_UP_MINUTE = { read: window_({ remaining: 0, reset_in_ms: 22_000 }) }

const verdict = (changes: Partial<MonthSnapshot>, rest: Partial<QuotaSnapshot> = {}, elapsedMs = 0) =>
  verdictOf(snapshot({ month: month({ ...PACE, ...changes }), ...rest }), AT_MS, elapsedMs)
const withoutLimit = (changes: Partial<MonthSnapshot>, rest: Partial<QuotaSnapshot> = {}) =>
  verdictOf(snapshot({ month: { ...unseen, ...changes }, ...rest }), AT_MS)

const used = (more: object = {}): Verdict => ({
  tone: 'none',
  key: 'used_up',
  params: { resetMs: RESET_MS, ...more },
})
const low = (perDay: number): Verdict => ({ tone: 'low', key: 'low', params: { perDay, resetMs: RESET_MS } })
const FINE: Verdict = { tone: 'ok', key: 'fine', params: { perDay: 6, resetMs: RESET_MS } }
const runsOut = (inMs: number, isEarly = false): Verdict => ({
  tone: 'low',
  key: 'runs_out',
  params: { onMs: AT_MS + inMs, resetMs: RESET_MS, isEarly },
})
const unsure = (why: object, isLow = false): Verdict => ({
  tone: isLow ? 'low' : 'unknown',
  key: 'unsure',
  params: { ...why, isLow },
})
const TURN: Verdict = { tone: 'unknown', key: 'turning', params: {} }

test.each<[string, Partial<MonthSnapshot>, Verdict]>([
  ['used up by this app', { low: 100, high: 100 }, used()],
  ['used up by the reading', reading(100), used()],
  ['not while only its upper end is over', reading(90, 110), low(6)],
  ['a refusal, whatever was counted', { ...reading(3), ...SUSPECTED }, used({ refusedAgoMs: 5 })],
  [
    'a refusal while the month turns',
    { ...SUSPECTED, ...TURNING },
    { tone: 'none', key: 'used_up', params: { refusedAgoMs: 5 } },
  ],
  ['while the month turns', { ...reading(30), ...TURNING }, TURN],
  ['while the month turns, without a reading', TURNING, TURN],
  ['without a reading', {}, unsure({ limit: 100 })],
  ['without a reading, near the end', { low: 98, high: 98, ...RUNS_OUT }, unsure({ limit: 100 }, true)],
  ['an old reading', { ...reading(30), ...forecast('stale') }, unsure({ ageMs: 0 })],
  ['an old reading of nearly all', { ...reading(90), ...forecast('stale') }, unsure({ ageMs: 0 }, true)],
  ['a run-out', { ...reading(30), ...RUNS_OUT }, runsOut(DAY_MS)],
  ['a run-out is more than low', { ...reading(90), ...RUNS_OUT, allowance_per_day: 0 }, runsOut(DAY_MS)],
  [
    'an early run-out',
    { ...reading(30), ...forecast('runs_out', { early: true, runs_out_in_ms: 5 }) },
    runsOut(5, true),
  ],
  ['80 of 100 used', reading(70, 80), low(6)],
  ['79 of 100 used', reading(70, 79), FINE],
  ['less than one a day', { ...reading(30), allowance_per_day: 0 }, low(0)],
  ['low, although it lasts', { ...reading(85), ...forecast('under') }, low(6)],
  ['into the reserve', { ...reading(30), ...forecast('over') }, low(6)],
  ['too early for a forecast', { ...reading(30), ...forecast('too_early') }, FINE],
  ['below the pace', { ...reading(30), ...forecast('under') }, FINE],
])('the verdict: %s (8.3)', (_name, changes, expected) => {
  expect(verdict(changes)).toEqual(expected)
})

test('without a limit the verdict is that there is none, or that none was seen yet (8.3)', () => {
  const unlimited: Verdict = { tone: 'ok', key: 'unlimited', params: {} }
  expect(withoutLimit({ plan: 'business' })).toEqual(unlimited)
  expect(withoutLimit({ plan: 'business', may_have_reset: true })).toEqual(unlimited)
  expect(withoutLimit({})).toEqual(unsure({}))
  expect(withoutLimit({ plan: 'business', ...SUSPECTED })).toEqual(used({ refusedAgoMs: 5 }))
})

test('a month that is used up, or seems so, comes before a pause, which ends sooner (8.3)', () => {
  expect(verdict({ low: 100, high: 100 }, PAUSED)).toEqual(used())
  expect(verdict(SUSPECTED, PAUSED)).toEqual(used({ refusedAgoMs: 5 }))
})

test.each<[string, Verdict]>([
  ['a pace', verdict(reading(30), PAUSED)],
  ['a run-out', verdict({ ...reading(30), ...RUNS_OUT }, PAUSED)],
  ['no reading', verdict({}, PAUSED)],
  ['no limit', withoutLimit({ plan: 'business' }, PAUSED)],
  ['no limit seen', withoutLimit({}, PAUSED)],
  ['a month that turns', verdict(TURNING, PAUSED)],
])('a pause comes before %s, with its time and reasons (7, 8.4)', (_name, paused) => {
  expect(paused).toEqual({
    tone: 'none',
    key: 'paused',
    params: { endsInMs: 50_000, reasons: PAUSE.reasons },
  })
})

test('a used-up minute of reads is a pause until its reset, and one of updates is none (8.2)', () => {
  const params = { endsInMs: 20_000, reasons: [{ code: 'minute_used_up' }] }
  expect(verdict(reading(30), USED_UP_MINUTE, 2000)).toMatchObject({ key: 'paused', params })
  expect(verdict(reading(30), USED_UP_MINUTE, 22_000)).toEqual(FINE)
  expect(verdict(reading(30), { update: window_({ remaining: 0 }) })).toEqual(FINE)
  expect(verdict(reading(30), { pauses: [{ ...PAUSE, code: 'month_suspected' }] })).toEqual(FINE)
})

test('while the page is open a run-out keeps its instant until that has come, and ages grow (8.3)', () => {
  const after = (elapsedMs: number, changes: object = RUNS_OUT) =>
    verdict({ ...reading(30), ...changes }, {}, elapsedMs)
  expect(after(1000)).toEqual(runsOut(DAY_MS))
  expect(after(2 * DAY_MS)).toEqual(runsOut(2 * DAY_MS))
  expect(after(1000, forecast('stale'))).toEqual(unsure({ ageMs: 1000 }))
  expect(after(1000, SUSPECTED)).toEqual(used({ refusedAgoMs: 1005 }))
})

test('a month whose forecast is absent promises nothing (8.3)', () => {
  const { allowance_per_day: _a, forecast: _f, ...bare } = month({ ...PACE, ...reading(30) })
  const of = (changes: object) => verdictOf(snapshot({ month: { ...bare, ...changes } }), AT_MS)
  expect(of({})).toEqual(low(0))
  expect(of({ allowance_per_day: 6 })).toEqual(FINE)
  expect(of(forecast('runs_out'))).toEqual(runsOut(0))
})

test('the reset is one instant, the last one possible, and on a whole minute (8.3)', () => {
  const resets_in_ms = { earliest: 60_000, latest: 26 * 3_600_000 - 40 }
  expect(verdict({ ...reading(30), resets_in_ms }).params).toMatchObject({ resetMs: AT_MS + 26 * 3_600_000 })
})

/** Since the snapshot came. */
const anyTime = fc.oneof(fc.nat(100_000), fc.nat(30 * DAY_MS))

/** A snapshot and a time for which it is wrong; `null` if none was found. */
const counterexample = (
  isRight: (found: Verdict, quota: QuotaSnapshot, elapsedMs: number) => boolean,
): unknown => {
  const property = fc.property(anySnapshot, anyTime, (quota, elapsedMs) =>
    isRight(verdictOf(quota, AT_MS, elapsedMs), quota, elapsedMs),
  )
  return fc.check(property, { numRuns: 2000 }).counterexample
}

test('any snapshot has a verdict at any time, whose numbers are finite and not negative (8.2, 8.3)', () => {
  const isNumber = (value: unknown) => typeof value !== 'number' || (value >= 0 && value < Infinity)
  expect(counterexample(({ params }) => Object.values(params).every(isNumber))).toBeNull()
})

test('whatever stops a person now is the verdict, and nothing else says that it does (7, 8.2, 8.3)', () => {
  const isRight = (found: Verdict, quota: QuotaSnapshot, elapsedMs: number) => {
    const endsInMs = pauseOf(quota, elapsedMs)?.endsInMs
    const isStopped = isUsedUp(quota.month) || endsInMs !== undefined
    const saysWhen = found.key !== 'paused' || found.params.endsInMs === endsInMs
    return (found.tone === 'none') === isStopped && saysWhen
  }
  expect(counterexample(isRight)).toBeNull()
})

test('without a reading, and while the month turns, no number is of the future (8.3)', () => {
  const isOfFuture = ({ params }: Verdict) => 'onMs' in params || 'perDay' in params
  const isUnknown = ({ month: { organization, may_have_reset: isTurning } }: QuotaSnapshot) =>
    organization === undefined || isTurning
  expect(counterexample((found, quota) => !(isUnknown(quota) && isOfFuture(found)))).toBeNull()
  const namesReset = (found: Verdict, { month }: QuotaSnapshot) =>
    month.may_have_reset && 'resetMs' in found.params
  expect(counterexample((found, quota) => !namesReset(found, quota))).toBeNull()
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
      const { params } = verdictOf(snapshot({ month: shown }), AT_MS)
      fc.pre('perDay' in params)
      expect(params.perDay * Math.max(1, Math.ceil(aheadMs / DAY_MS))).toBeLessThanOrEqual(
        leftOf(shown, limit).low,
      )
    }),
    { numRuns: 2000 },
  )
})
