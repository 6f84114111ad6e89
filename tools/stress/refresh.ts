// 500 parallel calls over two processes at the access token's expiry: one token request, no sign-out, no
// wrong answer (5.4).
import { setTimeout as wait } from 'node:timers/promises'
import { BUSINESS } from '../../test/kit/app.ts'
import { alternate, openPerson, type Person, signIn } from './person.ts'
import { type Setup, withSetup } from './process.ts'
import type { Report } from './report.ts'

const FULL_ROUNDS = 200
const CALLS = 500
const PATHS = [`/organizations/${BUSINESS}`, '/organizations', '/rate_limit']
/** Within the margin before the expiry, so that the next call replaces the token. */
const EXPIRING_SECONDS = 29
/** Ends before a caller is answered early, so that the old token is not used meanwhile. */
const EXPIRED_SECONDS = 10
const SLOW_MS = [14_000, 20_000, 40_000]

interface Answered {
  right: number
  /** A problem that names the time to try again: the caller was answered before the refresh had ended. */
  early: number
  signOuts: number
  wrong: number
  /** The wrong answers and the sign-outs, by code. */
  codes: Map<string, number>
}

/** @param rounds the slow endpoints, which take a minute in all, are part of the full run only */
export async function run(report: Report, rounds = FULL_ROUNDS): Promise<void> {
  await withSetup({ processes: 2 }, (setup) => atExpiry(report, setup, rounds))
  if (rounds >= FULL_ROUNDS) await slowEndpoints(report)
}

export async function slowEndpoints(report: Report): Promise<void> {
  await Promise.all(
    SLOW_MS.map((ms) => withSetup({ processes: 2 }, (setup) => slowEndpoint(report, setup, ms))),
  )
}

/** Rounds of a token endpoint that answers within 0 to 60 ms. */
export async function atExpiry(report: Report, setup: Setup, rounds: number, calls = CALLS): Promise<void> {
  const sum = { calls: 0, 'token requests': 0, 'rounds with another number than 1': 0, most: 0 }
  const all: Answered = { right: 0, early: 0, signOuts: 0, wrong: 0, codes: new Map() }
  for (let round = 0; round < rounds; round += 1) {
    setup.service.intercept(async (request, through, { grant }) => {
      if (grant === 'refresh_token') await wait((round % 4) * 20)
      return through(request)
    })
    const { requests, answered } = await oneRound(setup, calls)
    sum.calls += calls
    sum['token requests'] += requests
    sum['rounds with another number than 1'] += requests === 1 ? 0 : 1
    sum.most = Math.max(sum.most, requests)
    add(all, answered)
  }
  report.counts(
    `${rounds} rounds at the expiry`,
    { ...sum, ...countsOf(all) },
    { 'token requests': rounds, 'rounds with another number than 1': 0, most: 1, ...NOTHING_WRONG, early: 0 },
  )
  describeCodes(report, all)
}

/** One round of a slow token endpoint: callers may be answered early, and the session works afterwards. */
export async function slowEndpoint(report: Report, setup: Setup, ms: number, calls = CALLS): Promise<void> {
  setup.service.intercept(async (request, through, { grant }) => {
    if (grant === 'refresh_token') await wait(ms)
    return through(request)
  })
  const { requests, answered } = await oneRound(setup, calls, ms)
  report.counts(
    `a token endpoint of ${ms / 1000} s`,
    { calls, 'token requests': requests, ...countsOf(answered) },
    { 'token requests': 1, ...NOTHING_WRONG },
  )
  describeCodes(report, answered)
}

/** @param laterMs when the refresh has ended, and a further call on each process has to be right */
async function oneRound(
  setup: Setup,
  calls: number,
  laterMs = 0,
): Promise<{ requests: number; answered: Answered }> {
  const { service, apps } = setup
  service.lifetimeSeconds.code = laterMs > 0 ? EXPIRED_SECONDS : EXPIRING_SECONDS
  const [beforehand, person] = [openPerson(service, alternate(apps)), openPerson(service, alternate(apps))]
  try {
    await signIn(beforehand, BUSINESS)
    // The app may close connections that were idle since the sign-in just as they are used.
    for (const [name, value] of beforehand.browser.cookies) person.browser.cookies.set(name, value)
    const before = service.refreshes()
    const startedAtMs = performance.now()
    const answers = await Promise.all(
      Array.from({ length: calls }, (_, nth) =>
        call(person, PATHS[Math.floor(nth / 2) % PATHS.length] ?? ''),
      ),
    )
    const answered = answers.reduce(add, { right: 0, early: 0, signOuts: 0, wrong: 0, codes: new Map() })
    if (laterMs > 0) {
      await wait(Math.max(0, laterMs + 1000 - (performance.now() - startedAtMs)))
      // Not an early answer: the refresh has ended by then.
      for (const path of PATHS.slice(0, apps.length)) {
        const later = await call(person, path)
        add(answered, { ...later, early: 0, wrong: later.wrong + later.early })
      }
    }
    for (const app of apps) {
      person.to = app
      const { body } = await person.browser.session()
      if (!body.signed_in) answered.signOuts += 1
    }
    return { requests: service.refreshes() - before, answered }
  } finally {
    await Promise.all([beforehand.close(), person.close()])
  }
}

async function call({ browser }: Person, path: string): Promise<Answered> {
  const answered: Answered = { right: 0, early: 0, signOuts: 0, wrong: 0, codes: new Map() }
  try {
    const { status, body } = await browser.spend<Record<string, unknown>>(path)
    const code = typeof body['code'] === 'string' ? body['code'] : String(status)
    if (status === 200 && isRight(path, body)) answered.right += 1
    else if (status === 401) answered.signOuts += 1
    else if (status >= 429 && typeof body['retry_in_ms'] === 'number') answered.early += 1
    else answered.wrong += 1
    if (answered.right === 0) answered.codes.set(status === 200 ? `another body of ${path}` : code, 1)
  } catch (error) {
    answered.wrong += 1
    answered.codes.set(String((error as { code?: string }).code ?? error), 1)
  }
  return answered
}

/** True if the body is that of the path, for the organization of the session. */
const isRight = (path: string, body: Record<string, unknown>): boolean =>
  path === '/rate_limit'
    ? (body['get'] as { limit?: number } | undefined)?.limit === 600
    : JSON.stringify(body).includes(`"organization_id":${BUSINESS}`)

function add(sum: Answered, { right, early, signOuts, wrong, codes }: Answered): Answered {
  sum.right += right
  sum.early += early
  sum.signOuts += signOuts
  sum.wrong += wrong
  for (const [code, count] of codes) sum.codes.set(code, (sum.codes.get(code) ?? 0) + count)
  return sum
}

const NOTHING_WRONG = { 'sign-outs': 0, 'wrong answers': 0 }
const countsOf = ({ right, early, signOuts, wrong }: Answered) => ({
  right,
  early,
  'sign-outs': signOuts,
  'wrong answers': wrong,
})

function describeCodes(report: Report, { codes }: Answered): void {
  if (codes.size > 0) report.line(`  not right: ${[...codes].map(([code, n]) => `${code} ${n}`).join(', ')}`)
}
