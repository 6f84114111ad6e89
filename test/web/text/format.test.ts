import { afterEach, expect, test, vi } from 'vitest'
import {
  agoWords,
  clockWords,
  countdownWords,
  dayWords,
  formatAsBrowser,
  formatAsServer,
  instantWords,
  listText,
  monthWords,
  numberText,
  rangeText,
  sentences,
  setLocale,
  spanWords,
  utcDayWords,
  writtenDayWords,
} from '../../../src/web/text/format.ts'

/** The browser's languages. */
const prefer = (...tags: string[]) => vi.spyOn(navigator, 'languages', 'get').mockReturnValue(tags)

afterEach(() => {
  prefer('en-US')
  setLocale('en')
})

test.each([
  [0, '0 sec'],
  [-5, '0 sec'],
  [21_001, '22 sec'],
  [125_000, '2 min 5 sec'],
  [7_200_000, '2 hours'],
  [800_000_000, '9 days'],
])('%i ms to go is %s', (ms, words) => {
  expect(countdownWords(ms)).toBe(words)
})

test.each([
  [0, 'just now'],
  [Number.NaN, 'just now'],
  [12_900, '12 seconds ago'],
  [184_000, '3 minutes ago'],
  [60_000, '1 minute ago'],
  [59.5 * 60_000, '1 hour ago'],
])('%d ms past is %s (D9)', (ms, words) => {
  expect(agoWords(ms)).toBe(words)
})

const MINUTE = 60_000
test.each([
  [1, '1 minute'],
  [59.5 * MINUTE - 1, '59 minutes'],
  [59.5 * MINUTE, '1 hour'],
  [47.5 * 60 * MINUTE - 1, '47 hours'],
  [47.5 * 60 * MINUTE, '2 days'],
])('a span is rounded before its unit is chosen: %d ms are %s (D9)', (ms, words) => {
  expect(spanWords(ms)).toBe(words)
})

test('with less motion the clock counts in steps of ten seconds (D7)', () => {
  vi.spyOn(globalThis, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList)
  expect(countdownWords(21_001)).toBe('30 sec')
  expect(agoWords(12_900)).toBe('10 seconds ago')
})

test('spans, ages, ranges and lists are in the language of the page (D9)', () => {
  prefer('ja')
  setLocale('ja')
  expect(countdownWords(125_000)).toBe('2 分 5 秒')
  expect([agoWords(0), agoWords(184_000)]).toEqual(['たった今', '3 分前'])
  expect(rangeText({ low: 3, high: 5 })).toBe('3\u2060～\u20605')
  expect(listText(['50', '80', '95'])).toBe('50、80、95')
})

test('a range of one number is that number, and numbers have the reader’s own form (D9)', () => {
  prefer('de', 'en-IN')
  setLocale('en')
  expect(numberText(1_234_567)).toBe('12,34,567')
  expect(rangeText({ low: 3, high: 3 })).toBe('3')
  expect(rangeText({ low: 3, high: 5 })).toBe('3–5')
})

test('English sentences have a space between them, Japanese ones none, and empty ones are left out', () => {
  expect(sentences('1.', '', '2.')).toBe('1. 2.')
  setLocale('ja')
  expect(sentences('1.', '', '2.')).toBe('1.2.')
})

test('dates have the reader’s form of the language (D9)', () => {
  const shown = (language: 'en' | 'ja', ...tags: string[]) => {
    prefer(...tags)
    setLocale(language)
    return writtenDayWords('2026-11-21')
  }
  expect(shown('en', 'ja', 'en-GB')).toBe('21 Nov 2026')
  expect(shown('ja', 'ja', 'en-GB')).toBe('2026/11/21')
  expect(shown('en', 'en-US@posix', 'en-GB')).toBe('21 Nov 2026')
  expect(shown('en', 'en-US@posix')).toBe('Nov 21, 2026')
  expect(shown('ja', 'fr')).toBe('2026/11/21')
})

test('as on a server a date is in the zone of the reader, and nothing asks for less motion (D9)', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  const shown = () => [instantWords(Date.UTC(2026, 10, 21, 12)), countdownWords(21_000)]
  setLocale('en', 'en-us')
  formatAsServer('Pacific/Honolulu')
  expect(shown()).toEqual(['Nov 21, 2:00 AM', '21 sec'])
  formatAsBrowser()
  expect(shown()).toEqual(['Nov 21, 9:00 PM', '30 sec'])
  vi.unstubAllGlobals()
})

// The tests' own zone is UTC+9.
const AT_MS = Date.parse('2026-11-20T22:05:00Z')

test('a day and an instant are in the reader’s zone, a day of UTC and a month are not (D9)', () => {
  expect([dayWords(AT_MS), instantWords(AT_MS)]).toEqual(['Nov 21', 'Nov 21, 7:05 AM'])
  expect([utcDayWords(AT_MS), utcDayWords('2026-11-20'), monthWords('2026-11')]).toEqual([
    'Nov 20',
    'Nov 20',
    'Nov 2026',
  ])
})

test('an instant of the last half day is a time, and an earlier one has its day (D9)', () => {
  const words = [1, 12 * 3_600_000 - 1, 12 * 3_600_000].map((ageMs) => clockWords(AT_MS, AT_MS + ageMs))
  expect(words).toEqual(['7:05 AM', '7:05 AM', 'Nov 21, 7:05 AM'])
})

test.each([
  ['2021-03-14T20:26:53Z', 'Mar 15, 2021'],
  ['2021-03-14T18:26+09:00', 'Mar 14, 2021'],
  ['2021-03-14', 'Mar 14, 2021'],
])('%s is the day %s: an instant in the reader’s zone, a day as it is in every zone', (written, words) => {
  expect(writtenDayWords(written)).toBe(words)
})
