import { expect, test } from 'vitest'
import type { BurnDown } from '../../../src/web/ledger/burn-down.ts'
import { pointsOf, pointWords, summaryOf } from '../../../src/web/ledger/burn-down-words.ts'
import { dayWords } from '../../../src/web/lib/time.ts'

const DAY_MS = 86_400_000
const at = (day: number): number => Date.UTC(2026, 10, day)
const point = (day: number, low: number, high = low) => ({ atMs: at(day), low, high })

const burnDown = (changes: Partial<BurnDown> = {}): BurnDown => ({
  startMs: at(1),
  reset: { earliestMs: at(31), latestMs: at(31) },
  limit: 100,
  own: [point(1, 100), point(11, 80, 82)],
  readings: [],
  ...changes,
})
const ORGANIZATION = { readings: [point(6, 70)], organization: point(11, 60, 62) }

test('without a reading the sentence says "at most", since others spend from the same month (8.3)', () => {
  expect(summaryOf(burnDown(), undefined)).toBe(
    'At most 80–82 of 100 left, since others spend from the same month; an even use of the month would have left 67.',
  )
})

test('with a reading the sentence has the organization’s count (C10)', () => {
  expect(summaryOf(burnDown(ORGANIZATION), undefined)).toBe(
    '60–62 of 100 left, by the newest reading and what came after it; an even use of the month would have left 67.',
  )
})

test.each([
  [{}, { state: 'on_pace' }, 'At the pace of this app alone it lasts until the reset.'],
  [ORGANIZATION, { state: 'on_pace' }, 'At this pace it lasts until the reset.'],
  [ORGANIZATION, { state: 'used_up' }, 'Nothing is left until the reset.'],
  [ORGANIZATION, { state: 'too_early' }, 'It is too early for a forecast.'],
] as const)('with %j the forecast %j is "%s" (C36, C37)', (counted, forecast, sentence) => {
  const summary = summaryOf(burnDown(counted), { early: false, ...forecast })
  expect(summary.split('would have left 67. ')[1]).toBe(sentence)
})

test('a run-out is named by its day, from the present of the chart (C37)', () => {
  const state = { state: 'runs_out', early: false, runs_out_in_ms: 16 * DAY_MS } as const
  expect(summaryOf(burnDown(ORGANIZATION), state)).toContain(`it lasts until ${dayWords(at(27))}.`)
})

test('the points are in the order of time, each with its source (D8)', () => {
  const points = pointsOf(burnDown(ORGANIZATION))
  expect(points.map(({ point, left, source }) => [point.atMs, left, source])).toEqual([
    [at(1), 'at most 100', 'by the requests of this app alone'],
    [at(6), '70', 'by a reading of the service’s own count'],
    [at(11), 'at most 80–82', 'by the requests of this app alone'],
    [at(11), '60–62', 'by the newest reading and what came after it'],
  ])
  const words = points.map(pointWords)
  expect(words[1]).toMatch(/: 70 left, by a reading of the service’s own count$/)
})
