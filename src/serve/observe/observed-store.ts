/** A store whose operations are observed. */
import type { Store } from '../../store/store.ts'

/** @param error what the operation failed with; absent where it did not */
type End = (error?: unknown) => void
/** Is called before each operation, and what it returns is called after it. */
export type Observer = (operation: string) => End

/** The same store. */
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
