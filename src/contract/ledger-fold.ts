/** Says which rows of the ledger are old: only whole days of those are read, so counts by day are enough. */
import { DAY_MS } from './duration.ts'
import { ASSUMED } from './assumptions.ts'
import { monthBounds } from './month.ts'

const HALF_A_MONTH_MS = 15 * DAY_MS
/** Readings, and the requests between them, are compared over this month and the one before. */
export const READINGS_COMPARED_MS = 62 * DAY_MS

/**
 * The instant before which rows are old: the start of the month before last, in the zone where it started
 * first (8.3: the zone is not shown), rounded down to a day of UTC. While a month has started in some zones
 * only, the earlier month before last counts. It is at least a day before the readings that are compared.
 * @returns UNIX milliseconds, a multiple of a day
 */
export function foldedBeforeMs(nowMs: number): number {
  const zones = ASSUMED.month_zones
  const insides = zones.map((zone) => monthBeforeLast(nowMs, zone) + HALF_A_MONTH_MS)
  const starts = insides.flatMap((atMs) => zones.map((zone) => monthBounds(atMs, zone).startMs))
  return Math.floor(Math.min(...starts, nowMs - READINGS_COMPARED_MS - DAY_MS) / DAY_MS) * DAY_MS
}

function monthBeforeLast(nowMs: number, zone: string): number {
  const startBefore = (atMs: number) => monthBounds(atMs - 1, zone).startMs
  return startBefore(startBefore(monthBounds(nowMs, zone).startMs))
}
