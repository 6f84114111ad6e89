/** The mark of a sign-out that the server has not confirmed, for all tabs and for the next start of the page. */

import { DAY_MS } from '../../contract/duration.ts'
const NAME = 'plimsoll.sign-out'
/** No session is open for longer. */
const LONGEST_MS = 30 * DAY_MS

/** @param endsAtMs when the session ends by itself, UNIX milliseconds; where it is not known, the latest instant that is possible */
export function markSignOut(endsAtMs = Date.now() + LONGEST_MS): void {
  withStorage((storage) => storage.setItem(NAME, String(endsAtMs)))
}

/** When the session of an unconfirmed sign-out ends by itself, UNIX milliseconds; `undefined` when there is none. */
export function markedSignOut(): number | undefined {
  const value = withStorage((storage) => storage.getItem(NAME)) ?? ''
  const endsAtMs = /^\d{1,15}$/.test(value) ? Number(value) : 0
  return endsAtMs > Date.now() ? endsAtMs : undefined
}

export function unmarkSignOut(): void {
  withStorage((storage) => storage.removeItem(NAME))
}

/** A browser may forbid the storage, or have it full: then the sign-out is tried again in its own tab only. */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(localStorage)
  } catch {
    return undefined
  }
}
