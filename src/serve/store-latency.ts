/** Measures how long each operation of the store takes, and counts those that it fails. */
import { isStoreFailure } from '../contract/problem.ts'
import type { Store } from '../store/store.ts'
import type { Metrics } from './metrics.ts'
import { observeStore } from './observed-store.ts'

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
  return observeStore(store, (operation) => {
    const startedAtMs = nowMs()
    return (error) =>
      metrics.measureOperation(operation, (nowMs() - startedAtMs) / 1000, isStoreFailure(error))
  })
}
