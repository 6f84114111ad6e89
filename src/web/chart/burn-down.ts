/** The requests left in the month, day by day, for the chart. Instants are UNIX milliseconds. */
import { DAY_MS, HOUR_MS } from '../../contract/duration.ts'
import type { LedgerDay } from '../../contract/ledger.ts'
import type { Forecast, MonthSnapshot } from '../../contract/quota.ts'
import type { Interval } from '../../contract/month.ts'
import { resetSpan } from '../../contract/month-state.ts'

export interface MonthHistory {
  nowMs: number
  month: MonthSnapshot & { limit: number }
  days: readonly LedgerDay[]
  readings: readonly { count: number; atMs: number }[]
}

/** The requests left at an instant: between `low` and `high`, and drawn at `likely`. */
export interface ChartPoint extends Interval {
  atMs: number
  likely: number
  /** `day`: the end of a day of UTC. */
  kind: 'start' | 'day' | 'reading' | 'now'
}

export interface BurnDown {
  /** 00:00 on the first day of the month, in the reader's zone. */
  firstMs: number
  /** The earliest instant at which the service may have begun the month. */
  startMs: number
  nowMs: number
  /** By then the month surely is reset. */
  resetMs: number
  limit: number
  /** False without a reading: other apps may have used any of what is left. */
  isWhole: boolean
  /** In the order of time; the last is the present. */
  points: readonly ChartPoint[]
  /** To the end at the present pace; absent without a forecast of the whole organization. */
  forecast?: { atMs: number; left: number; runsOut: boolean; early: boolean }
}

export function burnDownOf({ nowMs, month, days, readings }: MonthHistory): BurnDown {
  const { limit, organization } = month
  const { low: earliestMs, high: resetMs } = resetSpan(month, nowMs)
  const startMs = Math.min(monthBefore(resetMs) - (resetMs - earliestMs), nowMs)
  const own = inUse(days)
  const known: Known[] = [
    { atMs: startMs, low: 0, high: 0 },
    ...readings
      .filter(({ atMs }) => organization && atMs > startMs && atMs < nowMs)
      .toSorted((a, b) => a.atMs - b.atMs)
      .map(({ count, atMs }) => ({ atMs, low: count, high: count })),
    { atMs: nowMs, ...(organization ?? month) },
  ]
  const middle = new Date((startMs + resetMs) / 2)
  const leftAt = organization ? leftOfAll(limit, known, own) : leftOfOwn(limit, month, own, nowMs)
  const present = leftAt(nowMs, 'now')
  const forecast = organization && forecastEnd(month, present, resetMs)
  return {
    firstMs: new Date(middle.getFullYear(), middle.getMonth(), 1).getTime(),
    startMs,
    nowMs,
    resetMs,
    limit,
    isWhole: organization !== undefined,
    points: [
      leftAt(startMs, 'start'),
      ...[
        ...daysBetween(Math.max(startMs, firstOfUtc(middle)), nowMs).map((atMs) => leftAt(atMs, 'day')),
        ...known.slice(1, -1).map(({ atMs }) => leftAt(atMs, 'reading')),
      ].toSorted((a, b) => a.atMs - b.atMs),
      present,
    ],
    ...(forecast && { forecast }),
  }
}

type LeftAt = (atMs: number, kind: ChartPoint['kind']) => ChartPoint

/** Between two counts of the organization. */
function leftOfAll(limit: number, known: readonly Known[], own: OwnUse): LeftAt {
  const left = (used: number): number => Math.max(0, limit - used)
  return (atMs, kind) => {
    const { low, high, likely } = usedAt(atMs, known, own)
    return { atMs, kind, low: left(high), high: left(low), likely: left(likely) }
  }
}

/** At most, because other apps may have used any of them. */
function leftOfOwn(limit: number, { low }: Interval, own: OwnUse, nowMs: number): LeftAt {
  return (atMs, kind) => {
    const high = Math.max(0, limit - (atMs < nowMs ? own.endedBy(atMs).low : low))
    return { atMs, kind, low: 0, high, likely: high }
  }
}

/** One month before a reset at 00:00 on the first in an unknown zone, at most 14 hours from UTC. */
function monthBefore(resetMs: number): number {
  const at = new Date(resetMs + 15 * HOUR_MS)
  const first = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1, 1) + (resetMs - first)
}

/** The days of UTC before it have the name of the former month. */
const firstOfUtc = (at: Date): number => Date.UTC(at.getFullYear(), at.getMonth(), 1)

/** The ends of the days of UTC. */
function daysBetween(startMs: number, endMs: number): number[] {
  const first = Math.floor(startMs / DAY_MS) + 1
  return Array.from(
    { length: Math.max(0, Math.ceil(endMs / DAY_MS) - first) },
    (_, at) => (first + at) * DAY_MS,
  )
}

function forecastEnd(
  { forecast, reserve }: MonthHistory['month'],
  { atMs, low }: ChartPoint,
  resetMs: number,
): BurnDown['forecast'] {
  if (forecast === undefined) return undefined
  const { state, early, difference = 0, runs_out_in_ms: runsOutInMs = 0 } = forecast
  if (state === 'runs_out') return { atMs: atMs + runsOutInMs, left: 0, runsOut: true, early }
  const sign = SIGNS[state]
  if (sign === undefined) return undefined
  const left = Math.min(low, Math.max(0, (reserve?.sign_in ?? 0) + sign * difference))
  return { atMs: resetMs, left, runsOut: false, early }
}

/** Signs of `difference`, which is measured from the requests that the reserve leaves. */
const SIGNS: { [State in Forecast['state']]?: number } = { under: 1, on_pace: 0, over: -1 }

/** The requests that an even use of the month would leave. */
export function evenPaceAt({ startMs, resetMs, limit }: BurnDown, atMs: number): number {
  const share = (atMs - startMs) / Math.max(1, resetMs - startMs)
  return Math.round(limit * Math.min(1, Math.max(0, 1 - share)))
}

export interface Known extends Interval {
  atMs: number
}

/** This app's own requests up to an instant, by days of UTC. */
export interface OwnUse {
  /** Requests of the days that have ended. */
  endedBy: (atMs: number) => Interval
  /** With those of the day that has begun. */
  begunBy: (atMs: number) => Interval
}

export function inUse(days: readonly LedgerDay[]): OwnUse {
  const starts = days.map(({ day, low, high }) => ({ startMs: Date.parse(day), low, high }))
  const sum = (untilMs: number): Interval =>
    starts
      .filter(({ startMs }) => startMs <= untilMs)
      .reduce(({ low, high }, day) => ({ low: low + day.low, high: high + day.high }), { low: 0, high: 0 })
  return { endedBy: (atMs) => sum(atMs - DAY_MS), begunBy: (atMs) => sum(atMs - 1) }
}

/**
 * Between two counts the use is at least the first and at most the second, less what this app surely sent
 * after it. The likely number spreads the rest evenly over the time.
 */
export function usedAt(atMs: number, known: readonly Known[], own: OwnUse): Interval & { likely: number } {
  const next = known.findIndex((one) => one.atMs >= atMs)
  const [a, b] = [known[next - 1], known[next]]
  if (b === undefined) return { low: 0, high: 0, likely: 0 }
  if (a === undefined || b.atMs === atMs) return { low: b.low, high: b.high, likely: b.high }
  const share = (atMs - a.atMs) / (b.atMs - a.atMs)
  // An earlier count was corrected, or the month was reset.
  if (b.high < a.low) return { low: b.low, high: a.high, likely: a.high + (b.high - a.high) * share }
  const since = Math.max(0, own.endedBy(atMs).low - own.begunBy(a.atMs).high)
  const later = Math.max(0, own.endedBy(b.atMs).low - own.begunBy(atMs).high)
  const low = Math.min(a.low + since, b.high)
  const high = Math.max(b.high - later, low)
  return { low, high, likely: low + (high - low) * share }
}
