/** A sign-out that the server has not confirmed, for all tabs and for the next start of the page. */

import { DAY_MS } from '../../contract/duration.ts'
const NAME = 'plimsoll.sign-out'
/** No session stays open for longer, whatever the settings say. */
const LONGEST_MS = 365 * DAY_MS

/** @param endsAtMs when the session ends by itself, UNIX milliseconds; by default as late as possible */
export function markSignOut(endsAtMs = Date.now() + LONGEST_MS): void {
  withStorage((storage) => storage.setItem(NAME, String(endsAtMs)))
}

/** When the session ends by itself, UNIX milliseconds; `undefined` without an unconfirmed sign-out. */
export function markedSignOut(): number | undefined {
  const value = withStorage((storage) => storage.getItem(NAME)) ?? ''
  const endsAtMs = /^\d{1,15}$/.test(value) ? Number(value) : 0
  return endsAtMs > Date.now() ? endsAtMs : undefined
}

export function unmarkSignOut(): void {
  withStorage((storage) => storage.removeItem(NAME))
}

/** If the storage is forbidden or full, only the tab of the sign-out tries it again. */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(localStorage)
  } catch {
    return undefined
  }
}
