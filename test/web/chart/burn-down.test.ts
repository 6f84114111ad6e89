import * as fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { type BurnDown, evenPaceAt } from '../../../src/web/chart/burn-down.ts'
import { areaPath, linesOf, scaleOf } from '../../../src/web/chart/drawing.tsx'
import { burnDown, DAY_MS, NOW, withReadings } from './_burn-down.ts'

const HOUR_MS = DAY_MS / 24
const zone = process.env['TZ']
afterEach(() => setZone(zone))

function setZone(name: string | undefined): void {
  if (name === undefined) delete process.env['TZ']
  else process.env['TZ'] = name
}

const inMs = (...[month, day, hour = 0]: [month: number, day: number, hour?: number]): number =>
  Date.UTC(2026, month, day, hour) - NOW
const EARLIEST = inMs(10, 30, 10)
const LATEST = inMs(11, 1, 12)

test.each([
  ['any zone', EARLIEST, LATEST, Date.UTC(2026, 9, 31, 10)],
  ['UTC', inMs(11, 1), inMs(11, 1), Date.UTC(2026, 10, 1)],
  ['Tokyo', inMs(10, 30, 15), inMs(10, 30, 15), Date.UTC(2026, 9, 31, 15)],
  ['Kiritimati', EARLIEST, EARLIEST, Date.UTC(2026, 9, 31, 10)],
  ['GMT+12', LATEST, LATEST, Date.UTC(2026, 10, 1, 12)],
])('with the reset in %s the month began where its last one was (8.3)', (_, earliest, latest, startMs) => {
  expect(burnDown({ resets_in_ms: { earliest, latest } }).startMs).toBe(startMs)
})

test.each([
  ['Pacific/Kiritimati', -840],
  ['Asia/Tokyo', -540],
  ['UTC', 0],
  ['America/New_York', 300],
  ['Pacific/Pago_Pago', 660],
])(
  'in %s the axis begins at midnight of November 1, whatever the zone of the reset (8.3)',
  (name, offset) => {
    setZone(name)
    expect(new Date(NOW).getTimezoneOffset()).toBe(offset)
    for (const resets_in_ms of [
      { earliest: EARLIEST, latest: LATEST },
      { earliest: EARLIEST, latest: EARLIEST },
      { earliest: LATEST, latest: LATEST },
    ]) {
      const { firstMs, points } = burnDown({ resets_in_ms })
      expect(firstMs).toBe(new Date(2026, 10, 1).getTime())
      const first = points.find(({ kind }) => kind === 'day')
      expect(new Date((first?.atMs ?? 0) - 1).toISOString().slice(0, 10)).toBe('2026-11-01')
    }
  },
)

test('the reset falls on a whole minute, so that its day is the right one (8.3)', () => {
  const early = { earliest: inMs(11, 1) - 40, latest: inMs(11, 1) - 40 }
  expect(burnDown({ resets_in_ms: early }).resetMs).toBe(Date.UTC(2026, 11, 1))
})

const DAYS = [
  { day: '2026-11-21', kind: 'api.read', low: 2, high: 2 },
  { day: '2026-11-03', kind: 'token.code', low: 0, high: 1 },
  { day: '2026-11-03', kind: 'api.read', low: 4, high: 4 },
  { day: '2026-11-04', kind: 'api.read', low: 1, high: 2 },
] as const

test('without a reading each day has what this app leaves at most, and may have nothing left (8.3)', () => {
  const { points, isWhole } = burnDown({}, { days: DAYS })
  const of = (day: number) => points.find(({ atMs }) => atMs === Date.UTC(2026, 10, day))
  expect(isWhole).toBe(false)
  expect(points[0]).toMatchObject({ kind: 'start', high: 100 })
  expect(of(4)).toMatchObject({ kind: 'day', low: 0, high: 96, likely: 96 })
  expect(of(5)).toMatchObject({ low: 0, high: 95 })
  expect(points.at(-1)).toEqual({ atMs: NOW, kind: 'now', low: 0, high: 93, likely: 93 })
})

test('with readings each day lies between two counts of the organization (C10)', () => {
  const { points, isWhole } = withReadings()
  expect(isWhole).toBe(true)
  expect(points.filter(({ kind }) => kind === 'reading')).toEqual([
    { atMs: NOW - 10 * DAY_MS, kind: 'reading', low: 80, high: 80, likely: 80 },
  ])
  expect(points.at(-1)).toEqual({ atMs: NOW, kind: 'now', low: 40, high: 42, likely: 40 })
  const between = points.filter(({ atMs, kind }) => kind === 'day' && atMs > NOW - 10 * DAY_MS)
  expect(between).toHaveLength(10)
  expect(between.every(({ low, high }) => low === 40 && high === 80)).toBe(true)
  expect(between[4]?.likely).toBeCloseTo(80 - 40 * (4.75 / 10), 1)
})

test('what this app sent on whole days narrows the count between two readings (C10)', () => {
  const organization = { low: 60, high: 60, reading_age_ms: 0 }
  const readings = [{ count: 20, atMs: NOW - 10 * DAY_MS }]
  const days = [{ day: '2026-11-14', kind: 'api.read', low: 5, high: 6 }] as const
  const { points } = burnDown({ organization }, { readings, days })
  const at = (day: number) => points.find(({ atMs }) => atMs === Date.UTC(2026, 10, day))
  expect(at(14)).toMatchObject({ low: 45, high: 80 })
  expect(at(15)).toMatchObject({ low: 40, high: 75 })
})

test('readings of another month are left out, and so are all without a count of the organization', () => {
  const readings = [{ count: 90, atMs: NOW - 40 * DAY_MS }]
  const organization = { low: 58, high: 60, reading_age_ms: 0 }
  const kinds = (month: object) => burnDown(month, { readings }).points.map(({ kind }) => kind)
  expect(kinds({ organization })).not.toContain('reading')
  expect(kinds({})).not.toContain('reading')
})

test.each([
  [
    { state: 'runs_out', runs_out_in_ms: DAY_MS },
    { atMs: NOW + DAY_MS, left: 0, runsOut: true },
  ],
  [{ state: 'under', difference: 20 }, { left: 22 }],
  [{ state: 'on_pace' }, { left: 2 }],
  [{ state: 'over', difference: 1 }, { left: 1 }],
  [{ state: 'over', difference: 40 }, { left: 0 }],
  [{ state: 'under', difference: 95 }, { left: 40 }],
  [{ state: 'too_early' }, undefined],
  [{ state: 'stale' }, undefined],
  [{ state: 'used_up' }, undefined],
] as const)('the forecast %j leads to %j (C36, C37)', (forecast, end) => {
  const month = { forecast: { early: false, ...forecast }, reserve: { person: 10, sign_in: 2 } }
  const atReset = { atMs: NOW + LATEST, runsOut: false, early: false }
  expect(withReadings(month).forecast).toEqual(end && { ...atReset, ...end })
  expect(burnDown(month).forecast).toBeUndefined()
})

test('an even use is a line from the limit to zero at the reset', () => {
  const data = burnDown()
  const { startMs, resetMs } = data
  const middle = (startMs + resetMs) / 2
  const at = [startMs - 1, startMs, middle, resetMs, resetMs + 1]
  expect(at.map((atMs) => evenPaceAt(data, atMs))).toEqual([100, 100, 50, 0, 0])
})

/** 100 ms wide and 10 high. @param known what is left at each instant; `between` is not known exactly */
function dataOf(isWhole: boolean, ...known: [atMs: number, high: number, low?: number][]): BurnDown {
  const kinds = (low: number, high: number) => (low === high && isWhole ? 'reading' : 'day')
  const points = known.map(([atMs, high, low = high]) => ({
    atMs,
    low,
    high,
    likely: high,
    kind: kinds(low, high),
  }))
  return { ...burnDown(), firstMs: 0, resetMs: 100, limit: 10, isWhole, points } as BurnDown
}

function lines(...of: Parameters<typeof dataOf>) {
  const data = dataOf(...of)
  return { ...linesOf(data, scaleOf(data)), area: areaPath(data.points, 'low', scaleOf(data)) }
}

test('between two counts with a known sum alone the line is straight, and else holds a value (8.3)', () => {
  const once = lines(true, [0, 10], [20, 9, 5], [40, 7, 5], [60, 5], [80, 5, 2], [100, 2])
  expect(once).toMatchObject({ straight: 'M0 0L60 50M60 50L100 80', steps: 'M0 0M60 50M100 80' })
  expect(lines(true, [0, 10], [50, 7], [100, 5])).toMatchObject({ straight: '', steps: 'M0 0H50V30H100V50' })
})

test('without a reading the line holds what this app leaves at most, and the area is the same (8.3)', () => {
  const own = lines(false, [0, 10, 10], [50, 6, 0], [75, 5, 0])
  expect(own).toMatchObject({ straight: '', steps: 'M0 0H50V40H75V50' })
  expect(own.area).toBe('M0 0H50V100H75V100L75 100H0Z')
})

test('for any month every number is drawn inside, and nothing is NaN (B7)', () => {
  const count = fc.nat(300)
  fc.assert(
    fc.property(count, count, count, fc.nat(30 * 24), fc.nat(26), (low, more, limit, hours, boundary) => {
      const earliest = hours * HOUR_MS
      const counted = { low, high: low + more }
      const month = { ...counted, limit, resets_in_ms: { earliest, latest: earliest + boundary * HOUR_MS } }
      const readings = [more, low].map((count, at) => ({ count, atMs: NOW - (at + 1) * HOUR_MS }))
      for (const organization of [undefined, { ...counted, reading_age_ms: 0 }]) {
        const data = burnDown({ ...month, ...(organization && { organization }) }, { readings })
        const path = areaPath(data.points, 'high', scaleOf(data))
        const { steps, straight } = linesOf(data, scaleOf(data))
        const numbers = (`${path} ${steps} ${straight}`.match(/[^A-Z ]+/g) ?? []).map(Number)
        expect(numbers.every((number) => number >= 0 && number <= 100)).toBe(true)
        for (const { low, high, likely } of data.points)
          expect(0 <= low && low <= likely && likely <= high && high <= limit).toBe(true)
      }
    }),
  )
})
