import { expect, test } from 'vitest'
import { type Forecast, type MonthSnapshot, READING_REASONS } from '../../../src/contract/quota.ts'
import { leftOf } from '../../../src/contract/month-state.ts'
import { dayWords } from '../../../src/web/lib/time.ts'
import {
  leftWords,
  monthCountWords,
  outlookWords,
  reserveWords,
  resetSpan,
  resetWords,
  spanOf,
  spokenSpanOf,
  suspicionWords,
  uncertainWords,
} from '../../../src/web/quota/month-words.ts'
import { signedInText } from '../../../src/web/text/text.ts'
import { month } from '../_snapshot.ts'

const HOUR = 3_600_000
const reading = (low: number, high: number) => ({ organization: { low, high, reading_age_ms: 0 } })
const SUSPECTED: Partial<MonthSnapshot> = {
  suspected: { age_ms: HOUR, reasons: [{ code: 'payment_asked' }] },
}
const NOW_MS = Date.UTC(2026, 10, 21, 4, 3)

test('a count is one number, or an interval, which is also read out (C4)', () => {
  const [exact, wide] = [
    { low: 3, high: 3 },
    { low: 1200, high: 1205 },
  ]
  expect([spanOf(exact), spokenSpanOf(exact)]).toEqual(['3', '3'])
  expect([spanOf(wide), spokenSpanOf(wide)]).toEqual(['1,200–1,205', '1,200 to 1,205'])
})

test.each<[Partial<MonthSnapshot>, string]>([
  [{}, 'at most 97'],
  [{ low: 3, high: 5 }, 'at most 97'],
  [reading(32, 34), '66–68'],
  [reading(32, 32), '68'],
  [{ low: 100, high: 100 }, 'at most 0'],
])('of the month %o is left: %s (C23)', (changes, words) => {
  const drawn = month(changes)
  const left = leftOf(drawn, 100)
  expect(leftWords(left, drawn.organization !== undefined, (count) => `at most ${count}`)).toBe(words)
})

test('the count of this app and that of the organization are two numbers (C23)', () => {
  expect(monthCountWords(month())).toBe(
    'This app has used 3. Other apps in your organization use the same 100.',
  )
  expect(monthCountWords(month(reading(32, 34)))).toBe(
    'Your organization has used 32–34 of 100; 3 of them through this app.',
  )
  const { limit: _, ...unlimited } = month()
  expect(monthCountWords(unlimited)).toBe('Other apps in your organization are not counted.')
})

test.each<[Partial<MonthSnapshot>, string]>([
  [{}, ''],
  [{ low: 1, high: 2 }, '1 or 2: signing in may count as a request.'],
  [{ low: 3, high: 5 }, 'Between 3 and 5: some requests may not count.'],
  [
    reading(32, 34),
    'The higher number includes requests that may count, and what other apps may have used since the count was entered.',
  ],
  [reading(32, 32), ''],
])('an uncertain count is explained, and a certain one is not: %o (C4)', (changes, words) => {
  expect(uncertainWords(month(changes))).toBe(words)
})

test('without a limit the uncertainty of the count does not matter (8.3)', () => {
  const { limit: _, ...unlimited } = month({ low: 3, high: 5 })
  expect(uncertainWords(unlimited)).toBe('')
})

test('between two months the interval mixes both, and no pace is stated (C10)', () => {
  const between = month({ low: 0, high: 44, may_have_reset: true, allowance_per_day: 9 })
  expect([uncertainWords(between), outlookWords(between, 0)]).toEqual(['', ''])
})

test('the card says for whom the last requests are once they are near (C31)', () => {
  const reserve = { person: 10, sign_in: 2 }
  expect(reserveWords(month({ reserve, low: 89, high: 89 }))).toBe('')
  expect(reserveWords(month({ reserve, low: 89, high: 90 }))).toBe(
    'The last 10 are kept for your own presses, the last 2 for signing in.',
  )
  expect(reserveWords(month({ low: 99, high: 99 }))).toBe('')
  expect(reserveWords(month({ reserve, low: 100, high: 100 }))).toBe('')
  expect(reserveWords(month({ reserve, low: 95, high: 95, ...SUSPECTED }))).toBe('')
})

test('the outlook is that of the organization, or of this app alone (C23, C37)', () => {
  const pace = { forecast: { state: 'on_pace', early: false } } as const
  const words = (changes: Partial<MonthSnapshot>) => outlookWords(month({ ...pace, ...changes }), NOW_MS)
  expect(words(reading(32, 34))).toBe('At this pace it lasts until the reset.')
  expect(words({})).toBe('At the pace of this app alone it lasts until the reset.')
  expect(words({ forecast: { state: 'too_early', early: false } })).toBe('It is too early for a forecast.')
})

test('a month that is used up, or seems so, has no outlook, and neither has one without a forecast (C33)', () => {
  const pace = { forecast: { state: 'on_pace', early: false } } as const
  expect(outlookWords(month({ ...pace, ...SUSPECTED }), 0)).toBe('')
  expect(outlookWords(month({ ...pace, low: 100, high: 100 }), 0)).toBe('')
  expect(outlookWords(month(), 0)).toBe('')
})

test('the reasons why a refusal looks like the monthly limit are named (8.3)', () => {
  expect(suspicionWords(month(SUSPECTED))).toBe('Why we think so: The service asks for payment.')
  expect(suspicionWords(month())).toBe('')
})

test('the reset lies between two whole minutes of the reader’s own zone (C11)', () => {
  const span = resetSpan(month({ resets_in_ms: { earliest: HOUR + 400, latest: 27 * HOUR - 300 } }), NOW_MS)
  expect(span).toEqual({ low: NOW_MS + HOUR, high: NOW_MS + 27 * HOUR })
  expect(resetWords(span)).toBe('between Nov 21, 2:03 PM and Nov 22, 4:03 PM')
  expect(resetWords({ low: span.low, high: span.low })).toBe('at Nov 21, 2:03 PM')
})

test('each reason for a reading has a sentence (C21)', () => {
  const { wanted } = signedInText().month
  expect(READING_REASONS.filter((reason) => !/[.?]$/.test(wanted[reason]))).toEqual([])
})

test.each<[Partial<Forecast>, string]>([
  [{ state: 'too_early' }, 'It is too early for a forecast.'],
  [{ state: 'used_up' }, ''],
  [{ state: 'on_pace' }, 'At this pace it lasts until the reset.'],
  [{ state: 'under', difference: 1 }, 'At this pace 3 requests will be left at the reset.'],
  [
    { state: 'over', difference: 4 },
    'At this pace 4 of the requests kept for signing in will be used by the reset.',
  ],
  [
    { state: 'runs_out', runs_out_in_ms: 6 * 24 * HOUR },
    `At this pace it lasts until ${dayWords(NOW_MS + 6 * 24 * HOUR)}.`,
  ],
  [{ state: 'on_pace', early: true }, 'At this pace it lasts until the reset (an early estimate).'],
  [{ state: 'stale' }, 'The count is too old for a forecast.'],
])('the forecast %o is "%s" (C36, C37)', (forecast, words) => {
  const reserve = { person: 10, sign_in: 2 }
  const forecasted = {
    ...reading(30, 30),
    reserve,
    forecast: { state: 'too_early', early: false, ...forecast },
  } as const
  expect(outlookWords(month(forecasted), NOW_MS)).toBe(words)
})

test('if others are not counted, the sentence says that the pace is of this app alone (C23)', () => {
  expect(outlookWords(month({ forecast: { state: 'on_pace', early: false } }), NOW_MS)).toBe(
    'At the pace of this app alone it lasts until the reset.',
  )
})
