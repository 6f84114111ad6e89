import type { Store } from '../../store/store.ts'

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
