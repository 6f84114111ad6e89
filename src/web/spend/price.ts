/** Words for what a press costs, and a warning where it may be refused. */
import { leftOf, monthState } from '../../contract/month-state.ts'
import { type Price, type PriceFacts, spentOf } from '../../contract/price.ts'
import type { MonthSnapshot, QuotaSnapshot } from '../../contract/quota.ts'
import { verdictOf, type VerdictState } from '../../contract/verdict.ts'
import type { ReceivedAnswer } from '../lib/api.ts'
import { numberText, rangeText } from '../text/format.ts'
import { text, words } from '../text/text.ts'

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
  // What is left for the read itself, after all that may be sent before it.
  const left = leftOf(month, month.limit).low - Math.max(0, high - 1)
  if (left <= 0) return 'doubtful'
  return left <= (month.reserve?.sign_in ?? 0) ? 'reserved' : 'plain'
}

const PLENTY: readonly VerdictState[] = ['on_track', 'early', 'unlimited']
const SCARCE: readonly VerdictState[] = ['low', 'tight', 'runs_out', 'used_up', 'suspected']

/**
 * A button invites to a press only where enough is left, and nothing else is asked of the person first. Where
 * little is left, it says the price first.
 */
export function inviteOf(snapshot: QuotaSnapshot): 'primary' | 'plain' | 'quiet' {
  const { month } = snapshot
  // A pause is over soon, and changes no budget.
  const { state } = verdictOf(snapshot, Infinity)
  if (SCARCE.includes(state) || monthState(month) === 'low') return 'quiet'
  return PLENTY.includes(state) && month.reading_wanted === undefined ? 'primary' : 'plain'
}

/** The service may refuse it. */
export const isDoubtful = (caution: Caution): boolean => caution === 'doubtful' || caution === 'refused'

/** "1–2 requests", or "up to 2 requests" if the service may refuse it. */
export function priceWords({ low, high }: Price, caution: Caution): string {
  const { requests } = text().app
  return isDoubtful(caution) ? words().press.upTo(requests(high, high)) : requests(low, high)
}

/** "1–2 of 55": the price, and what it is taken from; "1–2 requests" without a limit. */
export function budgetWords(price: Price, caution: Caution, month: MonthSnapshot | undefined): string {
  const limit = month?.limit
  if (month === undefined || limit === undefined || isDoubtful(caution)) return priceWords(price, caution)
  const t = words().press
  const left = leftOf(month, limit)
  return month.organization
    ? t.of(rangeText(price), rangeText(left))
    : t.ofAtMost(rangeText(price), numberText(left.high))
}

/** Empty if there is nothing to warn of. */
export const cautionWords = (caution: Caution): string => (caution === 'plain' ? '' : words().press[caution])

/** What an answer cost, by what is known now. @param facts absent without a snapshot */
export function spentWords({ spent: reads, refreshes }: ReceivedAnswer, facts: PriceFacts = {}): string {
  const { low, high } = spentOf({ reads, refreshes }, facts)
  return text().app.requests(low, high)
}
