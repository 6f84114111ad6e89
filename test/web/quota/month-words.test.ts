import { expect, test } from 'vitest'
import { type Forecast, type MonthSnapshot, READING_REASONS } from '../../../src/contract/quota.ts'
import type { Reason } from '../../../src/contract/reason.ts'
import { dayWords } from '../../../src/web/lib/time.ts'
import {
  allowanceWords,
  forecastWords,
  headline,
  monthCountWords,
  monthStateWords,
  outlookWords,
  reserveWords,
  resetSpan,
  resetWords,
  spokenCount,
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

test.each<[Partial<MonthSnapshot>, string]>([
  [{}, 'At most 97 left of 100'],
  [{ low: 3, high: 5 }, 'At most 97 left of 100'],
  [reading(32, 34), '66–68 left of 100'],
  [reading(32, 32), '68 left of 100'],
  [{ low: 100, high: 100 }, 'None left of 100'],
  [SUSPECTED, 'Probably used up '],
])('%o is shown as %s, with "at most" if there is no reading (C23)', (changes, words) => {
  expect(headline(month(changes)).join(' ')).toBe(words)
})

test('without a limit the card shows the requests of this app, and no number left (8.3)', () => {
  const { limit: _, plan: __, ...unseen } = month({ low: 3, high: 5 })
  expect(headline(unseen).join(' ')).toBe('3–5 sent by this app')
  expect(headline({ ...unseen, plan: 'business' }).join(' ')).toBe('3–5 sent by this app, no limit')
  expect(monthCountWords(unseen)).toBe('Others in the organization are not counted.')
})

test('the count of this app and that of the organization are two numbers (C23)', () => {
  expect(monthCountWords(month())).toBe(
    'This app has used 3. Others in the organization spend from the same 100.',
  )
  expect(monthCountWords(month(reading(32, 34)))).toBe(
    'The organization has used 32–34 of 100, this app 3 of them.',
  )
  expect(spokenCount(month({ low: 3, high: 5 }), 100)).toBe(
    '3 to 5 of 100 requests used by this app, others not counted',
  )
  expect(spokenCount(month(reading(32, 34)), 100)).toBe('32 to 34 of 100 requests used by the organization')
})

test('an uncertain count is explained, and a certain one is not (C4)', () => {
  expect(uncertainWords(month())).toBe('')
  expect(uncertainWords(month({ low: 3, high: 5 }))).toContain('Between 3 and 5: the service does not say')
  expect(uncertainWords(month(reading(32, 34)))).toContain('others may have used since the reading')
})

test('between two months the interval mixes both, and no pace is stated (C10)', () => {
  const between = month({ low: 0, high: 44, may_have_reset: true, allowance_per_day: 9 })
  expect([uncertainWords(between), outlookWords(between, 0)]).toEqual(['', ''])
})

test('the card says for whom the last requests are once they are near (C31)', () => {
  const reserve = { person: 10, sign_in: 2 }
  expect(reserveWords(month({ reserve, low: 89, high: 89 }))).toBe('')
  expect(reserveWords(month({ reserve, low: 89, high: 90 }))).toBe(
    'The last 10 are for presses of a person, the last 2 for signing in.',
  )
  expect(reserveWords(month({ low: 99, high: 99 }))).toBe('')
})

test('the sentence about the pace follows the number of requests a day (C33, C37)', () => {
  const pace = { allowance_per_day: 6, forecast: { state: 'on_pace', early: false } } as const
  const words = (changes: Partial<MonthSnapshot>) => [
    allowanceWords(month({ ...pace, ...changes })),
    outlookWords(month({ ...pace, ...changes }), NOW_MS),
  ]
  expect(words(reading(32, 34))).toEqual([
    'About 6 a day until the reset.',
    'At this pace it lasts until the reset.',
  ])
  expect(words({})).toEqual([
    'At most 6 a day until the reset.',
    'At the pace of this app alone it lasts until the reset.',
  ])
  expect(words({ forecast: { state: 'too_early', early: false } })).toEqual([
    'At most 6 a day until the reset.',
    'It is too early for a forecast.',
  ])
})

test('without a reading the requests a day are an upper bound, and absent if none are left (C33)', () => {
  const pace = { allowance_per_day: 9, forecast: { state: 'on_pace', early: false } } as const
  expect(allowanceWords(month(pace))).toBe('At most 9 a day until the reset.')
  expect(allowanceWords(month({ ...pace, ...SUSPECTED }))).toBe('Probably none until the reset.')
  expect(outlookWords(month({ ...pace, ...SUSPECTED }), 0)).toBe('')
  const usedUp = month({ ...pace, low: 100, high: 100, allowance_per_day: 0 })
  expect([allowanceWords(usedUp), outlookWords(usedUp, 0)]).toEqual(['None until the reset.', ''])
  expect([allowanceWords(month()), outlookWords(month(), 0)]).toEqual(['', ''])
  expect(allowanceWords(month({ allowance_per_day: 0 }))).toBe('Less than one a day until the reset.')
})

test('a refusal is named with its time, and with its day if it was not today (8.3)', () => {
  const refused = (age_ms: number, reasons: Reason[] = []) => month({ suspected: { age_ms, reasons } })
  expect(monthStateWords(refused(HOUR), NOW_MS)).toBe('Refused at 12:03 PM')
  expect(monthStateWords(refused(48 * HOUR), NOW_MS)).toBe('Refused at Nov 19, 01:03 PM')
  expect(suspicionWords(refused(HOUR, [{ code: 'payment_asked' }]))).toBe(
    'Why we think so: The service asks for payment.',
  )
  expect(monthStateWords(month(), NOW_MS)).toBe('Only this app is counted')
  expect(suspicionWords(month())).toBe('')
})

test('a used-up month says who has used it (C23)', () => {
  expect(monthStateWords(month({ low: 100, high: 100 }), NOW_MS)).toBe('Used up by this app alone')
  expect(monthStateWords(month(reading(100, 100)), NOW_MS)).toBe('Used up by the organization')
})

test('the reset lies between two whole minutes of the reader’s own zone (C11)', () => {
  const span = resetSpan(month({ resets_in_ms: { earliest: HOUR + 400, latest: 27 * HOUR - 300 } }), NOW_MS)
  expect(span).toEqual({ low: NOW_MS + HOUR, high: NOW_MS + 27 * HOUR })
  expect(resetWords(span)).toBe('between Nov 21, 02:03 PM and Nov 22, 04:03 PM')
  expect(resetWords({ low: span.low, high: span.low })).toBe('at Nov 21, 02:03 PM')
})

test('each reason for a reading has a sentence (C21)', () => {
  const { wanted } = signedInText().month
  expect(READING_REASONS.filter((reason) => !wanted[reason].endsWith('.'))).toEqual([])
})

test.each<[Partial<Forecast>, string]>([
  [{ state: 'too_early' }, ''],
  [{ state: 'used_up' }, ''],
  [{ state: 'on_pace' }, 'At this pace it lasts until the reset.'],
  [{ state: 'under', difference: 1 }, 'At this pace 1 request will be left at the reset.'],
  [{ state: 'over', difference: 4 }, 'At this pace 4 requests of the reserve will be used by the reset.'],
  [
    { state: 'runs_out', runs_out_in_ms: 6 * 24 * HOUR },
    `At this pace it lasts until ${dayWords(NOW_MS + 6 * 24 * HOUR)}.`,
  ],
  [{ state: 'on_pace', early: true }, 'At this pace it lasts until the reset (an early estimate).'],
  [{ state: 'stale' }, 'The newest reading is too old for a forecast.'],
])('the forecast %o is "%s" (C36, C37)', (forecast, words) => {
  expect(forecastWords({ state: 'too_early', early: false, ...forecast }, NOW_MS, true)).toBe(words)
})

test('if others are not counted, the sentence says that the pace is of this app alone (C23)', () => {
  expect(forecastWords({ state: 'on_pace', early: false }, NOW_MS, false)).toBe(
    'At the pace of this app alone it lasts until the reset.',
  )
})
