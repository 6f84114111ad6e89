/** Estimates what a press gets and costs, for every button that spends. */
import type { QuotaSnapshot } from '../../contract/quota.ts'
import { leftOf, monthState } from '../quota/month-state.ts'
import { signedInText } from '../text/text.ts'

/**
 * `reserved`: it takes one of the last requests, which a sign-in needs. `doubtful`: the month may be used up.
 * `refused`: it probably is.
 */
export interface Price {
  kind: 'plain' | 'reserved' | 'doubtful' | 'refused'
  /** Two if the access token is refreshed first and the refresh counts. */
  requests: 1 | 2
}

/** @param elapsedMs since the snapshot came */
export function priceOf({ month, refresh, pauses }: QuotaSnapshot, elapsedMs: number): Price {
  const isRefreshDue = refresh?.counts === 'yes' && refresh.due_in_ms <= elapsedMs
  const isPaused = pauses.some((pause) => pause.code === 'month_suspected' && pause.ends_in_ms > elapsedMs)
  const isOver = isPaused || ['suspected', 'none'].includes(monthState(month))
  return { kind: isOver ? 'refused' : kindOf(month), requests: isRefreshDue ? 2 : 1 }
}

function kindOf(month: QuotaSnapshot['month']): Price['kind'] {
  if (month.limit === undefined) return 'plain'
  const { low } = leftOf(month, month.limit)
  if (low === 0) return 'doubtful'
  return low <= (month.reserve?.sign_in ?? 0) ? 'reserved' : 'plain'
}

/** "1 request", or "up to 1 request" if the service may refuse it. */
export function priceWords({ kind, requests }: Price): string {
  const t = signedInText().press
  const words = t.requests(requests)
  return kind === 'doubtful' || kind === 'refused' ? t.upTo(words) : words
}

/** Empty if there is nothing to warn of. */
export function cautionWords({ kind }: Price): string {
  return kind === 'plain' ? '' : signedInText().press[kind]
}
