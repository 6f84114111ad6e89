import { isStoreFailure } from '../../contract/problem.ts'
import type { Store } from '../../store/store.ts'
import type { Metrics } from './metrics.ts'
import type { Observer } from './observed-store.ts'

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
