import { afterEach, expect, test } from 'vitest'
import { utcDayWords } from '../../../src/web/chart/day-words.ts'
import { endWords, pointLeftWords, pointWords, summaryOf, whenWords } from '../../../src/web/chart/words.ts'
import { dayWords, instantWords } from '../../../src/web/lib/time.ts'
import { loadLanguage } from '../../../src/web/text/text.ts'
import { burnDown, DAY_MS, NOW, withReadings } from './_burn-down.ts'

afterEach(() => loadLanguage('en'))

test('without a reading the sentence says "at most", since other apps use the same month (8.3)', () => {
  expect(summaryOf(burnDown())).toBe(
    'At most 93 of 100 requests left: other apps may have used some. At an even pace, 31 would be left.',
  )
})

test('with a reading the sentence has the organization’s count (C10)', () => {
  expect(summaryOf(withReadings())).toBe('40–42 of 100 requests left. At an even pace, 31 would be left.')
})

const UNDER = { state: 'under', early: false, difference: 20 } as const

test.each([
  [UNDER, '20 left at the reset'],
  [{ ...UNDER, early: true }, 'perhaps 20 left at the reset'],
  [{ state: 'runs_out', early: false, runs_out_in_ms: 5 * DAY_MS }, `runs out ${dayWords(NOW + 5 * DAY_MS)}`],
  [{ state: 'too_early', early: true }, ''],
  [{ state: 'stale', early: false }, ''],
  [{ state: 'used_up', early: false }, ''],
] as const)('the forecast %j is "%s" (C36, C37)', (forecast, words) => {
  const data = withReadings({ forecast })
  expect(endWords(data)).toBe(words)
  expect(summaryOf(data).includes('Forecast: ')).toBe(words !== '')
  expect(summaryOf(data)).toContain(words)
})

test('each point has its day or its instant, and what is left (D8)', () => {
  const data = withReadings()
  const when = data.points.map((point) => whenWords(data, point))
  expect(when[0]).toBe(dayWords(data.firstMs))
  expect(when[1]).toBe('Nov 1')
  expect(when).toContain(instantWords(NOW - 10 * DAY_MS))
  expect(when.at(-1)).toBe(instantWords(NOW))
  const reading = data.points.find(({ kind }) => kind === 'reading')
  expect(reading && pointWords(data, reading)).toBe(`${instantWords(NOW - 10 * DAY_MS)}: 80 left`)
})

test('what is left is an interval, or "at most" without a reading (8.3)', () => {
  const words = (data: ReturnType<typeof burnDown>) =>
    data.points.map((point) => pointLeftWords(data, point)).at(-1)
  expect(words(withReadings())).toBe('40–42')
  expect(words(burnDown())).toBe('at most 93')
})

test('a day is a day of UTC, in the reader’s language (D9)', () => {
  const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  for (const given of ['2026-11-21', Date.UTC(2026, 10, 21, 23)])
    expect(utcDayWords(given)).toBe(day.format(Date.parse('2026-11-21T12:00:00Z')))
})

test('the sentence and the points are in Japanese too', async () => {
  await loadLanguage('ja')
  const data = withReadings({ forecast: UNDER })
  expect(summaryOf(data)).toBe(
    '100件中、残り40～42件です。均等ペースなら残り31件です。予測：リセット時に残り20件。',
  )
  expect(summaryOf(burnDown())).toContain('残り最大93件')
  const first = data.points[1]
  expect(first && pointWords(data, first)).toMatch(/：残り\d+～100件$/)
})
