/** States how wide the month's interval may be: as many as there are requests whose place in it is unknown (8.3). */
import type { Choices } from '../../src/sandbox/choices/choices.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** No zone is further from UTC. */
const OFFSETS_MS = [14 * HOUR_MS, 0, -12 * HOUR_MS]

/** How far the service's clock is ahead of the client's (U82). */
const AHEAD_MS: Record<Choices['skew'], number> = {
  none: 0,
  plus_5_minutes: 300_000,
  minus_5_minutes: -300_000,
  plus_1_day: DAY_MS,
  no_date: 0,
}

export interface Sent {
  atMs: number
  /** Whether the service surely counted it. */
  isSure: boolean
}

/** Of the requests of this month: those not surely counted, and those that are of this month in one zone and not in another. */
export function unknownRequests(sent: readonly Sent[], nowMs: number, skew: Choices['skew']): number {
  // A client learns of the difference with the first answer, so that either clock may have dated a request.
  const clocks = [0, AHEAD_MS[skew]]
  const starts = clocks.flatMap((ahead) => OFFSETS_MS.map((offset) => monthStart(nowMs + ahead, offset)))
  const [earliest, latest] = [Math.min(...starts), Math.max(...starts)]
  return sent.filter(({ atMs, isSure }) => {
    const dates = clocks.map((ahead) => atMs + ahead)
    const isIn = dates.some((ms) => ms >= earliest)
    return isIn && (!isSure || dates.some((ms) => ms < latest))
  }).length
}

function monthStart(ms: number, offsetMs: number): number {
  const local = new Date(ms + offsetMs)
  return Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), 1) - offsetMs
}
