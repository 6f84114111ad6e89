/** Logs once when the store fails and once when it recovers. What fails after its close is not logged. */
import { describe } from '../../bff/core/problem.ts'
import { isStoreFailure } from '../../contract/problem.ts'
import type { ServeEntry } from './log.ts'
import type { Observer } from './observed-store.ts'

/** The store has recovered after so long without a failure: on a full disk, some methods succeed. */
const WELL_AFTER_MS = 10_000

export function logStoreHealth(log: (entry: ServeEntry) => void, now: () => number): Observer {
  let failedAtMs: number | undefined
  let isClosed = false
  const succeed = () => {
    if (failedAtMs === undefined || now() - failedAtMs < WELL_AFTER_MS) return
    failedAtMs = undefined
    log({ level: 'info', event: 'store_recovered' })
  }
  const fail = (error: unknown) => {
    if (isClosed || !isStoreFailure(error)) return
    if (failedAtMs === undefined) log({ level: 'error', event: 'store_failed', cause: describe(error.cause) })
    failedAtMs = now()
  }
  return (operation) => {
    isClosed ||= operation === 'close'
    return (error) => (error === undefined ? succeed() : fail(error))
  }
}
