import { screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import * as fc from 'fast-check'
import type { Forecast, MonthSnapshot, QuotaSnapshot } from '../../../src/contract/quota.ts'
import { figureWords, Verdict, verdictWords } from '../../../src/web/month/verdict.tsx'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { draw, received } from '../_month.tsx'
import { month, window_ } from '../_snapshot.ts'
import { verdictOf } from '../../../src/contract/verdict.ts'
import { anySnapshot } from '../../contract/_any-quota.ts'
import { MonthBar } from '../../../src/web/month/card.tsx'

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
const TURNING = { may_have_reset: true }
const { limit: _, plan: __, ...unseen } = received({}).snapshot.month

/** @param elapsedMs since the snapshot came, at 21:00 of November 21 in Tokyo */
function shown(changes: Partial<MonthSnapshot>, rest: Partial<QuotaSnapshot> = {}, elapsedMs = 0) {
  const quota = received(changes, rest)
  const { unmount } = draw(<Verdict quota={{ ...quota, atMs: quota.atMs - elapsedMs }} canEnter />)
  const [number, sentence] = [...document.querySelectorAll('p')].map((part) => part.textContent.trim())
  const look = document.querySelector<HTMLElement>('[data-tone]')
  const looks = [look?.dataset['tone'], look?.querySelector('svg')?.dataset['shape']]
  unmount()
  return { number, sentence, looks }
}

test.each<[changes: Partial<MonthSnapshot>, words: string]>([
  [{ ...reading(45), ...pace('on_pace') }, 'You can use 8 a day until it resets on Dec 1.'],
  [{ ...reading(45), ...pace('over') }, 'Use at most 8 a day until it resets on Dec 1.'],
  [{ ...reading(97), ...pace('on_pace', {}, 0) }, 'Less than one a day is left until it resets on Dec 1.'],
  [reading(100), 'Used up until Dec 1.'],
  [
    { ...reading(45), ...SUSPECTED },
    'Used up, it seems, until Dec 1: the service refused a request 1 hour ago.',
  ],
  [
    { ...SUSPECTED, ...TURNING },
    'Used up, it seems, until a new month begins, within a day: the service refused a request 1 hour ago.',
  ],
  [{}, 'Other apps share these 100. Enter what your plan page says.'],
  [{ low: 90, high: 90 }, 'Low: other apps share these 100. Enter what your plan page says.'],
  [
    { ...reading(45, 60, 6 * DAY), ...pace('stale') },
    'Not certain: the count is from 6 days ago. Enter what your plan page says.',
  ],
  [
    { ...reading(45, 85, 6 * DAY), ...pace('stale') },
    'Low, but not certain: the count is from 6 days ago. Enter what your plan page says.',
  ],
  [
    { ...reading(45), ...TURNING },
    'A new month has begun, or will within a day; the service does not say when.',
  ],
  [{ ...reading(60), ...runsOut(5 * DAY) }, 'Runs out on Nov 26 at this pace, before it resets on Dec 1.'],
  [
    { ...reading(30), ...runsOut(5 * DAY, true) },
    'Runs out on Nov 26 at this pace, before it resets on Dec 1 (an early estimate).',
  ],
])('the sentence for %o is %j (8.3)', (changes, sentence) => {
  expect(shown(changes).sentence).toBe(sentence)
})

test('only a person who can enter a count is asked for it (docs/watch.md)', () => {
  draw(<Verdict quota={received({})} canEnter={false} />)
  expect(screen.getByText('Other apps share these 100.')).toBeVisible()
})

test('the age of a count and of a refusal grow while the page is open (8.3)', () => {
  const old = shown({ ...reading(45, 60, 5 * DAY), ...pace('stale') }, {}, 2 * DAY)
  expect(old.sentence).toContain('the count is from 7 days ago')
  expect(old.number).toContain('as of 7 days ago')
  expect(shown(SUSPECTED, {}, 2 * HOUR).sentence).toContain('refused a request 3 hours ago.')
})

test('a pause is named with its wait and its reason, whichever limit it is (8.2)', () => {
  const minute = shown(reading(45), { read: window_({ remaining: 0, reset_in_ms: 50_000 }) })
  expect(minute.sentence).toBe('Paused: 50 sec. No requests of this minute are left.')
  const unknown = { code: 'limit_unknown', ends_in_ms: 130_000, reasons: [] } as const
  expect(shown({}, { pauses: [unknown] }).sentence).toBe('Paused: 2 min 10 sec.')
})

test('without a limit the sentence says why, and claims none (8.3)', () => {
  expect(shown({}, { month: { ...unseen, plan: 'business' } })).toMatchObject({
    sentence: 'No monthly limit on Business: only the speed limit counts.',
    number: '3 sent by this app',
  })
  expect(shown({}, { month: unseen })).toMatchObject({
    sentence: 'The month’s limit is not known. A request may show it.',
    number: '3 sent by this app',
  })
})

test.each<[changes: Partial<MonthSnapshot>, words: string]>([
  [reading(45), '55 of 100 requests left · as of 2 hours ago'],
  [reading(41, 45), '55–59 of 100 requests left · as of 2 hours ago'],
  [{}, 'At most 97 of 100 requests left · others not counted'],
  [{ low: 99, high: 101 }, 'At most 1 of 100 requests left · others not counted'],
  [reading(100), '0 of 100 requests left'],
  [{ low: 100, high: 100 }, '0 of 100 requests left'],
  [{ ...reading(45), ...SUSPECTED }, '0 of 100 requests left'],
  [{ ...reading(0, 71), ...TURNING }, 'At least 29 of 100 requests left'],
])('the number for %o is %j (C23)', (changes, number) => {
  expect(shown(changes).number).toBe(number)
})

test.each<[Partial<MonthSnapshot>, tone: string, shape: string]>([
  [{ ...reading(45), ...pace('on_pace') }, 'ok', 'check'],
  [{ ...reading(45), ...pace('over') }, 'low', 'triangle'],
  [reading(100), 'none', 'square'],
  [{ ...reading(45), ...TURNING }, 'unknown', 'diamond'],
])('a verdict has a shape beside its colour: %o is %s and a %s (D5)', (changes, ...looks) => {
  expect(shown(changes).looks).toEqual(looks)
})

test.each(['en', 'ja'] as const)(
  'in %s every snapshot has words, and none has a gap (8.3)',
  async (language) => {
    await loadLanguage(language)
    fc.assert(
      fc.property(anySnapshot, fc.nat(3_600_000), (snapshot, elapsedMs) => {
        const sentence = verdictWords(verdictOf(snapshot, Date.UTC(2026, 10, 21, 12), elapsedMs), true)
        const words = [...figureWords(snapshot.month, elapsedMs), sentence]
        expect(words.filter((text) => text === '' || /undefined|NaN|Infinity|Invalid/.test(text))).toEqual([])
      }),
      { numRuns: 500 },
    )
  },
)

function bar(changes: Partial<MonthSnapshot>, limit = 100) {
  draw(<MonthBar month={month(changes)} limit={limit} />)
  const meter = screen.getByRole('meter')
  const items = within(screen.getByRole('list')).getAllByRole('listitem')
  return {
    meter,
    parts: [...meter.querySelectorAll('rect')].map((part) => part.getAttribute('width')),
    legend: items.map(({ textContent }) => textContent.trim()),
  }
}

test.each<[Partial<MonthSnapshot>, parts: string, legend: string]>([
  [
    { low: 3, high: 5, ...reading(32, 36) },
    '64% 4% 29% 3%',
    'left 64–68, other apps 27–33, this app 3–5, may count 4',
  ],
  [{ low: 3, high: 3, ...reading(32) }, '68% 29% 3%', 'left 68, other apps 29, this app 3'],
  [{ low: 3, high: 5 }, '97% 3%', 'left, unless other apps used it, this app 3–5'],
  [{ low: 100, high: 105 }, '100%', 'left 0, this app 100–105'],
])(
  'the bar of %o is %s: left, in doubt, others, this app; its legend is "%s" (D5, 8.3)',
  (changes, ...expected) => {
    const { parts, legend } = bar(changes)
    expect([parts.join(' '), legend.join(', ')]).toEqual(expected)
  },
)

test.each<[Partial<MonthSnapshot>, now: string, spoken: string]>([
  [reading(32, 36), '64', '64–68 of 100 requests left'],
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
  expect(bar({}, 0).parts).toEqual([])
})
