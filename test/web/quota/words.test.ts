import { expect, test } from 'vitest'
import type { Forecast, MonthSnapshot } from '../../../src/contract/quota.ts'
import { outlookWords, reserveWords, uncertainWords } from '../../../src/web/quota/words.ts'
import { dayWords } from '../../../src/web/text/format.ts'
import { month } from '../_snapshot.ts'

const HOUR = 3_600_000
const reading = (low: number, high: number) => ({ organization: { low, high, reading_age_ms: 0 } })
const SUSPECTED: Partial<MonthSnapshot> = {
  suspected: { age_ms: HOUR, reasons: [{ code: 'payment_asked' }] },
}
const NOW_MS = Date.UTC(2026, 10, 21, 4, 3)

test.each<[Partial<MonthSnapshot>, string]>([
  [{}, ''],
  [{ low: 1, high: 2 }, '1 or 2: signing in may count as a request.'],
  [{ low: 3, high: 5 }, 'Between 3 and 5: some requests may not count.'],
  [
    reading(32, 34),
    'The higher number includes requests that may count, and what other apps may have used since the count was entered.',
  ],
  [reading(32, 32), ''],
  [{ low: 3, high: 5, limit: undefined as never }, ''],
])('an uncertain count is explained, and a certain one is not: %o (C4)', (changes, words) => {
  expect(uncertainWords(month(changes))).toBe(words)
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

test('a month that is used up, or seems so, has no outlook, and neither has one without a forecast (C23, C33)', () => {
  const pace = { forecast: { state: 'on_pace', early: false } } as const
  expect(outlookWords(month({ ...pace, ...SUSPECTED }), 0)).toBe('')
  expect(outlookWords(month({ ...pace, low: 100, high: 100 }), 0)).toBe('')
  expect(outlookWords(month(), 0)).toBe('')
  expect(outlookWords(month(pace), 0)).toBe('At the pace of this app alone it lasts until the reset.')
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
