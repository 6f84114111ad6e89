import { expect, test } from 'vitest'
import { cautionOf, isInviting } from '../../src/contract/press.ts'
import { priceOf } from '../../src/contract/price.ts'
import type { Forecast, MonthSnapshot, QuotaSnapshot } from '../../src/contract/quota.ts'
import { month, snapshot, window_ } from '../web/_snapshot.ts'

const caution = (changes: Partial<MonthSnapshot>, rest: Partial<QuotaSnapshot> = {}, elapsedMs = 0) => {
  const known = snapshot({ month: month(changes), ...rest })
  return cautionOf(known, priceOf('read', known, elapsedMs), elapsedMs)
}
const reserve = { person: 10, sign_in: 2 }
const reading = (low: number, high = low) => ({ organization: { low, high, reading_age_ms: 0 } })
const PAUSE = { code: 'month_suspected', ends_in_ms: 1000, reasons: [] } as const
const SUSPECTED = { suspected: { age_ms: 0, reasons: [] } }
const DUE = { refresh: { due_in_ms: 0, counts: 'unknown' as const } }

test.each<[Partial<MonthSnapshot>, Partial<QuotaSnapshot>, string]>([
  [{}, {}, 'plain'],
  [{ reserve, low: 97, high: 97 }, {}, 'plain'],
  [{ reserve, low: 97, high: 98 }, {}, 'last'],
  [{ reserve, ...reading(98) }, {}, 'last'],
  [{ reserve, low: 98, high: 100 }, {}, 'risky'],
  [{ low: 99, high: 99 }, {}, 'plain'],
  [{ low: 100, high: 100 }, {}, 'risky'],
  [SUSPECTED, {}, 'risky'],
  [{ low: 400, high: 400, limit: undefined as never }, {}, 'plain'],
  // A refresh that is due takes one of them first.
  [{ low: 99, high: 99 }, DUE, 'risky'],
  [{ reserve, low: 97, high: 97 }, DUE, 'last'],
  [{ reserve, low: 96, high: 96 }, DUE, 'plain'],
])('a press at %o, %o is %s (C31, C32)', (changes, rest, expected) => {
  expect(caution(changes, rest)).toBe(expected)
})

test('a pause of the month holds until its end (B36)', () => {
  expect(caution({}, { pauses: [PAUSE] }, 999)).toBe('risky')
  expect(caution({}, { pauses: [PAUSE] }, 1000)).toBe('plain')
  expect(caution({}, { pauses: [{ ...PAUSE, code: 'rate_limited' }] })).toBe('plain')
})

const pace = (state: Forecast['state'], allowance_per_day = 6) => ({
  ...reading(45),
  allowance_per_day,
  forecast: { state, early: false },
})

test.each<[Partial<MonthSnapshot>, boolean]>([
  [pace('on_pace'), true],
  [pace('too_early'), true],
  [{ ...pace('on_pace'), reading_wanted: 'half' }, false],
  [{}, false],
  [pace('stale'), false],
  [{ ...pace('on_pace'), may_have_reset: true }, false],
  [{ low: 90, high: 90 }, false],
  [{ ...pace('on_pace'), ...reading(85) }, false],
  [pace('on_pace', 0), false],
  [pace('over'), false],
  [pace('runs_out'), false],
  [reading(100), false],
  [SUSPECTED, false],
  [{ limit: undefined as never, plan: 'business' }, true],
  [{ limit: undefined as never, plan: undefined as never }, false],
])('the month %o invites to a press: %s (8.3)', (changes, expected) => {
  expect(isInviting(snapshot({ month: month(changes) }))).toBe(expected)
})

test('a pause takes no invitation away, because it is over soon (8.2)', () => {
  expect(isInviting(snapshot({ month: month(pace('on_pace')), read: window_({ remaining: 0 }) }))).toBe(true)
})
