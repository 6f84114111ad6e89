/** Logs when the store fails and when it is well again, once each, however many requests meet it. */
import { describe } from '../bff/problem.ts'
import { isStoreFailure } from '../contract/problem.ts'
import type { Store } from '../store/store.ts'
import type { ServeEntry } from './log.ts'
import { observeStore } from './observed-store.ts'

/** How long nothing may fail until the store counts as well: on a full disk some methods succeed. */
const WELL_AFTER_MS = 10_000

/** The same store, observed. */
export function logStoreHealth(store: Store, log: (entry: ServeEntry) => void, now: () => number): Store {
  let failedAtMs: number | undefined
  const succeed = () => {
    if (failedAtMs === undefined || now() - failedAtMs < WELL_AFTER_MS) return
    failedAtMs = undefined
    log({ level: 'info', event: 'store_recovered' })
  }
  const fail = (error: unknown) => {
    if (!isStoreFailure(error)) return
    if (failedAtMs === undefined) log({ level: 'error', event: 'store_failed', cause: describe(error.cause) })
    failedAtMs = now()
  }
  return observeStore(store, () => (error) => (error === undefined ? succeed() : fail(error)))
}
