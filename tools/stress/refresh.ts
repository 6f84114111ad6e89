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

/** The number of calls, by what came of them. */
type Answers = Record<'right' | 'early' | 'sign-outs' | 'wrong answers', number>

/** The token endpoint answers after 0, 20, 40 or 60 ms, by the round. */
export const run = (report: Report, rounds = FULL_ROUNDS): Promise<void> =>
  withSetup({ processes: 2 }, (setup) => atExpiry(report, setup, rounds))

async function atExpiry(report: Report, setup: Setup, rounds: number): Promise<void> {
  const sum = { calls: rounds * CALLS, 'token requests': 0, 'rounds with another number than 1': 0 }
  const all: Answers = { right: 0, early: 0, 'sign-outs': 0, 'wrong answers': 0 }
  const codes = new Map<string, number>()
  for (let round = 0; round < rounds; round += 1) {
    setup.service.intercept(async (request, through, { grant }) => {
      if (grant === 'refresh_token') await wait((round % 4) * 20)
      return through(request)
    })
    const requests = await oneRound(setup, all, codes)
    sum['token requests'] += requests
    sum['rounds with another number than 1'] += requests === 1 ? 0 : 1
  }
  const counts = { ...sum, ...all, 'does not hold': (await violations(setup)).length }
  report.counts(`${rounds} rounds at the expiry`, counts, {
    'token requests': rounds,
    'rounds with another number than 1': 0,
    early: 0,
    'sign-outs': 0,
    'wrong answers': 0,
    'does not hold': 0,
  })
  if (codes.size > 0) report.line(`  not right: ${[...codes].map((one) => one.join(': ')).join(', ')}`)
}

/** @returns the number of token requests */
function oneRound(setup: Setup, all: Answers, codes: Map<string, number>): Promise<number> {
  const { service, apps } = setup
  service.lifetimeSeconds.code = EXPIRING_SECONDS
  const person = openPerson(service, balanced(setup))
  return withPeople([person], async () => {
    await signIn(person)
    const before = service.refreshes()
    const count = async (nth: number) => {
      const [answer, code] = await call(person, PATHS[Math.floor(nth / 2) % PATHS.length] ?? '')
      all[answer] += 1
      if (answer !== 'right') codes.set(code, (codes.get(code) ?? 0) + 1)
    }
    await Promise.all(Array.from({ length: CALLS }, (_, nth) => count(nth)))
    for (person.to of apps) if (!(await isSignedIn(person))) all['sign-outs'] += 1
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
