/** A browser, signed in or not, and answers in place of the service's. */
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
