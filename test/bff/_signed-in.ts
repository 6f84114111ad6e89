/** A browser, signed in or not, answers in place of the service's, and what a test does at calls of a store. */
import type { Store } from '../../src/store/store.ts'
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

/** Does this before each call of a method of the store. */
export function onCall<Name extends keyof Store>(
  store: Store,
  name: Name,
  first: (...of: Parameters<Store[Name]>) => unknown,
): void {
  const method = store[name] as (...of: unknown[]) => unknown
  const observed = (...of: Parameters<Store[Name]>) => {
    first(...of)
    return method.apply(store, of)
  }
  Object.assign(store, { [name]: observed })
}
