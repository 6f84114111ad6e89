import { expect, test } from 'vitest'
import type { Forecast, MonthSnapshot, QuotaSnapshot } from '../../../src/contract/quota.ts'
import { priceOf } from '../../../src/contract/price.ts'
import { budgetWords, cautionOf, inviteOf, priceWords } from '../../../src/web/spend/price.ts'
import { month, snapshot, window_ } from '../_snapshot.ts'

const words = (changes: Partial<MonthSnapshot>, rest: Partial<QuotaSnapshot> = {}, elapsedMs = 0) => {
  const known = snapshot({ month: month(changes), ...rest })
  const price = priceOf('read', known, elapsedMs)
  const caution = cautionOf(known, price, elapsedMs)
  return [caution, priceWords(price, caution)]
}
const reserve = { person: 10, sign_in: 2 }
const reading = (low: number, high: number) => ({ organization: { low, high, reading_age_ms: 0 } })
const PAUSE = { code: 'month_suspected', ends_in_ms: 1000, reasons: [] } as const

test.each<[Partial<MonthSnapshot>, string, string]>([
  [{}, 'plain', '1 request'],
  [{ reserve, low: 97, high: 97 }, 'plain', '1 request'],
  [{ reserve, low: 97, high: 98 }, 'reserved', '1 request'],
  [{ reserve, ...reading(98, 98) }, 'reserved', '1 request'],
  [{ reserve, low: 98, high: 100 }, 'doubtful', 'up to 1 request'],
  [{ low: 99, high: 99 }, 'plain', '1 request'],
  [{ low: 100, high: 100 }, 'refused', 'up to 1 request'],
  [{ suspected: { age_ms: 0, reasons: [] } }, 'refused', 'up to 1 request'],
])('a press at %o is %s: %s (C32)', (changes, kind, price) => {
  expect(words(changes)).toEqual([kind, price])
})

test('without a limit a press costs one (8.3)', () => {
  const { limit: _, ...unlimited } = month({ low: 400, high: 400 })
  const known = snapshot({ month: unlimited })
  expect(cautionOf(known, priceOf('read', known), 0)).toBe('plain')
})

test('a pause of the month holds until its end (B36)', () => {
  expect(words({}, { pauses: [PAUSE] }, 999)[0]).toBe('refused')
  expect(words({}, { pauses: [PAUSE] }, 1000)[0]).toBe('plain')
  expect(words({}, { pauses: [{ ...PAUSE, code: 'rate_limited' }] })[0]).toBe('plain')
})

test('the words of a press that refreshes the token first are a range while that may count (C32)', () => {
  const due = (counts: 'yes' | 'unknown' | 'no', due_in_ms = 0) => ({ refresh: { due_in_ms, counts } })
  expect(words({}, due('yes'))).toEqual(['plain', '2 requests'])
  expect(words({}, due('unknown'))).toEqual(['plain', '1–2 requests'])
  expect(words({}, due('no'))).toEqual(['plain', '1 request'])
  expect(words({ low: 100, high: 100 }, due('unknown'))[1]).toBe('up to 2 requests')
})

test('a press that may use two requests is doubtful with one left (C31, C32)', () => {
  const due = { refresh: { due_in_ms: 0, counts: 'unknown' as const } }
  expect(words({ low: 99, high: 99 }, due)).toEqual(['doubtful', 'up to 2 requests'])
  expect(words({ reserve, low: 97, high: 97 }, due)).toEqual(['reserved', '1–2 requests'])
  expect(words({ reserve, low: 96, high: 96 }, due)).toEqual(['plain', '1–2 requests'])
})

test.each<[Partial<MonthSnapshot>, string]>([
  [{}, '1–2 of at most 97'],
  [reading(45, 45), '1–2 of 55'],
  [reading(41, 45), '1–2 of 55–59'],
  [{ reserve, ...reading(97, 97) }, '1–2 of 3'],
  [reading(99, 99), 'up to 2 requests'],
  [{ ...reading(45, 45), suspected: { age_ms: 0, reasons: [] } }, 'up to 2 requests'],
])('the price in the month %o is taken from what is left: %s (8.3, C32)', (changes, expected) => {
  const known = snapshot({ month: month(changes) })
  const price = { low: 1, high: 2 }
  expect(budgetWords(price, cautionOf(known, price, 0), known.month)).toBe(expected)
})

test('without a limit, and before the first snapshot, the price is a number of requests (8.3)', () => {
  const { limit: _, ...unlimited } = month()
  expect(budgetWords({ low: 1, high: 2 }, 'plain', unlimited)).toBe('1–2 requests')
  expect(budgetWords({ low: 1, high: 1 }, 'plain', undefined)).toBe('1 request')
})

const pace = (state: Forecast['state'], allowance_per_day = 6) => ({
  ...reading(45, 45),
  allowance_per_day,
  forecast: { state, early: false },
})

test.each<[Partial<MonthSnapshot>, string]>([
  [pace('on_pace'), 'primary'],
  [pace('too_early'), 'primary'],
  [{ ...pace('on_pace'), reading_wanted: 'half' }, 'plain'],
  [{}, 'plain'],
  [pace('stale'), 'plain'],
  [{ ...pace('on_pace'), may_have_reset: true }, 'plain'],
  [{ low: 90, high: 90 }, 'quiet'],
  [{ ...pace('stale'), ...reading(85, 85) }, 'quiet'],
  [{ ...pace('on_pace'), ...reading(85, 85) }, 'quiet'],
  [pace('on_pace', 0), 'quiet'],
  [pace('over'), 'quiet'],
  [pace('runs_out'), 'quiet'],
  [reading(100, 100), 'quiet'],
  [{ suspected: { age_ms: 0, reasons: [] } }, 'quiet'],
])('the month %o makes a button %s (8.3)', (changes, invite) => {
  expect(inviteOf(snapshot({ month: month(changes) }))).toBe(invite)
})

test('a pause changes no button, because it is over soon (8.2)', () => {
  const used = { read: window_({ remaining: 0 }) }
  expect(inviteOf(snapshot({ month: month(pace('on_pace')), ...used }))).toBe('primary')
})

test('without a limit a press is invited, and before any was seen it is not (8.3)', () => {
  const { limit: _, plan: __, ...unseen } = month()
  expect(inviteOf(snapshot({ month: { ...unseen, plan: 'business' } }))).toBe('primary')
  expect(inviteOf(snapshot({ month: unseen }))).toBe('plain')
})
