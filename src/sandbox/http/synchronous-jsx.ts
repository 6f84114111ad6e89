/** Rendering of JSX without following promises: no part of a page is asynchronous. */
import { createContext, useContext } from 'hono/jsx'

/**
 * Lets hono/jsx render without an `AsyncLocalStorage`, for which it looks once, before its first page. In
 * Node 20 every promise of the process takes longer from the first use of one on: a read of the sandbox a
 * sixth, and the app, too, where it runs beside it.
 */
export function renderSynchronously(): void {
  // oxlint-disable-next-line no-restricted-globals -- nothing of the environment is read
  const host: object = process
  const getBuiltinModule: unknown = Reflect.get(host, 'getBuiltinModule')
  Object.assign(host, { getBuiltinModule: undefined })
  useContext(createContext(undefined))
  Object.assign(host, { getBuiltinModule })
}
