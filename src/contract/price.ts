/** The price of a press: the requests of the month that it uses, as far as that is known before it (8.3). */
import type { Counts } from './assumptions.ts'
import { MINUTE_MS } from './duration.ts'
import type { Interval } from './month.ts'

/** Both ends are equal if the price is known exactly. */
export type Price = Interval

/** The refresh that a press needs first; absent with an API key. */
export interface RefreshSnapshot {
  /** Time until the access token must be replaced; 0 if it must be replaced now. */
  due_in_ms: number
  counts: Counts
}

/** Every snapshot of the quota has them, and an answer about the session has those of a sign-in. */
export interface PriceFacts {
  refresh?: RefreshSnapshot
  /** Says if the exchange of a code counts; absent while that is not known. */
  sign_in_counts?: Counts | undefined
  /** Says if `GET /rate_limit` counts; absent while that is not known. */
  check_counts?: Counts | undefined
}

/** `sign_in`: by code, which the service exchanges before the first read (5.3). */
export type Press = 'read' | 'check' | 'sign_in'

/** A press takes at most this long to the server, which then decides if it refreshes first. */
const LONGEST_TRANSIT_MS = MINUTE_MS

const priceOfRequest = (counts?: Counts, isSent = true): Price => ({
  low: isSent && counts === 'yes' ? 1 : 0,
  high: counts === 'no' ? 0 : 1,
})

/**
 * A read counts (8.3). The service does not show if a check counts, so its price is none or one until
 * evidence says which.
 * A token that the service refuses early costs more; nobody can know that before.
 * @param elapsedMs since the snapshot came; infinite if that is not known
 */
export function priceOf(press: Press, facts: PriceFacts, elapsedMs = 0): Price {
  const first = press === 'sign_in' ? priceOfRequest(facts.sign_in_counts) : refreshPrice(facts, elapsedMs)
  const itself = press === 'check' ? priceOfRequest(facts.check_counts) : { low: 1, high: 1 }
  return { low: itself.low + first.low, high: itself.high + first.high }
}

function refreshPrice({ refresh }: PriceFacts, elapsedMs: number): Price {
  if (refresh === undefined || refresh.due_in_ms > elapsedMs + LONGEST_TRANSIT_MS) return { low: 0, high: 0 }
  return priceOfRequest(refresh.counts, refresh.due_in_ms <= elapsedMs && elapsedMs < Infinity)
}

/** The price that an answer had. @param reads and `refreshes` that were sent for it */
export function spentOf(
  { reads, refreshes }: { reads: number; refreshes: number },
  { refresh }: PriceFacts,
): Price {
  const each = priceOfRequest(refresh?.counts)
  return { low: reads + refreshes * each.low, high: reads + refreshes * each.high }
}
