/** Watches each operation of the store: for the log, and for the metrics. */
import { describe } from '../../bff/core/problem.ts'
import { isStoreFailure } from '../../contract/problem.ts'
import type { Store } from '../../store/store.ts'
import type { ServeEntry } from './log.ts'
import type { Metrics } from './metrics.ts'

/** The store has recovered after this long without a failure: on a full disk, some methods succeed. */
const WELL_AFTER_MS = 10_000

interface Observers {
  log: (entry: ServeEntry) => void
  now: () => number
  metrics?: Pick<Metrics, 'storeSeconds' | 'storeFailures'> | undefined
}

/** Logs once when the store fails and once when it recovers. What fails after its close is not logged. */
export function observeStore(store: Store, { log, now, metrics }: Observers): Store {
  let failedAtMs: number | undefined
  let isClosed = false
  const succeed = () => {
    if (failedAtMs === undefined || now() - failedAtMs < WELL_AFTER_MS) return
    failedAtMs = undefined
    log({ level: 'info', event: 'store_recovered' })
  }
  const fail = (cause: unknown) => {
    if (isClosed) return
    if (failedAtMs === undefined) log({ level: 'error', event: 'store_failed', cause: describe(cause) })
    failedAtMs = now()
  }
  const observe = ([operation, method]: [string, (...args: never[]) => Promise<unknown>]) => {
    // A counter that first appears with its first event shows no increase.
    metrics?.storeFailures.inc({ operation }, 0)
    const observed = async (...args: never[]) => {
      const end = metrics?.storeSeconds.startTimer({ operation })
      isClosed ||= operation === 'close'
      try {
        const result = await method(...args)
        succeed()
        return result
      } catch (error) {
        if (isStoreFailure(error)) {
          fail(error.cause)
          metrics?.storeFailures.inc({ operation })
        }
        throw error
      } finally {
        end?.()
      }
    }
    return [operation, observed]
  }
  const observed = Object.entries(store).map(observe)
  return Object.fromEntries(observed) as Store
}
