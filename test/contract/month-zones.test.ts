import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ASSUMED } from '../../src/contract/assumptions.ts'
import { monthBounds } from '../../src/contract/month.ts'
import { zonesThatFit } from '../../src/contract/month-zones.ts'

const ALL = ASSUMED.month_zones
const span = (after: string, by: string) => ({ afterMs: Date.parse(after), byMs: Date.parse(by) })
/** The months of a year, from the month of the instant on. */
const monthsOf = (zone: string, fromMs: number) => {
  const ends: number[] = []
  for (let ms = fromMs; ends.length < 12; ms = ends.at(-1) ?? 0) ends.push(monthBounds(ms, zone).endMs)
  return ends.join()
}

test.each([
  ['refused at 23:58 and served at 00:02 of Tokyo', '2026-11-30T14:58Z', '2026-11-30T15:02Z', 'Asia/Tokyo'],
  ['of UTC', '2026-11-30T23:58Z', '2026-12-01T00:02Z', 'UTC'],
  ['of New York in winter', '2026-12-01T04:58Z', '2026-12-01T05:02Z', 'America/New_York'],
  ['of New York in summer', '2026-08-01T03:58Z', '2026-08-01T04:02Z', 'America/New_York'],
  ['after a February of 28 days', '2026-02-28T23:58Z', '2026-03-01T00:02Z', 'UTC'],
  ['after a February of 29 days', '2028-02-29T14:58Z', '2028-02-29T15:02Z', 'Asia/Tokyo'],
  ['of the zone of India', '2026-04-30T18:25Z', '2026-04-30T18:35Z', 'Asia/Kolkata'],
  ['of the first zone of all', '2026-11-30T09:00Z', '2026-11-30T10:00Z', 'Pacific/Kiritimati'],
  ['of the last zone of all', '2026-12-01T11:59:59.999Z', '2026-12-01T12:00Z', 'Etc/GMT+12'],
])(
  '%s leaves the zones whose month began between the two, the best known first (8.3)',
  (_, after, by, zone) => {
    const found = zonesThatFit(ALL, span(after, by))
    expect(found[0]).toBe(zone)
    const bounds = span(after, by)
    for (const one of found) {
      expect(monthBounds(bounds.byMs, one).startMs).toBeGreaterThan(bounds.afterMs)
      expect(monthBounds(bounds.byMs, one).startMs).toBeLessThanOrEqual(bounds.byMs)
    }
  },
)

test('a month that begins at the first instant is not in the span, one that begins at the last is (8.3)', () => {
  const utc = Date.UTC(2026, 11, 1)
  expect(zonesThatFit(['UTC'], { afterMs: utc, byMs: utc + 1000 })).toEqual([])
  expect(zonesThatFit(['UTC'], { afterMs: utc - 1, byMs: utc })).toEqual(['UTC'])
})

test('zones with the same months over a year have one name, and those that differ in summer have two (8.3)', () => {
  const winter = zonesThatFit(ALL, span('2026-11-30T14:58Z', '2026-11-30T15:02Z'))
  expect(winter).toEqual(['Asia/Tokyo'])
  const eastern = zonesThatFit(ALL, span('2026-12-01T04:58Z', '2026-12-01T05:02Z'))
  const fromMs = Date.UTC(2026, 11, 1, 6)
  expect(new Set(eastern.map((zone) => monthsOf(zone, fromMs))).size).toBe(eastern.length)
  expect(eastern).toContain('America/Bogota')
  expect(eastern).not.toContain('America/Toronto')
})

test('a second span removes zones of those that are left, and adds none (8.3)', () => {
  const winter = zonesThatFit(ALL, span('2026-12-01T04:58Z', '2026-12-01T05:02Z'))
  const summer = zonesThatFit(winter, span('2027-08-01T03:58Z', '2027-08-01T04:02Z'))
  expect(summer).toContain('America/New_York')
  expect(summer).not.toContain('America/Bogota')
  expect(winter).toEqual(expect.arrayContaining([...summer]))
})

test('zones that are left are not taken for those that are assumed (8.3)', () => {
  const last = zonesThatFit(ALL, span('2026-12-01T11:30Z', '2026-12-01T12:00Z'))
  expect(last).toEqual(['Etc/GMT+12'])
  expect(zonesThatFit(last, span('2026-12-31T14:58Z', '2026-12-31T15:02Z'))).toEqual([])
})

test('a zone between the first and the last is found if neither has the start of a month in the span (8.3)', () => {
  expect(zonesThatFit(ALL, span('2026-11-30T10:30Z', '2026-11-30T11:00Z'))).toContain('Pacific/Apia')
})

test('a span with the month’s begin in every zone removes none, and one without any leaves none (8.3)', () => {
  expect(zonesThatFit(ALL, span('2026-11-20T12:00Z', '2026-12-02T12:00Z'))).toBe(ALL)
  expect(zonesThatFit(ALL, span('2026-11-20T12:00Z', '2026-11-20T13:00Z'))).toEqual([])
  expect(zonesThatFit(['Asia/Tokyo'], span('2026-11-30T20:00Z', '2026-11-30T21:00Z'))).toEqual([])
  expect(zonesThatFit([], span('2026-11-30T20:00Z', '2026-11-30T21:00Z'))).toEqual([])
})

test('the true zone is never removed: it is left, or one that has its months (8.3)', () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), ...ALL)
  const month = fc.record({ year: fc.integer({ min: 2025, max: 2032 }), month: fc.nat(11) })
  const hours = fc.record({ before: fc.integer({ min: 1, max: 40 * 60 }), after: fc.nat(40 * 60) })
  fc.assert(
    fc.property(zone, month, hours, (truth, { year, month: index }, { before, after }) => {
      const resetMs = monthBounds(Date.UTC(year, index, 15), truth).startMs
      const seen = { afterMs: resetMs - before * 60_000, byMs: resetMs + after * 60_000 }
      const found = zonesThatFit(ALL, seen)
      const months = monthsOf(truth, seen.byMs)
      const isLeft = found === ALL || found.some((one) => monthsOf(one, seen.byMs) === months)
      expect([isLeft, zonesThatFit([truth], seen)]).toEqual([true, [truth]])
    }),
    { numRuns: 12 },
  )
})
