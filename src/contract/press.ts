/** What a person should know before a press, beside its price. */
import { isUsedUp, leftOf } from './month-state.ts'
import type { Price } from './price.ts'
import type { QuotaSnapshot } from './quota.ts'
import { monthVerdict } from './verdict.ts'

/** `last`: it takes one of the last requests, which a sign-in needs. `risky`: the service may refuse it. */
export type Caution = 'plain' | 'last' | 'risky'

/** @param elapsedMs since the snapshot came */
export function cautionOf({ month, pauses }: QuotaSnapshot, { high }: Price, elapsedMs: number): Caution {
  const isPaused = pauses.some((pause) => pause.code === 'month_suspected' && pause.ends_in_ms > elapsedMs)
  if (isPaused || isUsedUp(month)) return 'risky'
  // What is left for the read itself, after all that may be sent before it.
  const left = leftOf(month, month.limit ?? Infinity).low - Math.max(0, high - 1)
  if (left <= 0) return 'risky'
  return left <= (month.reserve?.sign_in ?? 0) ? 'last' : 'plain'
}

/** A button invites to a press only where enough is left, and nothing else is asked of the person first. */
export const isInviting = ({ month }: QuotaSnapshot): boolean =>
  month.reading_wanted === undefined && monthVerdict(month, 0).tone === 'ok'
