import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { ASSUMED, type Assumptions, type Counts } from '../../src/contract/assumptions.ts'
import {
  countRequests,
  isInMonth,
  type KindCount,
  monthBounds,
  monthsAt,
  monthSpan,
  type Outcome,
  type RequestKind,
} from '../../src/contract/month.ts'

const count = (kind: RequestKind, outcome: Outcome, count: number, succeeded = false): KindCount => ({
  kind,
  outcome,
  succeeded,
  count,
})
const bounds = (now: string, zone: string) => {
  const { startMs, endMs } = monthBounds(Date.parse(now), zone)
  return [startMs, endMs].map((ms) => new Date(ms).toISOString())
}

test('requests that surely count are the low end, and all that may count the high end (8.3)', () => {
  const counts = [
    count('api.read', 'settled', 40, true),
    count('api.update', 'settled', 5, true),
    count('api.read', 'settled', 3),
    count('api.read', 'uncertain', 2),
    count('api.read', 'reserved', 1),
    count('api.read', 'void', 100),
    count('rate_limit', 'settled', 4, true),
    count('token.code', 'settled', 1, true),
    count('token.refresh', 'settled', 7, true),
  ]
  expect(countRequests(counts)).toEqual({ low: 45, high: 63 })
  expect(countRequests([])).toEqual({ low: 0, high: 0 })
})

test('the high end is never below the low one, and only what never left is in neither (8.3)', () => {
  const kinds: RequestKind[] = ['api.read', 'api.update', 'rate_limit', 'token.code', 'token.refresh']
  const counts = fc.record({
    kind: fc.constantFrom(...kinds),
    outcome: fc.constantFrom<Outcome[]>('reserved', 'settled', 'void', 'uncertain'),
    succeeded: fc.boolean(),
    count: fc.nat(50),
  })
  fc.assert(
    fc.property(fc.array(counts), (list) => {
      const { low, high } = countRequests(list)
      expect(low).toBeLessThanOrEqual(high)
      expect(countRequests(list.filter(({ outcome }) => outcome !== 'void'))).toEqual({ low, high })
    }),
  )
})

test.each<[KindCount, Counts, low: number, high: number]>([
  [count('rate_limit', 'reserved', 5), 'unknown', 0, 0],
  [count('rate_limit', 'settled', 5, true), 'yes', 0, 0],
  [count('api.read', 'settled', 3), 'yes', 3, 3],
  [count('api.read', 'settled', 3), 'unknown', 0, 3],
  [count('api.read', 'settled', 3), 'no', 0, 0],
  [count('api.read', 'settled', 3, true), 'no', 3, 3],
  [count('api.read', 'uncertain', 3), 'yes', 0, 3],
  [count('token.code', 'settled', 3), 'yes', 0, 3],
])('%j is counted where a failed request counts: %s, from %d to %d (8.3)', (kindCount, failed, low, high) => {
  const assumed: Assumptions = {
    ...ASSUMED,
    counts_in_month: { ...ASSUMED.counts_in_month, rate_limit: 'no' },
    failed_requests_count_in_month: failed,
  }
  expect(countRequests([kindCount], assumed)).toEqual({ low, high })
})

test('the candidate zones are UTC and the two in which a month begins first and last (8.3)', () => {
  const nowMs = Date.UTC(2026, 10, 20)
  const starts = monthsAt(nowMs).map(({ startMs }) => startMs)
  for (const zone of ['Asia/Tokyo', 'America/New_York', 'Pacific/Chatham', 'Pacific/Pago_Pago']) {
    expect(monthBounds(nowMs, zone).startMs).toBeGreaterThan(Math.min(...starts))
    expect(monthBounds(nowMs, zone).startMs).toBeLessThan(Math.max(...starts))
  }
  expect(starts).toContain(monthBounds(nowMs, 'UTC').startMs)
})

test.each([
  ['26-11-20T00:00:00', '26-10-31T10:00', '26-11-01T12:00', '26-11-30T10:00', '26-12-01T12:00', false],
  ['26-11-30T09:59:59', '26-10-31T10:00', '26-11-01T12:00', '26-11-30T10:00', '26-12-01T12:00', false],
  ['26-11-30T10:00:00', '26-10-31T10:00', '26-11-30T10:00', '26-12-01T00:00', '26-12-31T10:00', true],
  ['26-11-30T23:59:59', '26-10-31T10:00', '26-11-30T23:45', '26-12-01T00:00', '26-12-31T10:00', true],
  ['26-12-01T11:59:59', '26-11-01T00:00', '26-12-01T11:45', '26-12-01T12:00', '27-01-01T00:00', true],
  ['26-12-01T12:00:00', '26-11-30T10:00', '26-12-01T12:00', '26-12-31T10:00', '27-01-01T12:00', false],
])(
  'over its zones the month of %s began from %s to %s and ends from %s to %s; they disagree: %s (8.3)',
  (now, firstStart, lastStart, firstEnd, lastEnd, mayHaveReset) => {
    const at = (text: string) => Date.parse(`20${text}Z`)
    expect(monthSpan(at(now))).toMatchObject({
      startMs: { earliest: at(firstStart), latest: at(lastStart) },
      endMs: { earliest: at(firstEnd), latest: at(lastEnd) },
      mayHaveReset,
    })
  },
)

test('no month of any zone begins outside the span of its start, also while the zones disagree (8.3)', () => {
  const zones = Intl.supportedValuesOf('timeZone')
  for (const end of ['2026-03-31', '2026-10-31', '2026-11-30'])
    for (let hour = 9; hour <= 37; hour += 2) {
      const nowMs = Date.parse(`${end}T00:10Z`) + hour * 3_600_000
      const { earliest, latest } = monthSpan(nowMs).startMs
      const starts = zones.map((zone) => monthBounds(nowMs, zone).startMs)
      expect(Math.min(...starts)).toBeGreaterThanOrEqual(earliest)
      expect(Math.max(...starts)).toBeLessThanOrEqual(latest)
    }
})

test('while the zones disagree, a second look asks no zone again, which is slow (8.3)', () => {
  const nowMs = Date.parse('2026-11-30T17:00:00Z')
  const span = monthSpan(nowMs)
  const formats: { readonly format: unknown } = Intl.DateTimeFormat.prototype
  const format = vi.spyOn(formats, 'format', 'get')
  expect(monthSpan(nowMs)).toEqual(span)
  expect(format).not.toHaveBeenCalled()
  format.mockRestore()
})

test('while the zones disagree, any zone between those that are assumed may have been reset last (8.3)', () => {
  const inNewYork = monthBounds(Date.parse('2026-12-01T06:00:00Z'), 'America/New_York').startMs
  const { latest } = monthSpan(Date.parse('2026-12-01T05:00:00Z')).startMs
  expect(latest).toBe(inNewYork)
  const learnt = { month_zones: ['UTC', 'Etc/GMT+12'] }
  expect(monthSpan(Date.parse('2026-12-01T05:00:00Z'), learnt).startMs.latest).toBe(Date.UTC(2026, 11, 1))
})

test.each([
  ['2026-11-20T00:00:00Z', '2026-12-01T12:00:00Z'],
  ['2026-11-30T10:00:00Z', '2026-12-01T12:00:00Z'],
  ['2026-12-01T11:59:59Z', '2026-12-01T12:00:00Z'],
  ['2026-12-01T12:00:00Z', '2027-01-01T12:00:00Z'],
])('at %s the count is reset in every zone by %s (8.3)', (now, reset) => {
  expect(monthSpan(Date.parse(now)).allResetMs).toBe(Date.parse(reset))
  const { endMs } = monthBounds(Date.parse(now), 'Asia/Tokyo')
  expect(monthSpan(Date.parse(now), { month_zones: ['Asia/Tokyo'] })).toMatchObject({
    allResetMs: endMs,
    mayHaveReset: false,
  })
})

test.each([
  ['2026-11-20T12:00:00Z', 'UTC', '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
  ['2026-11-30T14:59:59Z', 'Asia/Tokyo', '2026-10-31T15:00:00.000Z', '2026-11-30T15:00:00.000Z'],
  ['2026-11-30T15:00:00Z', 'Asia/Tokyo', '2026-11-30T15:00:00.000Z', '2026-12-31T15:00:00.000Z'],
  ['2026-03-15T00:00:00Z', 'America/New_York', '2026-03-01T05:00:00.000Z', '2026-04-01T04:00:00.000Z'],
  ['2026-10-15T00:00:00Z', 'Europe/Berlin', '2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'],
  ['2026-10-15T00:00:00Z', 'Australia/Lord_Howe', '2026-09-30T13:30:00.000Z', '2026-10-31T13:00:00.000Z'],
  ['2026-07-01T00:00:00Z', 'Pacific/Kiritimati', '2026-06-30T10:00:00.000Z', '2026-07-31T10:00:00.000Z'],
  ['2026-07-02T00:00:00Z', 'Etc/GMT+12', '2026-07-01T12:00:00.000Z', '2026-08-01T12:00:00.000Z'],
  ['2026-07-02T00:00:00Z', 'Asia/Kathmandu', '2026-06-30T18:15:00.000Z', '2026-07-31T18:15:00.000Z'],
])('the month of %s in %s is the one from %s to %s (8.3)', (now, zone, start, end) => {
  expect(bounds(now, zone)).toEqual([start, end])
})

test.each([
  ['America/Asuncion', '2023-10-20T00:00:00Z', '2023-10-01T04:00:00.000Z'],
  ['Asia/Amman', '2011-04-20T00:00:00Z', '2011-03-31T22:00:00.000Z'],
])(
  'where 00:00 does not exist, as in %s, the month begins with the first instant of its day (8.3)',
  (zone, now, start) => {
    expect(bounds(now, zone)[0]).toBe(start)
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' })
    expect(clock.format(Date.parse(start))).toBe('01:00')
  },
)

test('in any zone the months lie end to end and hold every instant once (8.3)', () => {
  const zones = [
    'UTC',
    'Asia/Tokyo',
    'America/New_York',
    'Europe/London',
    'Pacific/Chatham',
    'Pacific/Apia',
    'Africa/Cairo',
  ]
  const instants = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) })
  fc.assert(
    fc.property(fc.constantFrom(...zones), instants, (zone, nowMs) => {
      const { startMs, endMs } = monthBounds(nowMs, zone)
      expect(startMs).toBeLessThanOrEqual(nowMs)
      expect(endMs).toBeGreaterThan(nowMs)
      expect(monthBounds(startMs, zone)).toEqual({ startMs, endMs })
      expect(monthBounds(startMs - 1, zone).endMs).toBe(startMs)
      const day = new Intl.DateTimeFormat('en-GB', { timeZone: zone, day: 'numeric' })
      expect([startMs, startMs - 1, endMs].map((ms) => day.format(ms) === '1')).toEqual([true, false, true])
    }),
    { numRuns: 60 },
  )
})

test('a request that was never sent counts nowhere, also where refusals do (8.3)', () => {
  const assumed = { ...ASSUMED, failed_requests_count_in_month: 'yes' } as const
  expect(isInMonth({ kind: 'api.read', outcome: 'void', succeeded: false }, assumed)).toBe('no')
})
