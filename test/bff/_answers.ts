/** What an answer of the bff says in one value, and a sign-in by the API key of an organization. */
import type { ProblemBody } from '../../src/contract/problem.ts'
import type { SignedIn } from '../../src/contract/session.ts'
import { type App, STANDARD } from '../kit/app.ts'
import type { Person } from '../kit/person.ts'

/** @returns the status, followed by the code of a problem: `401 signed_out` */
export async function told(answer: Promise<{ status: number; body: unknown }>): Promise<string> {
  const { status, body } = await answer
  const { code } = { ...(body as Partial<ProblemBody>) }
  return code === undefined ? String(status) : `${status} ${code}`
}

export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'

export const keyOf = ({ seed }: App, organization = STANDARD): string =>
  seed.api_keys.find(({ organization_id: id }) => String(id) === organization)?.value ?? ''

/** In Firefox on Linux. */
export const signInByKey = (fixture: App, browser: Person, organization = STANDARD) =>
  browser.request<SignedIn>('POST', '/bff/session', {
    json: { api_key: keyOf(fixture, organization) },
    headers: { 'User-Agent': FIREFOX },
  })

/** In place of an answer: there was no connection. */
export const unsent = (): Promise<never> =>
  Promise.reject(Object.assign(new Error('no connection'), { code: 'NO_CONNECTION', isUnsent: true }))
