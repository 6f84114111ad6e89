/** Forecasts the month's count at the reset, and the requests a day until then (8.3). */
import { DAY_MS } from './duration.ts'
import type { Interval } from './month.ts'
import { READING_IS_OLD_MS } from './month-count.ts'
import type { Forecast } from './quota.ts'

/** A month with a limit. All times are the service's, in UNIX milliseconds. */
export interface MonthSoFar {
  nowMs: number
  /** The earliest instant at which the month may have started. */
  startMs: number
  /** The instant by which it surely is reset. */
  endMs: number
  used: Interval
  limit: number
  /** Requests at the end of the limit that are not for everyday use. */
  reserve: number
  /** The upper end of this app's count on each day of UTC. */
  days: readonly { startMs: number; count: number }[]
  /** Requests in the ledger. */
  rows: number
  /** Age of the reading that `used` begins with; absent if `used` is this app's own count. */
  readingAgeMs?: number
}

/** The least data for a forecast, and the time until which it still changes a lot. */
const LEAST = { elapsed: 0.03, rows: 3 }
const EARLY_UNTIL = 0.1
/** A miss by at most this share of the limit, or by one request, is on pace. */
const TOLERANCE = 0.02

/**
 * Returns how many requests a day leave the reserve at the reset, and a forecast by the pace of the whole
 * month or of the last 7 days, whichever is higher. `difference` is in requests, from the limit without the
 * reserve. `runs_out` means before the reset (8.3). Pure.
 */
export function forecastOf(month: MonthSoFar): { allowance_per_day: number; forecast: Forecast } {
  return { allowance_per_day: allowancePerDay(month), forecast: forecast(month) }
}

/** The present day counts as a whole day. */
function allowancePerDay({ nowMs, endMs, used, limit, reserve }: MonthSoFar): number {
  const daysLeft = Math.max(1, Math.ceil((endMs - nowMs) / DAY_MS))
  return Math.max(0, Math.floor((limit - used.high - reserve) / daysLeft))
}

function forecast(month: MonthSoFar): Forecast {
  const { nowMs, startMs, endMs, used, limit, readingAgeMs = 0 } = month
  // A reading counts requests that the ledger does not have.
  const seen = month.readingAgeMs === undefined ? month.rows : Math.max(month.rows, used.low)
  const elapsed = (nowMs - startMs) / Math.max(1, endMs - startMs)
  const early = elapsed < EARLY_UNTIL
  if (used.low >= limit) return { state: 'used_up', early }
  if (elapsed < LEAST.elapsed || seen < LEAST.rows) return { state: 'too_early', early }
  if (readingAgeMs >= READING_IS_OLD_MS) return { state: 'stale', early }
  return { ...atReset(month), early }
}

function atReset(month: MonthSoFar): Omit<Forecast, 'early'> {
  const { nowMs, endMs, used, limit, reserve } = month
  // The month may have ended: its end is not known to the hour.
  const restMs = Math.max(0, endMs - nowMs)
  const pace = Math.max(used.high / (nowMs - month.startMs), pacePerMsOfLastDays(month))
  // With a pace of 0 this is NaN or infinite, so the comparison is false.
  const runsOutInMs = Math.max(0, (limit - used.high) / pace)
  if (runsOutInMs < restMs) return { state: 'runs_out', runs_out_in_ms: Math.floor(runsOutInMs) }
  const left = limit - reserve - (used.high + Math.ceil(pace * restMs))
  const small = Math.max(1, limit * TOLERANCE)
  if (left > small) return { state: 'under', difference: left }
  return left < -small ? { state: 'over', difference: -left } : { state: 'on_pace' }
}

/** The pace of this day and the 6 before it. Others' requests have no days, so their mean is used. */
function pacePerMsOfLastDays({ nowMs, startMs, used, days }: MonthSoFar): number {
  const firstDayMs = (Math.floor(nowMs / DAY_MS) - 6) * DAY_MS
  const sum = (list: MonthSoFar['days']) => list.reduce((total, { count }) => total + count, 0)
  const others = Math.max(0, used.high - sum(days))
  const own = sum(days.filter((day) => day.startMs >= firstDayMs))
  return own / (nowMs - firstDayMs) + others / (nowMs - startMs)
}
