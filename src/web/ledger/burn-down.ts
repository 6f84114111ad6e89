/** The requests left in the month, day by day, for the chart. Instants are UNIX milliseconds. */
import { DAY_MS, HOUR_MS } from '../../contract/duration.ts'
import type { LedgerDay } from '../../contract/ledger.ts'
import type { Forecast, MonthSnapshot } from '../../contract/quota.ts'

export interface MonthHistory {
  nowMs: number
  month: MonthSnapshot & { limit: number }
  days: readonly LedgerDay[]
  readings: readonly { count: number; atMs: number }[]
}

/** The requests left at an instant: between `low` and `high`. */
export interface LeftAt {
  atMs: number
  low: number
  high: number
}

export interface BurnDown {
  startMs: number
  reset: { earliestMs: number; latestMs: number }
  limit: number
  /** By the requests of this app alone. The last point is the present. */
  own: LeftAt[]
  readings: LeftAt[]
  /** By the newest reading and the requests after it. */
  organization?: LeftAt
  /** To the end at the present pace; absent without a forecast. */
  forecast?: { from: LeftAt; to: LeftAt }
}

export function burnDownOf({ nowMs, month, days, readings }: MonthHistory): BurnDown {
  const { earliest, latest } = month.resets_in_ms
  const reset = { earliestMs: nowMs + earliest, latestMs: nowMs + latest }
  const startMs = Math.min(monthBefore(reset.latestMs) - (latest - earliest), nowMs)
  const left = (atMs: number, used: { low: number; high: number }): LeftAt => ({
    atMs,
    low: Math.max(0, month.limit - used.high),
    high: Math.max(0, month.limit - used.low),
  })
  const present = left(nowMs, month.organization ?? month)
  const forecast = forecastEnd(month, present, reset.earliestMs)
  return {
    startMs,
    reset,
    limit: month.limit,
    own: [
      left(startMs, { low: 0, high: 0 }),
      ...cumulated(days)
        .map(({ endMs, used }) => left(endMs, used))
        .filter(({ atMs }) => atMs > startMs && atMs < nowMs),
      left(nowMs, month),
    ],
    readings: readings
      .filter(({ atMs }) => atMs >= startMs && atMs <= nowMs)
      .toSorted((a, b) => a.atMs - b.atMs)
      .map(({ count, atMs }) => left(atMs, { low: count, high: count })),
    ...(month.organization && { organization: present }),
    ...(forecast && { forecast: { from: present, to: forecast } }),
  }
}

/** One month before a reset at 00:00 on the first in an unknown zone, at most 14 hours from UTC. */
function monthBefore(resetMs: number): number {
  const at = new Date(resetMs + 15 * HOUR_MS)
  const first = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1, 1) + (resetMs - first)
}

/** All requests up to the end of each day. */
function cumulated(days: readonly LedgerDay[]): { endMs: number; used: { low: number; high: number } }[] {
  const ends = new Map<number, { low: number; high: number }>()
  let [low, high] = [0, 0]
  for (const day of days.toSorted((a, b) => a.day.localeCompare(b.day))) {
    low += day.low
    high += day.high
    ends.set(Date.parse(day.day) + DAY_MS, { low, high })
  }
  return [...ends].map(([endMs, used]) => ({ endMs, used }))
}

function forecastEnd(month: MonthHistory['month'], present: LeftAt, resetMs: number): LeftAt | undefined {
  const { state = 'too_early', difference = 0, runs_out_in_ms: runsOutInMs = 0 } = month.forecast ?? {}
  if (state === 'runs_out') return { atMs: present.atMs + runsOutInMs, low: 0, high: 0 }
  const sign = SIGNS[state]
  if (sign === undefined) return undefined
  const left = Math.min(present.low, Math.max(0, (month.reserve?.sign_in ?? 0) + sign * difference))
  return { atMs: resetMs, low: left, high: left }
}

/** Signs of `difference`, which is measured from the requests that the reserve leaves. */
const SIGNS: { [State in Forecast['state']]?: number } = { under: 1, on_pace: 0, over: -1 }

/** The requests that an even use of the month would leave. */
export function evenPaceAt({ startMs, reset, limit }: BurnDown, atMs: number): number {
  const share = (atMs - startMs) / Math.max(1, reset.earliestMs - startMs)
  return Math.round(limit * Math.min(1, Math.max(0, 1 - share)))
}

/** Maps instants and counts to a drawing of this width and height. */
export function scaleOf({ startMs, reset, limit }: BurnDown, width: number, height: number) {
  const spanMs = Math.max(1, reset.latestMs - startMs)
  const round = (value: number): number => Math.round(value * 10) / 10
  return {
    x: (atMs: number) => round((Math.min(Math.max(0, atMs - startMs), spanMs) / spanMs) * width),
    y: (left: number) => round((1 - (limit === 0 ? 0 : left / limit)) * height),
  }
}

type Scale = ReturnType<typeof scaleOf>

/** A line that holds each value until the next instant. */
export function stepPath(points: readonly LeftAt[], value: 'low' | 'high', { x, y }: Scale): string {
  return points
    .map((point, at) =>
      at === 0 ? `M${x(point.atMs)} ${y(point[value])}` : `H${x(point.atMs)}V${y(point[value])}`,
    )
    .join('')
}

/** The area between `low` and `high`. */
export function bandPath(points: readonly LeftAt[], scale: Scale): string {
  const back = points.toReversed()
  const { x, y } = scale
  const returning = back.map((point, at) =>
    at === 0 ? `L${x(point.atMs)} ${y(point.low)}` : `V${y(point.low)}H${x(point.atMs)}`,
  )
  return `${stepPath(points, 'high', scale)}${returning.join('')}Z`
}
