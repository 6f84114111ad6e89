/** A store whose operations are observed. */
import type { Store } from '../store/store.ts'

/** @param error what the operation failed with; absent where it did not */
type End = (error?: unknown) => void

/** The same store. @param begin is called before each operation, and what it returns is called after it */
export function observeStore(store: Store, begin: (operation: string) => End): Store {
  const observed = Object.entries(store).map(([name, method]: [string, (...args: never[]) => unknown]) => [
    name,
    async (...args: never[]) => {
      const end = begin(name)
      try {
        const result = await method(...args)
        end()
        return result
      } catch (error) {
        end(error)
        throw error
      }
    },
  ])
  return Object.fromEntries(observed) as Store
}
