// 500 parallel calls over two processes at the access token's expiry: one token request, no sign-out, no
// wrong answer (5.4).
import { setTimeout as wait } from 'node:timers/promises'
import { BUSINESS } from '../../test/kit/config.ts'
import { balanced, type Setup, withSetup } from './harness.ts'
import { violations } from './holds.ts'
import { EXPIRING_SECONDS, isSignedIn, openPerson, PATHS, type Person, signIn, withPeople } from './people.ts'
import type { Report } from './report.ts'

const FULL_ROUNDS = 200
const CALLS = 500
/** Ends before a caller is answered early, so that the old token is not used meanwhile. */
const EXPIRED_SECONDS = 10
const SLOW_MS = [14_000, 20_000, 40_000]

/** By what came of a call, and the codes of those that were not right. */
type Answers = Record<'right' | 'early' | 'sign-outs' | 'wrong answers', number>
const NONE: Answers = { right: 0, early: 0, 'sign-outs': 0, 'wrong answers': 0 }
const NOTHING_WRONG = { 'sign-outs': 0, 'wrong answers': 0, 'does not hold': 0 }

/** @param rounds the slow endpoints, which take a minute in all, are part of the full run only */
export async function run(report: Report, rounds = FULL_ROUNDS): Promise<void> {
  await withSetup({ processes: 2 }, (setup) => atExpiry(report, setup, rounds))
  if (rounds < FULL_ROUNDS) return
  await Promise.all(
    SLOW_MS.map((ms) => withSetup({ processes: 2 }, (setup) => slowEndpoint(report, setup, ms))),
  )
}

/** Rounds of a token endpoint that answers within 0 to 60 ms. */
async function atExpiry(report: Report, setup: Setup, rounds: number): Promise<void> {
  const sum = { calls: rounds * CALLS, 'token requests': 0, 'rounds with another number than 1': 0 }
  const all = { ...NONE }
  for (let round = 0; round < rounds; round += 1) {
    delayRefresh(setup, (round % 4) * 20)
    const requests = await oneRound(report, setup, all)
    sum['token requests'] += requests
    sum['rounds with another number than 1'] += requests === 1 ? 0 : 1
  }
  const wrong = { 'does not hold': (await violations(setup)).length }
  const expected = { 'token requests': rounds, 'rounds with another number than 1': 0, early: 0 }
  report.counts(
    `${rounds} rounds at the expiry`,
    { ...sum, ...all, ...wrong },
    { ...NOTHING_WRONG, ...expected },
  )
}

/** One round of a slow token endpoint: callers may be answered early, and the session works afterwards. */
async function slowEndpoint(report: Report, setup: Setup, ms: number): Promise<void> {
  delayRefresh(setup, ms)
  const all = { ...NONE }
  const requests = await oneRound(report, setup, all, ms)
  const counts = { calls: CALLS, 'token requests': requests, ...all }
  report.counts(`a token endpoint of ${ms / 1000} s`, counts, { ...NOTHING_WRONG, 'token requests': 1 })
}

const delayRefresh = ({ service }: Setup, ms: number): void =>
  service.intercept(async (request, through, { grant }) => {
    if (grant === 'refresh_token') await wait(ms)
    return through(request)
  })

/**
 * @param laterMs when the refresh has ended, and a further call on each process has to be right
 * @returns the number of token requests
 */
function oneRound(report: Report, setup: Setup, all: Answers, laterMs = 0): Promise<number> {
  const { service, apps } = setup
  service.lifetimeSeconds.code = laterMs > 0 ? EXPIRED_SECONDS : EXPIRING_SECONDS
  const next = balanced(setup)
  return withPeople([openPerson(service, next), openPerson(service, next)], async (both) => {
    const [beforehand, person] = both as [Person, Person]
    await signIn(beforehand)
    // The app may close connections that were idle since the sign-in just as they are used.
    for (const [name, value] of beforehand.browser.cookies) person.browser.cookies.set(name, value)
    const before = service.refreshes()
    const startedAtMs = performance.now()
    const count = async (nth: number) => {
      const [answer, code] = await call(person, PATHS[Math.floor(nth / 2) % PATHS.length] ?? '')
      // The refresh has ended by the time of a later call.
      all[answer === 'early' && nth >= CALLS ? 'wrong answers' : answer] += 1
      if (answer !== 'right' && answer !== 'early') report.line(`  not right: ${code}`)
    }
    await Promise.all(Array.from({ length: CALLS }, (_, nth) => count(nth)))
    if (laterMs > 0) await wait(Math.max(0, laterMs + 1000 - (performance.now() - startedAtMs)))
    for (const [nth, app] of apps.entries()) {
      person.to = app
      if (laterMs > 0) await count(CALLS + 2 * nth)
      if (!(await isSignedIn(person))) all['sign-outs'] += 1
    }
    return service.refreshes() - before
  })
}

async function call({ browser }: Person, path: string): Promise<[keyof Answers, string]> {
  try {
    const { status, body } = await browser.spend<Record<string, unknown>>(path)
    const code = `${status} ${String(body['code'])}`
    if (status === 200 && isRight(path, body)) return ['right', code]
    if (status === 401) return ['sign-outs', code]
    // A problem that names the time to try again: the caller was answered before the refresh had ended.
    return [status >= 429 && typeof body['retry_in_ms'] === 'number' ? 'early' : 'wrong answers', code]
  } catch (error) {
    return ['wrong answers', String((error as { code?: string }).code ?? error)]
  }
}

/** True if the body is that of the path, for the organization of the session. */
const isRight = (path: string, body: Record<string, unknown>): boolean =>
  path === '/rate_limit'
    ? (body['get'] as { limit?: number } | undefined)?.limit === 600
    : JSON.stringify(body).includes(`"organization_id":${BUSINESS}`)
