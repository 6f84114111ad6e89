import type { Store } from '../../store/store.ts'
import { isStoreFailure } from '../../contract/problem.ts'
import type { Metrics } from './metrics.ts'
import { describe } from '../../bff/core/problem.ts'
import type { ServeEntry } from './log.ts'

/** @param error absent if the operation succeeded */
type End = (error?: unknown) => void
/** Called before each operation. @returns a function that is called after it */
export type Observer = (operation: string) => End

export function observeStore(store: Store, observers: readonly Observer[]): Store {
  const observed = Object.entries(store).map(
    ([name, method]: [string, (...args: never[]) => Promise<unknown>]) => [
      name,
      (...args: never[]) => {
        const ends = observers.map((begin) => begin(name))
        return method(...args).then(
          (result) => {
            for (const end of ends) end()
            return result
          },
          (error: unknown) => {
            for (const end of ends) end(error)
            throw error
          },
        )
      },
    ],
  )
  return Object.fromEntries(observed) as Store
}

/** @param nowMs milliseconds of a monotonic clock */
export function measureStore(
  store: Store,
  metrics: Pick<Metrics, 'expectOperations' | 'measureOperation'>,
  nowMs: () => number,
): Observer {
  metrics.expectOperations(Object.keys(store))
  return (operation) => {
    const startedAtMs = nowMs()
    return (error) =>
      metrics.measureOperation(operation, (nowMs() - startedAtMs) / 1000, isStoreFailure(error))
  }
}

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
