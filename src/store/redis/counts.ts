import type { KindCount } from '../../contract/month.ts'
import { kindCountOf } from '../shared/ledger-cache.ts'

/** Whole days of UTC, each with its counts by sort: kind, outcome, and 1 for success. */
export type DayRows = [startMs: number, counts: [sort: string, count: number][]][]

/** The answer of a script: whole days, and for each instant the counts of the rest of its day. */
export type Gathered = [days: [string, string[]][], rests: string[][]]

export const daysOf = ([days]: Gathered): DayRows =>
  days.map(([startMs, counts]) => [Number(startMs), pairsOf(counts)])

/** The counts from the nth of the requested instants on. */
export function countsSince(gathered: Gathered, nth: number, sinceMs: number): KindCount[] {
  const sums = new Map<string, number>()
  const later = daysOf(gathered).filter(([startMs]) => startMs >= sinceMs)
  for (const [sort, count] of [...pairsOf(gathered[1][nth] ?? []), ...later.flatMap(([, counts]) => counts)])
    sums.set(sort, (sums.get(sort) ?? 0) + count)
  return [...sums].filter(([, count]) => count !== 0).map(([sort, count]) => kindCountOf(sort, count))
}

/** Redis answers a flat list of names and values. */
const pairsOf = (flat: readonly string[]): [string, number][] =>
  Array.from({ length: flat.length / 2 }, (_, nth) => [flat[2 * nth] as string, Number(flat[2 * nth + 1])])
