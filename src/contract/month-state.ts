/** The values of the month's card, from a snapshot. Nothing that was not counted gets a number. */
import type { MonthSnapshot } from './quota.ts'

/** `own`: only this app was counted: an upper bound. `suspected`: a refusal looks like the monthly limit. */
export type MonthState = 'suspected' | 'none' | 'low' | 'plenty' | 'own' | 'unlimited' | 'unseen'

export interface Interval {
  low: number
  high: number
}

/** The month is low from this part of the limit on. */
export const LOW_USED_SHARE = 0.8

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

export function monthState(month: MonthSnapshot): MonthState {
  const { limit, plan, organization, suspected } = month
  if (suspected) return 'suspected'
  if (limit === undefined) return plan === undefined ? 'unseen' : 'unlimited'
  const { low, high } = usedOf(month)
  if (low >= limit) return 'none'
  if (high >= limit * LOW_USED_SHARE) return 'low'
  return organization ? 'plenty' : 'own'
}

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
