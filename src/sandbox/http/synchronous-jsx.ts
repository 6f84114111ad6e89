/** Renders JSX without promises: no part of a page is asynchronous. */
import { createContext, useContext } from 'hono/jsx'

/**
 * Makes hono/jsx render without an `AsyncLocalStorage`, which it looks for once, before its first page. In
 * Node 20 the first use of one makes every promise of the process slower: a read took a sixth longer.
 */
export function renderSynchronously(): void {
  // oxlint-disable-next-line no-restricted-globals -- nothing of the environment is read
  const host: object = process
  const getBuiltinModule: unknown = Reflect.get(host, 'getBuiltinModule')
  Object.assign(host, { getBuiltinModule: undefined })
  useContext(createContext(undefined))
  Object.assign(host, { getBuiltinModule })
}
