import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MonthSnapshot } from '../../../src/contract/quota.ts'
import {
  bandPath,
  burnDownOf,
  evenPaceAt,
  type MonthHistory,
  scaleOf,
  stepPath,
} from '../../../src/web/ledger/burn-down.ts'
import { snapshot } from '../_snapshot.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOW = Date.UTC(2026, 10, 21, 6)
/** The reset in all possible zones: from 10:00 UTC on the 30th until 12:00 on the 1st. */
const RESETS = {
  earliest: Date.UTC(2026, 10, 30, 10) - NOW,
  latest: Date.UTC(2026, 11, 1, 12) - NOW,
}

const history = (
  month: Partial<MonthSnapshot> = {},
  rest: Partial<MonthHistory> = {},
): Parameters<typeof burnDownOf>[0] => ({
  nowMs: NOW,
  days: [],
  readings: [],
  ...rest,
  month: { ...snapshot().month, low: 7, high: 9, limit: 100, resets_in_ms: RESETS, ...month, ...rest.month },
})

test.each([
  ['any zone', RESETS.earliest, RESETS.latest, Date.UTC(2026, 9, 31, 10)],
  ['UTC', Date.UTC(2026, 11, 1) - NOW, Date.UTC(2026, 11, 1) - NOW, Date.UTC(2026, 10, 1)],
  ['Tokyo', Date.UTC(2026, 10, 30, 15) - NOW, Date.UTC(2026, 10, 30, 15) - NOW, Date.UTC(2026, 9, 31, 15)],
  ['Kiritimati', RESETS.earliest, RESETS.earliest, Date.UTC(2026, 9, 31, 10)],
  ['GMT+12', RESETS.latest, RESETS.latest, Date.UTC(2026, 10, 1, 12)],
])('with the reset in %s the month began where its last one was (8.3)', (_, earliest, latest, startMs) => {
  expect(burnDownOf(history({ resets_in_ms: { earliest, latest } })).startMs).toBe(startMs)
})

test('the line falls by the requests of each day, and ends at the present count (8.3)', () => {
  const days = [
    { day: '2026-11-21', kind: 'api.read', low: 2, high: 2 },
    { day: '2026-11-03', kind: 'token.code', low: 0, high: 1 },
    { day: '2026-11-03', kind: 'api.read', low: 4, high: 4 },
    { day: '2026-11-04', kind: 'api.read', low: 1, high: 2 },
  ] as const
  expect(burnDownOf(history({}, { days })).own).toEqual([
    { atMs: Date.UTC(2026, 9, 31, 10), low: 100, high: 100 },
    { atMs: Date.UTC(2026, 10, 4), low: 95, high: 96 },
    { atMs: Date.UTC(2026, 10, 5), low: 93, high: 95 },
    { atMs: NOW, low: 91, high: 93 },
  ])
})

test('readings of the month are points in time order, and the last is the organization’s count (C10)', () => {
  const readings = [
    { count: 40, atMs: NOW - DAY_MS },
    { count: 12, atMs: NOW - 9 * DAY_MS },
    { count: 90, atMs: NOW - 40 * DAY_MS },
  ]
  const organization = { low: 41, high: 44, reading_age_ms: DAY_MS }
  const burnDown = burnDownOf(history({ organization }, { readings }))
  expect(burnDown.readings.map(({ low, high }) => [low, high])).toEqual([
    [88, 88],
    [60, 60],
  ])
  expect(burnDown.organization).toEqual({ atMs: NOW, low: 56, high: 59 })
  expect(burnDownOf(history()).organization).toBeUndefined()
})

test.each([
  [
    { state: 'runs_out', runs_out_in_ms: DAY_MS },
    { atMs: NOW + DAY_MS, left: 0 },
  ],
  [
    { state: 'under', difference: 20 },
    { atMs: NOW + RESETS.earliest, left: 22 },
  ],
  [{ state: 'on_pace' }, { atMs: NOW + RESETS.earliest, left: 2 }],
  [
    { state: 'over', difference: 1 },
    { atMs: NOW + RESETS.earliest, left: 1 },
  ],
  [
    { state: 'over', difference: 40 },
    { atMs: NOW + RESETS.earliest, left: 0 },
  ],
  [
    { state: 'under', difference: 95 },
    { atMs: NOW + RESETS.earliest, left: 91 },
  ],
  [{ state: 'too_early' }, undefined],
  [{ state: 'stale' }, undefined],
  [{ state: 'used_up' }, undefined],
] as const)('the forecast %j leads to %j (C36, C37)', (forecast, end) => {
  const month = { forecast: { early: false, ...forecast }, reserve: { person: 10, sign_in: 2 } }
  const line = burnDownOf(history(month)).forecast
  expect(line && { atMs: line.to.atMs, left: line.to.low }).toEqual(end)
  expect(line?.from).toEqual(line && { atMs: NOW, low: 91, high: 93 })
})

test('an even use is a line from the limit to zero at the earliest reset', () => {
  const burnDown = burnDownOf(history())
  const { startMs, reset } = burnDown
  const middle = (startMs + reset.earliestMs) / 2
  const at = [startMs - 1, startMs, middle, reset.earliestMs, reset.latestMs]
  expect(at.map((atMs) => evenPaceAt(burnDown, atMs))).toEqual([100, 100, 50, 0, 0])
})

test('steps hold a value until the next instant, and the band runs along the same steps', () => {
  const burnDown = { startMs: 0, reset: { earliestMs: 90, latestMs: 100 }, limit: 10, own: [], readings: [] }
  const scale = scaleOf(burnDown, 200, 100)
  const points = [
    { atMs: 0, low: 10, high: 10 },
    { atMs: 50, low: 6, high: 8 },
    { atMs: 75, low: 5, high: 5 },
  ]
  expect(stepPath(points, 'high', scale)).toBe('M0 0H100V20H150V50')
  expect(bandPath(points, scale)).toBe('M0 0H100V20H150V50L150 50V40H100V0H0Z')
})

test('for any month every number is drawn inside, and nothing is NaN (B7)', () => {
  const count = fc.nat(300)
  fc.assert(
    fc.property(count, count, count, fc.nat(40 * 24), fc.nat(26), (low, more, limit, hours, zone) => {
      const earliest = hours * HOUR_MS
      const month = {
        low,
        high: low + more,
        limit,
        resets_in_ms: { earliest, latest: earliest + zone * HOUR_MS },
      }
      const burnDown = burnDownOf(history(month, { readings: [{ count: more, atMs: NOW }] }))
      const scale = scaleOf(burnDown, 640, 240)
      const path = bandPath([...burnDown.own, ...burnDown.readings], scale)
      const numbers = (path.match(/[^A-Z ]+/g) ?? []).map(Number)
      expect(numbers.every((number) => number >= 0 && number <= 640)).toBe(true)
      for (const { low, high } of burnDown.own)
        expect([low, high].every((left) => left >= 0 && left <= limit)).toBe(true)
    }),
  )
})
