/** Words for what a press costs, and a warning where it may be refused. */
import { leftOf } from '../../contract/month-state.ts'
import type { Caution } from '../../contract/press.ts'
import { type Price, type PriceFacts, spentOf } from '../../contract/price.ts'
import type { MonthSnapshot } from '../../contract/quota.ts'
import type { ReceivedAnswer } from '../lib/api.ts'
import { numberText, rangeText } from '../text/format.ts'
import { text, words } from '../text/text.ts'

/**
 * After the label of a button: "uses 1–2 of 55"; "uses 1 request" where nothing is known to take it from;
 * "up to 2 requests, may be refused".
 */
export function priceWords(price: Price, caution: Caution, month: MonthSnapshot | undefined): string {
  const { press: t } = words()
  const { requests } = text().app
  if (caution === 'risky') return t.risky(requests(price.high, price.high))
  if (month?.limit === undefined || month.may_have_reset) return t.uses(requests(price.low, price.high))
  const left = leftOf(month, month.limit)
  return t.uses(
    month.organization
      ? t.of(rangeText(price), rangeText(left))
      : t.ofAtMost(rangeText(price), numberText(left.high)),
  )
}

/** Empty if there is nothing to warn of. */
export const cautionWords = (caution: Caution): string =>
  caution === 'plain' ? '' : words().press.caution[caution]

/** What an answer cost, by what is known now. @param facts absent without a snapshot */
export function spentWords({ spent: reads, refreshes }: ReceivedAnswer, facts: PriceFacts = {}): string {
  const { low, high } = spentOf({ reads, refreshes }, facts)
  return text().app.requests(low, high)
}
