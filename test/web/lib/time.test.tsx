import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import {
  agoWords,
  clockWords,
  countdownWords,
  dayWords,
  instantWords,
  useElapsed,
  whenWords,
} from '../../../src/web/lib/time.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test.each([
  [0, '0 s'],
  [-5, '0 s'],
  [21_001, '22 s'],
  [125_000, '2 min 5 s'],
  [7_200_000, '2 hours'],
  [800_000_000, '9 days'],
])('%i ms to go is %s', (ms, words) => {
  expect(countdownWords(ms)).toBe(words)
})

test.each([
  [0, 'just now'],
  [Number.NaN, 'just now'],
  [12_900, '12 s ago'],
  [184_000, '3 minutes ago'],
  [60_000, '1 minute ago'],
])('%d ms past is %s', (ms, words) => {
  expect(agoWords(ms)).toBe(words)
})

test('a day and an instant are in the reader’s zone (D9)', () => {
  // The tests' own zone is UTC+9.
  const atMs = Date.parse('2026-11-20T22:05:00Z')
  expect([dayWords(atMs), instantWords(atMs)]).toEqual(['Nov 21', 'Nov 21, 7:05 AM'])
})

test('an instant of the last 24 hours is a time, and an earlier one has its day (D9)', () => {
  const atMs = Date.parse('2026-11-20T22:05:00Z')
  const words = [1, 12 * 3_600_000 - 1, 12 * 3_600_000].map((ageMs) => clockWords(atMs, atMs + ageMs))
  expect(words).toEqual(['7:05 AM', '7:05 AM', 'Nov 21, 7:05 AM'])
})

test('with less motion the clock counts in steps of ten seconds (D7)', () => {
  vi.spyOn(globalThis, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList)
  expect(countdownWords(21_001)).toBe('30 s')
  expect(agoWords(12_900)).toBe('10 s ago')
})

let draws = 0
function Probe({ sinceMs }: { sinceMs: number }) {
  draws++
  return <p>{Math.round(useElapsed(sinceMs) / 1000)}</p>
}

test('the clock ticks each second while it can be seen, and never when hidden (D10)', () => {
  vi.useFakeTimers()
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false)
  render(<Probe sinceMs={performance.now()} />)
  act(() => void vi.advanceTimersByTime(3000))
  expect(screen.getByText('3')).toBeVisible()
  hidden.mockReturnValue(true)
  document.dispatchEvent(new Event('visibilitychange'))
  const before = draws
  act(() => void vi.advanceTimersByTime(60_000))
  expect(draws).toBe(before)
  hidden.mockReturnValue(false)
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(screen.getByText('63')).toBeVisible()
})

test('nothing ticks when nothing watches', () => {
  vi.useFakeTimers()
  const { unmount } = render(<Probe sinceMs={performance.now()} />)
  expect(vi.getTimerCount()).toBe(1)
  unmount()
  expect(vi.getTimerCount()).toBe(0)
})

test.each<[string, RegExp]>([
  ...['2021-03-14T09:26:53Z', '2021-03-14T18:26+09:00', '2021-03-14T09:26:53.123Z'].map(
    (text): [string, RegExp] => [text, /14.*2021.*(18|6):26/],
  ),
  ['2021-03-14', /Mar 14, 2021|14 Mar 2021/],
  ...[
    '2021',
    '2021-99-99',
    '14 March 2021',
    '2021-03-14T09:26:53Zx',
    '+44 1632 960 417',
    'May 2021 was warm',
  ].map((text): [string, RegExp] => [text, /^as it is$/]),
])('%s is shown as %s: an instant in the reader’s zone, a day as it is in every zone', (text, words) => {
  expect(whenWords(text)?.words ?? 'as it is').toMatch(words)
})
