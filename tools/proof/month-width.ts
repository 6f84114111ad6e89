/** The allowed width of the month's interval: requests that may or may not be in the month (8.3). */
import type { Choices } from '../../src/sandbox/choices/choices.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The largest offset of a time zone from UTC. */
const OFFSETS_MS = [14 * HOUR_MS, 0, -12 * HOUR_MS]

/** Milliseconds by which the service's clock is ahead (U82). */
const AHEAD_MS: Record<Choices['skew'], number> = {
  none: 0,
  plus_5_minutes: 300_000,
  minus_5_minutes: -300_000,
  plus_1_day: DAY_MS,
  no_date: 0,
}

export interface Sent {
  atMs: number
  isSure: boolean
}

/** Requests not certainly counted, and those that are in this month in some zones only. */
export function unknownRequests(sent: readonly Sent[], nowMs: number, skew: Choices['skew']): number {
  // A client learns the difference with the first answer, so either clock may have dated a request.
  const clocks = [0, AHEAD_MS[skew]]
  const starts = clocks.flatMap((ahead) => OFFSETS_MS.map((offset) => monthStart(nowMs + ahead, offset)))
  const [earliest, latest] = [Math.min(...starts), Math.max(...starts)]
  return sent.filter(({ atMs, isSure }) => {
    const dates = clocks.map((ahead) => atMs + ahead)
    const isIn = dates.some((ms) => ms >= earliest)
    return isIn && (!isSure || dates.some((ms) => ms < latest))
  }).length
}

/** The earliest and latest reset of an instant's month over all zones, on the client's clock. */
export function lastResetMs(ms: number, skew: Choices['skew']): { least: number; most: number } {
  // Either clock may have dated the instant; the client reads the service's only to the second.
  const resets = [0, AHEAD_MS[skew]].map((ahead) => lastReset(ms + ahead) - ahead)
  return { least: Math.min(...resets) - DAY_MS / 24, most: Math.max(...resets) + DAY_MS / 24 }
}

function lastReset(ms: number): number {
  const ends = OFFSETS_MS.map((offset) => monthStart(monthStart(ms, offset) + 32 * DAY_MS, offset))
  const first = Math.min(...ends)
  // A zone that is in the next month already has its own reset a month later.
  return Math.max(...ends.filter((end) => end < first + 2 * DAY_MS))
}

function monthStart(ms: number, offsetMs: number): number {
  const local = new Date(ms + offsetMs)
  return Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), 1) - offsetMs
}
