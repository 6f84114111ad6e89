import { priceOf } from '../../contract/price.ts'
import type { Session, SignedIn } from '../../contract/session.ts'
import { useUi } from '../lib/ui.ts'
import { text } from '../text/text.ts'

/** In words, by the newest that this page knows: the quota's snapshot, if it has one. */
export function useSignInPrice(session: Session): string {
  const snapshot = useUi(({ quota }) => quota?.snapshot)
  const { low, high } = priceOf('sign_in', snapshot ?? session)
  return text().app.requests(low, high)
}

/** The price of signing in again by the same method: with an API key, only the first read is sent. */
export function useSameSignInPrice(session: SignedIn): string {
  const byCode = useSignInPrice(session)
  return session.method === 'api_key' ? text().app.requests(1, 1) : byCode
}
