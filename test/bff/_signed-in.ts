/** A browser, signed in or not, answers in place of the service's, and what a test does at calls of a store. */
import type { Store, Tables } from '../../src/store/store.ts'
import { type App, type AppOptions, startApp } from '../kit/app.ts'

export function withBrowser(options?: AppOptions) {
  const fixture = startApp(options)
  return { fixture, browser: fixture.browser() }
}

export async function signedIn(options?: AppOptions, ...signIn: [organization?: string, person?: string]) {
  const made = withBrowser(options)
  await made.browser.signIn(...signIn)
  return made
}

/** To every request except those for tokens. */
export const answerReads = (fixture: App, answer: () => Response): void =>
  fixture.intercept((request, through) =>
    request.url.endsWith('/oauth2/token') ? through(request) : Promise.resolve(answer()),
  )

/** To every request for tokens. */
export const answerTokens = (fixture: App, answer: () => Response): void =>
  fixture.intercept((request, through) =>
    request.url.endsWith('/oauth2/token') ? Promise.resolve(answer()) : through(request),
  )

/** Puts another method into the store, and into each of its transactions. */
export function replaceIn<Name extends keyof Tables>(
  store: Store,
  name: Name,
  make: (method: Tables[Name]) => Tables[Name],
): void {
  const { transaction } = store
  Object.assign(store, {
    [name]: make(store[name].bind(store) as Tables[Name]),
    transaction: (work: (tables: Tables) => Promise<unknown>) =>
      transaction((tables) => work({ ...tables, [name]: make(tables[name]) })),
  })
}

/** Does this before each call of a method of the store, also inside a transaction. */
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
  replaceIn(store, name, () => (() => Promise.reject(error)) as never)
