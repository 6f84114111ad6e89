/** Words for what a press costs, and a warning where it may be refused. */
import { type Price, type PriceFacts, spentOf } from '../../contract/price.ts'
import type { QuotaSnapshot } from '../../contract/quota.ts'
import type { ReceivedAnswer } from '../lib/api.ts'
import { leftOf, monthState } from '../quota/month-state.ts'
import { signedInText, text } from '../text/text.ts'

/**
 * `reserved`: it takes one of the last requests, which a sign-in needs. `doubtful`: the month may be used up.
 * `refused`: it probably is.
 */
export type Caution = 'plain' | 'reserved' | 'doubtful' | 'refused'

/** @param elapsedMs since the snapshot came */
export function cautionOf({ month, pauses }: QuotaSnapshot, { high }: Price, elapsedMs: number): Caution {
  const isPaused = pauses.some((pause) => pause.code === 'month_suspected' && pause.ends_in_ms > elapsedMs)
  if (isPaused || ['suspected', 'none'].includes(monthState(month))) return 'refused'
  if (month.limit === undefined) return 'plain'
  // The read itself has this many left, after all requests that may be sent before it.
  const left = leftOf(month, month.limit).low - Math.max(0, high - 1)
  if (left <= 0) return 'doubtful'
  return left <= (month.reserve?.sign_in ?? 0) ? 'reserved' : 'plain'
}

/** "1–2 requests", or "up to 2 requests" if the service may refuse it. */
export function priceWords({ low, high }: Price, caution: Caution): string {
  const { requests } = text().app
  return caution === 'doubtful' || caution === 'refused'
    ? signedInText().press.upTo(requests(high, high))
    : requests(low, high)
}

/** Empty if there is nothing to warn of. */
export const cautionWords = (caution: Caution): string =>
  caution === 'plain' ? '' : signedInText().press[caution]

/** The price that an answer had, by the newest facts. @param facts absent without a snapshot */
export function spentWords({ spent: reads, refreshes }: ReceivedAnswer, facts: PriceFacts = {}): string {
  const { low, high } = spentOf({ reads, refreshes }, facts)
  return text().app.requests(low, high)
}
