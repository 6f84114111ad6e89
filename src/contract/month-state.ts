/** The values of the month's card, from a snapshot. Nothing that was not counted gets a number. */
import { MINUTE_MS } from './duration.ts'
import type { Interval } from './month.ts'
import type { MonthSnapshot } from './quota.ts'

/** The month is low from this part of the limit on. */
const LOW_USED_SHARE = 0.8

/** With a reading those of the organization: the limit at most, unless surely more. Else this app's own. */
export function usedOf({ low, high, organization, limit = Infinity }: MonthSnapshot): Interval {
  if (organization === undefined) return { low, high }
  const atLeast = Math.max(organization.low, low)
  return { low: atLeast, high: Math.max(Math.min(organization.high, limit), atLeast) }
}

/** Without a reading others may have used some of the limit, so `high` is only an upper bound. */
export function leftOf(month: MonthSnapshot, limit: number): Interval {
  const used = usedOf(month)
  return { low: Math.max(0, limit - used.high), high: Math.max(0, limit - used.low) }
}

/** All requests are used, or a refusal looks like it. */
export const isUsedUp = (month: MonthSnapshot): boolean =>
  month.suspected !== undefined || usedOf(month).low >= (month.limit ?? Infinity)

export const isLow = (month: MonthSnapshot): boolean =>
  usedOf(month).high >= (month.limit ?? Infinity) * LOW_USED_SHARE

/** The instants between which the month is reset, on whole minutes. @param atMs when the snapshot came */
export function resetSpan({ resets_in_ms: { earliest, latest } }: MonthSnapshot, atMs: number): Interval {
  const at = (ms: number): number => Math.round((atMs + ms) / MINUTE_MS) * MINUTE_MS
  return { low: at(earliest), high: at(latest) }
}

/** The one instant that stands for the reset wherever a single one is named: by then it surely has come. */
export const resetOf = (month: MonthSnapshot, atMs: number): number => resetSpan(month, atMs).high

/** In requests; together at most the limit. */
export interface Segments {
  own: number
  /** According to the reading. */
  others: number
  uncertain: number
  /** True if requests may be used that no segment has: those of others, or the rest after a refusal. */
  isRestUnknown: boolean
}

export function segmentsOf(month: MonthSnapshot, limit: number): Segments {
  const used = usedOf(month)
  const own = Math.min(month.low, limit)
  const certain = Math.min(used.low, limit)
  return {
    own,
    others: certain - own,
    uncertain: Math.min(used.high, limit) - certain,
    isRestUnknown: certain < limit && (month.organization === undefined || month.suspected !== undefined),
  }
}

/** Used by others of the organization; absent without a reading. */
export function othersOf(month: MonthSnapshot): Interval | undefined {
  if (month.organization === undefined) return undefined
  const used = usedOf(month)
  return { low: Math.max(0, used.low - month.high), high: used.high - month.low }
}
