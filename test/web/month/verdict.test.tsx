import { screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import * as fc from 'fast-check'
import type { Forecast, MonthSnapshot, QuotaSnapshot } from '../../../src/contract/quota.ts'
import { Verdict } from '../../../src/web/month/verdict.tsx'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { draw, received } from '../_month.tsx'
import { month, window_ } from '../_snapshot.ts'
import { verdictOf } from '../../../src/contract/verdict.ts'
import { numberWords, verdictWords } from '../../../src/web/month/verdict-words.ts'
import { anySnapshot } from '../../contract/_any-quota.ts'
import { MonthBar } from '../../../src/web/month/bar.tsx'

afterEach(() => loadLanguage('en'))

const HOUR = 3_600_000
const DAY = 24 * HOUR
const reading = (low: number, high = low, reading_age_ms = 2 * HOUR) => ({
  organization: { low, high, reading_age_ms },
})
const pace = (state: Forecast['state'], more: Partial<Forecast> = {}, allowance_per_day = 8) => ({
  allowance_per_day,
  forecast: { state, early: false, ...more },
})
const runsOut = (runs_out_in_ms: number, early = false) => pace('runs_out', { runs_out_in_ms, early })
const SUSPECTED = { suspected: { age_ms: HOUR, reasons: [] } }
const { limit: _, plan: __, ...unseen } = received({}).snapshot.month

/** @param elapsedMs since the snapshot came, at 21:00 of November 21 in Tokyo */
function shown(changes: Partial<MonthSnapshot>, rest: Partial<QuotaSnapshot> = {}, elapsedMs = 0) {
  const quota = received(changes, rest)
  const { unmount } = draw(<Verdict quota={{ ...quota, atMs: quota.atMs - elapsedMs }} />)
  const [number, sentence] = [...document.querySelectorAll('p')].map((part) => part.textContent.trim())
  const look = document.querySelector<HTMLElement>('[data-tone]')
  const looks = [look?.dataset['tone'], look?.querySelector('svg')?.dataset['shape']]
  unmount()
  return { number, sentence, looks }
}

test.each<[changes: Partial<MonthSnapshot>, words: string]>([
  [{ ...reading(45), ...pace('on_pace') }, 'On track: you can use 8 a day until it resets on Dec 1'],
  [{ ...reading(45), ...pace('too_early') }, 'You can use 8 a day until it resets on Dec 1'],
  [{ ...reading(45), ...pace('over') }, 'Tight: use at most 8 a day until it resets on Dec 1'],
  [{ ...reading(85), ...pace('on_pace') }, 'Low: you can use 8 a day until it resets on Dec 1'],
  [{ ...reading(97), ...pace('on_pace', {}, 0) }, 'Low: less than one a day until it resets on Dec 1'],
  [reading(100), 'Used up: the service refuses requests until it resets on Dec 1'],
  [{ low: 100, high: 102 }, 'Used up by this app alone, until it resets on Dec 1'],
  [{ ...reading(45), ...SUSPECTED }, 'Probably used up: refused at 8:00 PM. It resets on Dec 1.'],
  [{ ...pace('on_pace') }, 'Other apps share these 100. Enter what your plan page says.'],
  [{ low: 90, high: 90 }, 'Low: other apps share these 100. Enter what your plan page says.'],
  [
    { ...reading(45, 60, 6 * DAY), ...pace('stale') },
    'Not certain: the count is from 6 days ago. Enter what your plan page says.',
  ],
  [
    { ...reading(45), may_have_reset: true },
    'A new month may have begun: it begins within a day, in a time zone that is not known.',
  ],
  [{ ...reading(92), ...runsOut(2 * HOUR) }, 'Low: runs out today, 10 days before it resets on Dec 1'],
  [
    { ...reading(92), ...runsOut(3 * HOUR) },
    'Low: runs out tomorrow, Nov 22, 9 days before it resets on Dec 1',
  ],
  [{ ...reading(60), ...runsOut(5 * DAY) }, 'Low: runs out on Nov 26, 5 days before it resets on Dec 1'],
  [{ ...reading(60), ...runsOut(9 * DAY) }, 'Low: runs out on Nov 30, 1 day before it resets on Dec 1'],
  [
    { ...reading(60), ...runsOut(9 * DAY + 5 * HOUR) },
    'Low: runs out on Dec 1, 10 hours before it resets on Dec 1',
  ],
  [
    { ...reading(30), ...runsOut(5 * DAY, true) },
    'Low: at this pace it may run out on Nov 26, before it resets on Dec 1',
  ],
  [
    { ...SUSPECTED, may_have_reset: true },
    'Probably used up: refused at 8:00 PM. A new month may have begun: it begins within a day, in a time zone that is not known.',
  ],
])('the sentence for %o is %j (8.3)', (changes, sentence) => {
  expect(shown(changes).sentence).toBe(sentence)
})

test('the day of a run-out stays the same while the page is open, and becomes today (8.3)', () => {
  const month = { ...reading(92), ...runsOut(20 * HOUR) }
  const sentences = [0, 4 * HOUR].map((elapsedMs) => shown(month, {}, elapsedMs).sentence)
  expect(sentences).toEqual([
    'Low: runs out tomorrow, Nov 22, 9 days before it resets on Dec 1',
    'Low: runs out today, 9 days before it resets on Dec 1',
  ])
})

test('the age of a count grows while the page is open, and the time of a refusal stays (8.3)', () => {
  const old = shown({ ...reading(45, 60, 5 * DAY), ...pace('stale') }, {}, 2 * DAY)
  expect(old.sentence).toContain('the count is from 7 days ago')
  expect(old.number).toContain('as of 7 days ago')
  expect(shown(SUSPECTED, {}, HOUR).sentence).toContain('at 8:00 PM.')
  expect(shown(SUSPECTED, {}, 24 * HOUR).sentence).toContain('at Nov 21, 8:00 PM.')
})

test('a pause is named with its wait and its reason, whichever limit it is (8.2)', () => {
  const minute = shown(reading(45), { read: window_({ remaining: 0, reset_in_ms: 50_000 }) })
  expect(minute.sentence).toBe('Paused: 50 sec. No requests of this minute are left.')
  const unknown = { code: 'limit_unknown', ends_in_ms: 130_000, reasons: [] } as const
  expect(shown({}, { pauses: [unknown] }).sentence).toBe('Paused: 2 min 10 sec.')
})

test('without a limit the sentence says why, and claims none (8.3)', () => {
  expect(shown({}, { month: { ...unseen, plan: 'business' } })).toMatchObject({
    sentence: 'No monthly limit on Business: only the speed limit counts',
    number: '3 requests sent by this app, no monthly limit',
  })
  expect(shown({}, { month: unseen })).toMatchObject({
    sentence: 'The limit is not known yet. Your next request shows it.',
    number: '3 requests sent by this app',
  })
})

test.each<[changes: Partial<MonthSnapshot>, words: string]>([
  [reading(45), '55 of 100 requests left · as of 2 hours ago'],
  [reading(41, 45), '55–59 of 100 requests left · as of 2 hours ago'],
  [{}, 'At most 97 of 100 requests left · not known yet'],
  [reading(100), '0 of 100 requests left · as of 2 hours ago'],
  [{ low: 100, high: 100 }, '0 of 100 requests left'],
  [{ low: 99, high: 101 }, 'At most 1 of 100 requests left · not known yet'],
  [{ ...reading(45), ...SUSPECTED }, 'Probably 0 of 100 requests left'],
])('the number for %o is %j (C23)', (changes, number) => {
  expect(shown(changes).number).toBe(number)
})

test.each<[Partial<MonthSnapshot>, tone: string, shape: string]>([
  [{ ...reading(45), ...pace('on_pace') }, 'ok', 'check'],
  [{ ...reading(45), ...pace('too_early') }, 'unknown', 'circle'],
  [{ ...reading(45), ...pace('over') }, 'low', 'triangle'],
  [{ ...reading(45), ...runsOut(DAY) }, 'low', 'triangle'],
  [reading(85), 'low', 'triangle'],
  [reading(100), 'none', 'square'],
  [SUSPECTED, 'none', 'square'],
  [{}, 'unknown', 'diamond'],
  [{ ...reading(45), ...pace('stale') }, 'unknown', 'diamond'],
  [{ may_have_reset: true }, 'unknown', 'diamond'],
])('a verdict has a shape beside its colour: %o is %s and a %s (D5)', (changes, ...looks) => {
  expect(shown(changes).looks).toEqual(looks)
})

test.each(['en', 'ja'] as const)(
  'in %s every snapshot has words, and none has a gap (8.3)',
  async (language) => {
    await loadLanguage(language)
    fc.assert(
      fc.property(anySnapshot, fc.nat(3_600_000), (snapshot, elapsedMs) => {
        const quota = { snapshot, atMs: 0, wallMs: Date.UTC(2026, 10, 21, 12) }
        const sentence = verdictWords(verdictOf(snapshot, elapsedMs), quota, elapsedMs)
        const words = [...numberWords(snapshot.month, elapsedMs), sentence]
        expect(words.filter((text) => text === '' || /undefined|NaN|Infinity|Invalid/.test(text))).toEqual([])
      }),
      { numRuns: 500 },
    )
  },
)

const reserve = { person: 10, sign_in: 2 }

function bar(changes: Partial<MonthSnapshot>, limit = 100) {
  draw(<MonthBar month={month(changes)} limit={limit} />)
  const meter = screen.getByRole('meter')
  const items = within(screen.getByRole('list')).getAllByRole('listitem')
  return {
    meter,
    widths: [...meter.children].map((part) => (part as HTMLElement).style.width),
    legend: items.map(({ textContent }) => textContent.trim()),
  }
}

test.each<[Partial<MonthSnapshot>, widths: string, legend: string]>([
  [
    { low: 3, high: 5, ...reading(32, 36) },
    '64% 4% 29% 3%',
    'left 64–68, other apps 27–33, this app 3–5, may count 4',
  ],
  [{ low: 3, high: 3, ...reading(32) }, '68% 0% 29% 3%', 'left 68, other apps 29, this app 3'],
  [{ low: 3, high: 5 }, '95% 2% 0% 3%', 'left, unless other apps used it, this app 3–5'],
  [{ low: 100, high: 105 }, '0% 0% 0% 100%', 'left 0, this app 100–105'],
])(
  'the bar of %o is %s: left, in doubt, others, this app; its legend is "%s" (D5, 8.3)',
  (changes, ...parts) => {
    const { widths, legend } = bar(changes)
    expect([widths.join(' '), legend.join(', ')]).toEqual(parts)
  },
)

test.each<[Partial<MonthSnapshot>, boolean]>([
  [reading(89), false],
  [reading(90), true],
  [reading(99), true],
  [reading(100), false],
  [{ low: 90, high: 90 }, true],
  [{ ...reading(95), reserve: { person: 10, sign_in: 0 } }, false],
])('near the end the legend names the requests kept for signing in: %o: %s (C31)', (changes, isNamed) => {
  const { legend } = bar({ reserve, ...changes })
  expect(legend.includes('2 of them kept for signing in')).toBe(isNamed)
})

test.each<[Partial<MonthSnapshot>, now: string, spoken: string]>([
  [reading(32, 36), '64', '64 to 68 of 100 requests left'],
  [reading(32), '68', '68 of 100 requests left'],
  [{ low: 3, high: 5 }, '95', 'at most 97 of 100 requests left'],
  [{ ...reading(32), ...SUSPECTED }, '0', 'at most 68 of 100 requests left'],
])('the meter is read out as a sentence: %o is %s, %j (D2)', (changes, now, spoken) => {
  const { meter } = bar(changes)
  expect(meter).toHaveAccessibleName('Requests left this month')
  expect(meter).toHaveAttribute('aria-valuemin', '0')
  expect(meter).toHaveAttribute('aria-valuemax', '100')
  expect(meter).toHaveAttribute('aria-valuenow', now)
  expect(meter).toHaveAttribute('aria-valuetext', spoken)
})

test('a limit of 0 is a bar without parts (8.3)', () => {
  expect(bar({}, 0).widths).toEqual(['0%', '0%', '0%', '0%'])
})
