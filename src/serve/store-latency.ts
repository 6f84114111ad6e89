/** Measures how long each operation of the store takes, and counts those that it fails. */
import { isStoreFailure } from '../contract/problem.ts'
import type { Store } from '../store/store.ts'
import type { Metrics } from './metrics.ts'

/**
 * The same store, observed.
 * @param nowMs milliseconds of a clock that is never set back
 */
export function measureStore(
  store: Store,
  metrics: Pick<Metrics, 'expectOperations' | 'measureOperation'>,
  nowMs: () => number,
): Store {
  metrics.expectOperations(Object.keys(store))
  const observed = Object.entries(store).map(([name, method]: [string, (...args: never[]) => unknown]) => [
    name,
    async (...args: never[]) => {
      const startedAtMs = nowMs()
      const end = (isFailed: boolean) =>
        metrics.measureOperation(name, (nowMs() - startedAtMs) / 1000, isFailed)
      try {
        const result = await method(...args)
        end(false)
        return result
      } catch (error) {
        end(isStoreFailure(error))
        throw error
      }
    },
  ])
  return Object.fromEntries(observed) as Store
}
