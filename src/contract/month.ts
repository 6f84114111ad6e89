/** The month: what a request is in the ledger, how many count, and when the count is reset (8.3). The service reports none of it. */
import { NOT_SHOWN } from './assumptions.ts'

/** What a request was for. */
export type RequestKind = 'api.read' | 'api.update' | 'rate_limit' | 'token.code' | 'token.refresh'

/**
 * What became of a request. `reserved`: written down, nothing heard since. `settled`: answered. `void`: it provably never
 * left. `uncertain`: it may have arrived, and no answer came.
 */
export type Outcome = 'reserved' | 'settled' | 'void' | 'uncertain'

/** How many requests of one sort the ledger has. */
export interface Tally {
  kind: RequestKind
  outcome: Outcome
  /** Answered with 2xx. */
  succeeded: boolean
  count: number
}

/** The true count lies in [low, high]. */
export interface MonthCount {
  low: number
  high: number
}

/**
 * Sums the ledger. Low: requests that surely count, which are the API requests that succeeded (8.3). High: all that may
 * count, so also those without an answer, those refused, and those to the token endpoint (whether they count is not shown).
 */
export function countRequests(tallies: readonly Tally[]): MonthCount {
  const sum = (counts: (tally: Tally) => boolean) =>
    tallies.filter(counts).reduce((total, { count }) => total + count, 0)
  return {
    low: sum(({ kind, outcome, succeeded }) => kind.startsWith('api.') && outcome === 'settled' && succeeded),
    high: sum(({ outcome }) => outcome !== 'void'),
  }
}

/** The count where the zone is not known: the least and the most over all candidate zones. */
export function spanOf(counts: readonly MonthCount[]): MonthCount {
  return { low: Math.min(...counts.map(({ low }) => low)), high: Math.max(...counts.map(({ high }) => high)) }
}

/** The zones in which the month may begin (8.3: not shown). */
export const MONTH_ZONES: readonly string[] = NOT_SHOWN.month_zones.assumed

/**
 * The instant at which the month that contains `nowMs` began in a zone, and the one at which the next begins: 00:00 on its
 * first day (8.3), or the first instant of that day where 00:00 does not exist.
 * @param zone an IANA name
 * @returns UNIX milliseconds
 */
export function monthBounds(nowMs: number, zone: string): { startMs: number; endMs: number } {
  const last = lastBounds.get(zone)
  if (last !== undefined && nowMs >= last.startMs && nowMs < last.endMs) return last
  const month = monthIndex(nowMs, zone)
  const bounds = { startMs: firstInstant(month, zone), endMs: firstInstant(month + 1, zone) }
  lastBounds.set(zone, bounds)
  return bounds
}

/** Asking a zone is slow, and a month is long. */
const lastBounds = new Map<string, { readonly startMs: number; readonly endMs: number }>()

const DAY_MS = 86_400_000
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
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]))
  return Number(parts['year']) * 12 + Number(parts['month']) - 1
}

/** By halving, since a zone's offset is only to be had by asking; no zone is further than a day from UTC. */
function firstInstant(month: number, zone: string): number {
  const utc = Date.UTC(Math.floor(month / 12), month % 12, 1)
  let [before, after] = [utc - DAY_MS, utc + DAY_MS]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (monthIndex(middle, zone) < month) before = middle
    else after = middle
  }
  return after
}
