/** `GET /bff/months`: the last months of an organization, and the plans that would have been enough (8.3). */
import type { Assumptions } from './assumptions.ts'
import { DAY_MS } from './duration.ts'
import { utcDayOf } from './ledger.ts'
import { type Interval, monthSpan, monthsAt } from './month.ts'
import { type Plan, type PlanName } from './plan.ts'

/**
 * One month of this app. Old requests are kept as counts of days of UTC, so a past month is the sum of its
 * days. The present month is counted as on its card: `low` from its latest start, `high` from its earliest.
 */
export interface MonthUse extends Interval {
  /** For example `2026-11`. */
  month: string
  /** Requests of others up to the newest reading of the month, and its day of UTC; absent without one. */
  others?: Interval & { read_on: string }
  /** The plan seen last in the month; absent while unknown. */
  plan?: PlanName
  /** Absent if the plan is unknown or has no monthly limit. */
  limit?: number | undefined
  /** The day of UTC on which a refusal, a reading or our own count showed it: `2026-11-21`. */
  ran_out_on?: string
}

/** The newest month first. */
export interface Months {
  months: MonthUse[]
}

/** What answers of a month showed. */
export interface NotedMonth extends Pick<MonthUse, 'plan' | 'limit'> {
  /** The first refusal that seems to mean the month, after the last success: UNIX milliseconds. */
  refusedAtMs?: number | undefined
}

export const shownBy = (plan: Plan | undefined): NotedMonth =>
  plan ? { plan: plan.name, limit: plan.per_month } : {}

/** Requests of one day of UTC that surely count, and that may. */
export interface DayUse extends Interval {
  startMs: number
}

/** A reading, UNIX milliseconds. `ownBefore` is our own count up to it, where that is known exactly. */
export interface MonthReading {
  count: number
  readAtMs: number
  inFlight: number
  ownBefore?: Interval
}

type Zones = Pick<Assumptions, 'month_zones'>

export const MOST_MONTHS = 12

const utcMonth = (atMs: number): string => utcDayOf(atMs).slice(0, 7)

/** The month of an instant in every zone in which it may be reset; `undefined` if the zones disagree. */
export function certainMonth(atMs: number, assumed: Zones): string | undefined {
  // A month starts in every zone within a day of its start in UTC.
  const names = new Set(monthsAt(atMs, assumed).map(({ startMs }) => utcMonth(startMs + 2 * DAY_MS)))
  return names.size === 1 ? names.values().next().value : undefined
}

/** While the zones disagree, the month of UTC. */
export const monthNameAt = (atMs: number, assumed: Zones): string =>
  certainMonth(atMs, assumed) ?? utcMonth(atMs)

/** A month and those before it, the newest first. */
export const monthNames = (newest: string): string[] =>
  Array.from({ length: MOST_MONTHS }, (_, before) => {
    const start = new Date(`${newest}-01`)
    return utcMonth(start.setUTCMonth(start.getUTCMonth() - before))
  })

/** The day before the oldest of those months: the service's month may begin in it. UNIX milliseconds. */
export const monthsSinceMs = (newest: string): number =>
  Date.parse(`${monthNames(newest).at(-1)}-01`) - DAY_MS

export interface MonthsKnown {
  present: Interval & { month: string }
  /** The newest first, as the readings. */
  days: readonly DayUse[]
  readings: readonly MonthReading[]
  noted: { readonly [month: string]: NotedMonth }
}

/** From the first month with a request, a reading or a known plan on; the present one at least. */
export function monthsOf({ present, days, readings, noted }: MonthsKnown, assumed: Zones): MonthUse[] {
  const dated = readings.map((reading) => ({ ...reading, month: certainMonth(reading.readAtMs, assumed) }))
  const used = days.filter(({ high }) => high > 0).map(({ startMs }) => utcMonth(startMs))
  const seen = [...used, ...dated.flatMap(({ month }) => month ?? []), ...Object.keys(noted)]
  return monthNames(present.month)
    .filter((month) => month === present.month || seen.some((one) => one <= month))
    .map((month) => {
      const { refusedAtMs, ...plan } = noted[month] ?? {}
      const ofMonth = days.filter(({ startMs }) => utcMonth(startMs) === month)
      const { low, high } = month === present.month ? present : sumOfDays(ofMonth)
      const ownReadings = dated.filter((reading) => reading.month === month)
      const [newest] = ownReadings
      const ends = endsOf({ ...plan, refusedAtMs }, ofMonth, ownReadings, assumed)
      return {
        month,
        low,
        high,
        ...(newest && { others: othersBefore(newest, days, assumed) }),
        ...plan,
        ...(ends.length > 0 && { ran_out_on: utcDayOf(Math.min(...ends)) }),
      }
    })
}

/** No sum is negative: another process may write during the count, so a difference may be inexact. */
function sumOfDays(days: readonly DayUse[]): Interval {
  const sum = (end: keyof Interval) =>
    Math.max(
      0,
      days.reduce((total, day) => total + day[end], 0),
    )
  return { low: sum('low'), high: sum('high') }
}

/** The reading minus our own requests before it. It may include those of its day and of the first day. */
function othersBefore(reading: MonthReading, days: readonly DayUse[], assumed: Zones) {
  const { count: read, readAtMs, inFlight, ownBefore } = reading
  const { earliest, latest } = monthSpan(readAtMs, assumed).startMs
  const surely = days.filter(({ startMs }) => startMs >= latest && startMs + DAY_MS <= readAtMs)
  const possibly = days.filter(({ startMs }) => startMs + DAY_MS > earliest && startMs <= readAtMs)
  const own = ownBefore ?? { low: sumOfDays(surely).low, high: sumOfDays(possibly).high }
  return {
    low: Math.max(0, read - own.high),
    high: Math.max(0, read + inFlight - own.low),
    read_on: utcDayOf(readAtMs),
  }
}

/** The times at which the month seemed used up and no success followed. */
function endsOf(
  { limit = Infinity, refusedAtMs }: NotedMonth,
  days: readonly DayUse[],
  readings: readonly MonthReading[],
  assumed: Zones,
): number[] {
  const refused = refusedAtMs === undefined ? [] : [refusedAtMs]
  const full = readings.filter((reading) => {
    const endMs = monthSpan(reading.readAtMs, assumed).endMs.earliest
    const later = days.filter(({ startMs }) => startMs > reading.readAtMs && startMs + DAY_MS <= endMs)
    return reading.count >= limit && sumOfDays(later).low === 0
  })
  // If more than the limit succeeded, reaching it was not the end.
  const isReached = sumOfDays(days).low === limit
  const lastUsed = isReached ? days.find(({ low }) => low > 0) : undefined
  return [...refused, ...full.map(({ readAtMs }) => readAtMs), ...(lastUsed ? [lastUsed.startMs] : [])]
}

/** Without the requests of others, it is of this app alone. */
export const sumOf = ({ low, high, others }: MonthUse): Interval => ({
  low: low + (others?.low ?? 0),
  high: high + (others?.high ?? 0),
})

/** All but `enough` and `too_little` say why neither is certain. */
export type Sufficiency = 'enough' | 'too_little' | 'running' | 'others_unknown' | 'read_early' | 'inexact'

/**
 * Says if a plan's requests a month would have been enough. Others may send requests after a reading, so
 * "enough" needs one of the last three days. @param isRunning the month is not over
 */
export function sufficiencyOf({ per_month: limit }: Plan, use: MonthUse, isRunning: boolean): Sufficiency {
  const { month, others, ran_out_on } = use
  const { low, high } = sumOf(use)
  if (limit === undefined) return 'enough'
  if (ran_out_on !== undefined || low > limit) return 'too_little'
  if (isRunning) return 'running'
  if (others === undefined) return 'others_unknown'
  if (utcMonth(Date.parse(others.read_on) + 3 * DAY_MS) === month) return 'read_early'
  return high <= limit ? 'enough' : 'inexact'
}
