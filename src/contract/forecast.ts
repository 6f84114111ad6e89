/** Where the month's count leads by the reset, and how many requests a day it leaves (8.3). */
import { DAY_MS } from './duration.ts'
import type { MonthCount } from './month.ts'
import { READING_IS_OLD_MS } from './month-count.ts'
import type { Forecast } from './quota.ts'

/** What is known of a month that has a limit. All times are the service's, in UNIX milliseconds. */
export interface MonthSoFar {
  nowMs: number
  /** The earliest instant at which the month may have started. */
  startMs: number
  /** The earliest instant at which it may be reset. */
  endMs: number
  /** All requests that are known of. */
  used: MonthCount
  limit: number
  /** How many of the last requests are not for everyday use. */
  reserve: number
  /** At most how many requests of this app counted on each day of UTC. */
  days: readonly { startMs: number; count: number }[]
  /** How many requests the ledger has. */
  rows: number
  /** Of the reading that `used` begins with; absent where it is this app's own count. */
  readingAgeMs?: number
}

/** What has to be there before a pace means anything, and until when it still changes much. */
const LEAST = { elapsed: 0.03, rows: 3 }
const EARLY_UNTIL = 0.1
/** A pace that misses by no more than this share of the limit, or by one request, is on pace. */
const TOLERANCE = 0.02

/**
 * Returns the requests a day that can be sent until the reset with the reserve left over, and where the present pace leads:
 * that of the whole month or that of the last 7 days, whichever is higher. `difference` is in requests, from what the reserve
 * leaves of the limit. A run-out is named only if it comes before the reset (8.3). Pure.
 */
export function forecastOf(month: MonthSoFar): { allowance_per_day: number; forecast: Forecast } {
  return { allowance_per_day: allowancePerDay(month), forecast: forecast(month) }
}

/** The present day is a whole one: who sends so many on each of the days left, leaves the reserve. */
function allowancePerDay({ nowMs, endMs, used, limit, reserve }: MonthSoFar): number {
  const daysLeft = Math.max(1, Math.ceil((endMs - nowMs) / DAY_MS))
  return Math.max(0, Math.floor((limit - used.high - reserve) / daysLeft))
}

function forecast(month: MonthSoFar): Forecast {
  const { nowMs, startMs, endMs, used, limit, rows, readingAgeMs = 0 } = month
  const elapsed = (nowMs - startMs) / Math.max(1, endMs - startMs)
  const early = elapsed < EARLY_UNTIL
  if (used.low >= limit) return { state: 'used_up', early }
  if (elapsed < LEAST.elapsed || rows < LEAST.rows) return { state: 'too_early', early }
  if (readingAgeMs >= READING_IS_OLD_MS) return { state: 'stale', early }
  return { ...atReset(month), early }
}

function atReset(month: MonthSoFar): Omit<Forecast, 'early'> {
  const { nowMs, endMs, used, limit, reserve } = month
  const pace = Math.max(used.high / (nowMs - month.startMs), pacePerMsOfLastDays(month))
  // Without a pace it is not a number or infinite, and not less than the time left.
  const runsOutInMs = Math.max(0, (limit - used.high) / pace)
  if (runsOutInMs < endMs - nowMs) return { state: 'runs_out', runs_out_in_ms: Math.floor(runsOutInMs) }
  const left = limit - reserve - (used.high + Math.ceil(pace * (endMs - nowMs)))
  const small = Math.max(1, limit * TOLERANCE)
  if (left > small) return { state: 'under', difference: left }
  return left < -small ? { state: 'over', difference: -left } : { state: 'on_pace' }
}

/** Requests in a millisecond on this day and the 6 before it; what others use has no days, and is taken at its mean. */
function pacePerMsOfLastDays({ nowMs, startMs, used, days }: MonthSoFar): number {
  const firstDayMs = (Math.floor(nowMs / DAY_MS) - 6) * DAY_MS
  const sum = (list: MonthSoFar['days']) => list.reduce((total, { count }) => total + count, 0)
  const others = Math.max(0, used.high - sum(days))
  const own = sum(days.filter((day) => day.startMs >= firstDayMs))
  return own / (nowMs - firstDayMs) + others / (nowMs - startMs)
}
