/** Reads what the scripts answer about counts. */
import type { KindCount } from '../../contract/month.ts'
import { kindCountOf } from '../shared/ledger-cache.ts'

/** Whole days of UTC, each with its counts by sort: kind, outcome, and 1 where it succeeded. */
export type DayRows = [startMs: number, counts: [sort: string, count: number][]][]

/** Days as a script answers them, and what the day of each instant has from it on. */
export type Gathered = [days: [string, string[]][], rests: string[][]]

export const daysOf = ([days]: Gathered): DayRows =>
  days.map(([startMs, counts]) => [Number(startMs), pairsOf(counts)])

/** The counts from an instant on, which was asked for as the nth. */
export function countsSince(gathered: Gathered, nth: number, sinceMs: number): KindCount[] {
  const sums = new Map<string, number>()
  const later = daysOf(gathered).filter(([startMs]) => startMs >= sinceMs)
  for (const [sort, count] of [...pairsOf(gathered[1][nth] ?? []), ...later.flatMap(([, counts]) => counts)])
    sums.set(sort, (sums.get(sort) ?? 0) + count)
  return [...sums].filter(([, count]) => count !== 0).map(([sort, count]) => kindCountOf(sort, count))
}

/** Redis answers names and values one after the other. */
const pairsOf = (flat: readonly string[]): [string, number][] =>
  Array.from({ length: flat.length / 2 }, (_, nth) => [flat[2 * nth] as string, Number(flat[2 * nth + 1])])
