/** The month: kinds of requests, their count, and its reset (8.3). The service reports none of it. */
import { HOUR_MS, MINUTE_MS } from './duration.ts'
import { ASSUMED, type Assumptions, type Counts } from './assumptions.ts'

export type RequestKind = keyof Assumptions['counts_in_month']

/**
 * The outcome of a request. `reserved`: recorded, no answer yet. `settled`: answered. `void`: provably never
 * sent. `uncertain`: it may have arrived, but no clear answer came.
 */
export type Outcome = 'reserved' | 'settled' | 'void' | 'uncertain'

export interface KindCount {
  kind: RequestKind
  outcome: Outcome
  /** Answered with 2xx. */
  succeeded: boolean
  count: number
}

/** The true number lies in [low, high]. */
export interface Interval {
  low: number
  high: number
}

/**
 * Low: requests that surely count. High: all that may count, also those without an answer (8.3).
 * @param assumed says which requests count; the document says it only for API requests
 */
export function countRequests(
  kindCounts: readonly KindCount[],
  assumed: Pick<Assumptions, 'counts_in_month' | 'failed_requests_count_in_month'> = ASSUMED,
): Interval {
  const sum = (...counted: Counts[]) =>
    kindCounts
      .filter((kindCount) => counted.includes(isInMonth(kindCount, assumed)))
      .reduce((total, { count }) => total + count, 0)
  return { low: sum('yes'), high: sum('yes', 'unknown') }
}

export function isInMonth(
  { kind, outcome, succeeded }: Omit<KindCount, 'count'>,
  assumed: Pick<Assumptions, 'counts_in_month' | 'failed_requests_count_in_month'> = ASSUMED,
): Counts {
  const byKind = assumed.counts_in_month[kind]
  if (byKind === 'no' || outcome === 'void') return 'no'
  // Without an answer, it may never have arrived.
  if (outcome !== 'settled') return 'unknown'
  if (succeeded || assumed.failed_requests_count_in_month === 'yes') return byKind
  return assumed.failed_requests_count_in_month
}

/**
 * The bounds are 00:00 on the first day (8.3), or the first instant of that day if 00:00 does not exist.
 * @param zone an IANA name
 * @returns UNIX milliseconds
 */
export function monthBounds(nowMs: number, zone: string): Bounds {
  const known = lastBounds.get(zone) ?? []
  const found = known.find(({ startMs, endMs }) => nowMs >= startMs && nowMs < endMs)
  if (found) return found
  const month = monthIndex(nowMs, zone)
  const bounds = { startMs: firstInstant(month, zone), endMs: firstInstant(month + 1, zone) }
  lastBounds.set(zone, [bounds, ...known.slice(0, 1)])
  return bounds
}

interface Bounds {
  startMs: number
  endMs: number
}

/** The present month in each zone in which it may be reset (8.3: not shown), in UNIX milliseconds. */
export const monthsAt = (
  nowMs: number,
  assumed: Pick<Assumptions, 'month_zones'> = ASSUMED,
): { startMs: number; endMs: number }[] => assumed.month_zones.map((zone) => monthBounds(nowMs, zone))

/** These are the zones that are assumed without evidence. */
export const areAssumedZones = (zones: readonly string[]): boolean =>
  zones.join() === ASSUMED.month_zones.join()

interface Span {
  earliest: number
  latest: number
}

/**
 * The present month over all candidate zones, in UNIX milliseconds: the spans of its start and its end,
 * whether the zones disagree about the month, and the time at which the count is reset in every zone.
 */
export function monthSpan(
  nowMs: number,
  assumed: Pick<Assumptions, 'month_zones'> = ASSUMED,
): { startMs: Span; endMs: Span; mayHaveReset: boolean; allResetMs: number } {
  const months = monthsAt(nowMs, assumed)
  const span = (instants: number[]): Span => ({
    earliest: Math.min(...instants),
    latest: Math.max(...instants),
  })
  const endMs = span(months.map((month) => month.endMs))
  const near = (instant: number) => instant < endMs.earliest + LONGEST_BOUNDARY_MS
  const startMs = span(months.map((month) => month.startMs))
  const mayHaveReset = !near(endMs.latest)
  // The assumed zones stand for all zones between them, any of which may have been reset last, or is next.
  const isAnyZone = mayHaveReset && areAssumedZones(assumed.month_zones)
  const ofAnyZone = () => ({
    earliest: Math.min(...monthsAt(startMs.latest - 1, assumed).map((month) => month.startMs)),
    latest: Math.floor(nowMs / QUARTER_MS) * QUARTER_MS,
  })
  return {
    startMs: isAnyZone ? ofAnyZone() : startMs,
    endMs,
    mayHaveReset,
    allResetMs: Math.max(...months.map((month) => month.endMs).filter(near)),
  }
}

/** Zones differ by 26 hours; two months by 28 days at least. */
const LONGEST_BOUNDARY_MS = 48 * HOUR_MS

/** Asking a zone is slow, and a month is long. While the zones disagree, two months are asked for in turn. */
const lastBounds = new Map<string, readonly Bounds[]>()

const QUARTER_MS = 15 * MINUTE_MS
const DAY_QUARTERS = 96
const formats = new Map<string, Intl.DateTimeFormat>()

function monthIndex(ms: number, zone: string): number {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      year: 'numeric',
      month: 'numeric',
    })
    formats.set(zone, format)
  }
  // For example 11/2026.
  const [month, year] = format.format(ms).split('/')
  return Number(year) * 12 + Number(month) - 1
}

/** Binary search, since only the formatter knows the zone's offset: a multiple of 15 minutes below a day. */
function firstInstant(month: number, zone: string): number {
  const utc = Date.UTC(Math.floor(month / 12), month % 12, 1)
  let [before, after] = [-DAY_QUARTERS, DAY_QUARTERS]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (monthIndex(utc + middle * QUARTER_MS, zone) < month) before = middle
    else after = middle
  }
  return utc + after * QUARTER_MS
}
