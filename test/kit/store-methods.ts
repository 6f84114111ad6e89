/** Other methods in a store, outside and inside its transactions. */
import type { Store, Tables } from '../../src/store/store.ts'

/** @param make gets the store itself, or the tables of a transaction */
export function withMethods(store: Store, make: (tables: Tables) => Partial<Tables>): Store {
  const { transaction } = store
  return {
    ...store,
    ...make(store),
    transaction: (work) => transaction((tables) => work({ ...tables, ...make(tables) })),
  }
}

/** Puts another method into the store itself. */
export function replaceIn<Name extends keyof Tables>(
  store: Store,
  name: Name,
  make: (method: Tables[Name]) => Tables[Name],
): void {
  Object.assign(
    store,
    withMethods({ ...store }, (tables) => ({ [name]: make(tables[name]) })),
  )
}

/** Does this before each call of a method. */
export const onCall = <Name extends keyof Tables>(
  store: Store,
  name: Name,
  first: (...of: Parameters<Tables[Name]>) => unknown,
): void =>
  replaceIn(store, name, (method) => {
    const call = method as (...of: unknown[]) => unknown
    return ((...of: Parameters<Tables[Name]>) => {
      first(...of)
      return call(...of)
    }) as unknown as Tables[Name]
  })

/** From now on the method fails with this. */
export const failIn = (store: Store, name: keyof Tables, error: Error): void =>
  replaceIn(store, name, () => () => Promise.reject(error))
