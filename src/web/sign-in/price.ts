import { type PriceFacts, priceOf } from '../../contract/price.ts'
import type { SignedIn } from '../../contract/session.ts'
import { text } from '../text/text.ts'

/** In words. */
export function signInPrice(facts: PriceFacts): string {
  const { low, high } = priceOf('sign_in', facts)
  return text().app.requests(low, high)
}

/** The price of signing in again by the same method: with an API key, only the first read is sent. */
export const sameSignInPrice = (facts: PriceFacts, { method }: SignedIn): string =>
  method === 'api_key' ? text().app.requests(1, 1) : signInPrice(facts)
