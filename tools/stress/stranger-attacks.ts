/** Attacks of a stranger, or of a person of another organization, on an organization. */
import { LOGIN_COOKIE, SESSION_COOKIE } from '../../test/kit/config.ts'
import { fingerprint, randomText } from '../../src/bff/core/encryption.ts'
import type { QuotaSnapshot } from '../../src/contract/quota.ts'
import { BUSINESS, STANDARD } from '../../test/kit/app.ts'
import { randomState } from '../../test/kit/person.ts'
import { openPerson, type Person } from './person.ts'
import { current } from './store-people.ts'
import type { Setup } from './process.ts'

export interface Attempt {
  /** Answers by status. */
  statuses: Record<number, number>
  /** Answers 429 that name no time to wait. */
  withoutRetryAfter: number
  /** Answers to `GET /bff/quota` that show more than the stranger has sent. */
  revealing: number
}

interface Answer {
  status: number
  headers: Headers
}

export const withPerson = async <T>(setup: Setup, work: (person: Person) => Promise<T>): Promise<T> => {
  const person = openPerson(setup.service, () => current(setup))
  try {
    return await work(person)
  } finally {
    await person.close()
  }
}

async function attempt(
  times: number,
  atOnce: number,
  work: (nth: number) => Promise<Answer & { isRevealing?: boolean }>,
): Promise<Attempt> {
  const found: Attempt = { statuses: {}, withoutRetryAfter: 0, revealing: 0 }
  let next = 0
  const worker = async () => {
    while (next < times) {
      const { status, headers, isRevealing } = await work(next++)
      found.statuses[status] = (found.statuses[status] ?? 0) + 1
      if (status === 429 && !headers.has('Retry-After')) found.withoutRetryAfter += 1
      if (isRevealing) found.revealing += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return found
}

/** Forged login cookies, and real ones that were changed; each from another network address. */
export const forgedCookies = (setup: Setup, times: number): Promise<Attempt> =>
  attempt(times, 4, (nth) =>
    withPerson(setup, async ({ browser }) => {
      const [state, cookie] = await forge(browser, nth)
      browser.cookies.clear()
      return browser.request('POST', '/bff/session', {
        json: { code: `garbage-${nth}`, state },
        headers: { Cookie: cookie },
      })
    }),
  )

const FAR = Date.UTC(2100, 0, 1)

async function forge(browser: Person['browser'], nth: number): Promise<[state: string, cookie: string]> {
  const [state, other] = [randomState(), randomState()]
  const name = LOGIN_COOKIE + fingerprint(state)
  if (nth % 4 === 0) return [state, `${name}=${STANDARD}.${Date.now()}`]
  if (nth % 4 === 1) return [state, `${name}=${STANDARD}.${FAR}`]
  await browser.startLogin(BUSINESS, nth % 4 === 2 ? state : other)
  const [[, value = ''] = []] = browser.cookies
  // One sign-in's value under the name of another, and a value with another organization and start.
  if (nth % 4 === 3) return [state, `${name}=${value}`]
  return [state, `${name}=${value.replace(BUSINESS, STANDARD).replace(/\d{13}/, String(FAR))}`]
}

/** A person of Business claims the Standard organization with a valid code. */
export const wrongOrganization = (setup: Setup, times: number): Promise<Attempt> =>
  attempt(times, 1, () =>
    withPerson(setup, async ({ browser }) => {
      const address = await browser.startLogin(STANDARD)
      address.searchParams.set('organization_id', BUSINESS)
      const answer = await browser.finishLogin(await browser.permit(address, 'Cleo'))
      if (answer.status !== 201) return answer
      const { month } = await browser.quota().catch((): Partial<QuotaSnapshot> => ({}))
      // Only the code and the proof were sent.
      return { ...answer, isRevealing: (month?.high ?? 0) > 2 }
    }),
  )

export const wrongKeys = (setup: Setup, times: number, what: string): Promise<Attempt> =>
  withPerson(setup, ({ browser }) =>
    attempt(times, 20, (nth) =>
      browser.request('POST', '/bff/session', { json: { api_key: `a-key-of-no-one-${what}-${nth}` } }),
    ),
  )

export const guessedCookies = (setup: Setup, times: number): Promise<Attempt> =>
  withPerson(setup, ({ browser }) =>
    attempt(times, 32, async () => {
      const Cookie = `${SESSION_COOKIE}=${randomText(16)}.${randomText(32)}`
      const answer = await browser.request<{ signed_in?: boolean }>('GET', '/bff/session', {
        headers: { Cookie },
      })
      browser.cookies.clear()
      return { ...answer, isRevealing: answer.body.signed_in === true }
    }),
  )

export const abandonedSignIns = (setup: Setup, times: number): Promise<Attempt> =>
  withPerson(setup, ({ browser }) =>
    attempt(times, 8, () => {
      browser.cookies.clear()
      return browser.request('POST', '/bff/login', {
        json: { state: randomState(), organization_id: STANDARD },
      })
    }),
  )
