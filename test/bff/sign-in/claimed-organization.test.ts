import { describe, expect, test } from 'vitest'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { reserve } from '../../../src/bff/service/ledger.ts'
import type { ProblemBody } from '../../../src/contract/problem.ts'
import type { QuotaSnapshot } from '../../../src/contract/quota.ts'
import { BUSINESS, startApp, STANDARD } from '../../kit/app.ts'
import { type Person, randomState } from '../../kit/person.ts'
import { createContext } from '../_context.ts'

const problem = (body: unknown) => (body as ProblemBody).code

/** The snapshot without its version, which every change raises. */
const unnumbered = async (browser: Person) => ({ ...(await browser.quota()), version: 0 })

/** One is signed in to Standard; another claims it with a code of Business. `proof` answers the proof. */
async function claimed(proof: (request: Request, through: Sandbox['fetch']) => Promise<Response>) {
  const fixture = startApp()
  const [victim, claimant] = [fixture.browser(), fixture.browser()]
  await victim.signIn(STANDARD, 'Ada')
  const seen = async () => [
    await unnumbered(victim),
    await fixture.store.readNote(`organization ${STANDARD}`),
  ]
  const before = await seen()
  const stolen = await claimant.permit(await claimant.startLogin(BUSINESS), 'Ada')
  const state = randomState()
  await claimant.startLogin(STANDARD, state)
  stolen.searchParams.set('state', state)
  const api = (request: Request, through: Sandbox['fetch']) =>
    request.url.endsWith('/oauth2/token') ? through(request) : proof(request, through)
  fixture.intercept(api)
  const answer = await claimant.finishLogin(stolen)
  fixture.intercept(undefined)
  return { fixture, claimant, answer, before, seen }
}

describe('a person of Business who claims Standard', () => {
  test('is refused, and Standard stays as it was (5.3, 8.3)', async () => {
    const { answer, before, seen } = await claimed((request, through) => through(request))
    expect([answer.status, problem(answer.body)]).toEqual([403, 'organization_refused'])
    expect(await seen()).toEqual(before)
  })

  test.each([
    [429, { 'Retry-After': '30' }],
    [429, { 'Retry-After': '86400' }],
    [429, { 'X-RateLimit-Limit': '600', 'X-RateLimit-Remaining': '5' }],
    [503, {}],
    [402, {}],
  ])(
    'sees only his requests and changes nothing of Standard, if the proof is answered %i %j (5.3, 8.3)',
    async (status, headers) => {
      const { fixture, claimant, answer, before, seen } = await claimed(() =>
        Promise.resolve(new Response('{}', { status, headers })),
      )
      expect(answer.status).toBe(201)
      const { month } = await claimant.quota()
      expect(month).toMatchObject({ low: 0, high: 2 })
      expect(month.plan).toBeUndefined()
      expect(await seen()).toEqual(before)
      fixture.advance(66_000)
      // The token is good for Business, which proves nothing about Standard.
      expect((await claimant.spend('/rate_limit')).status).toBe(200)
      expect((await claimant.quota()).month).toMatchObject({ low: 0, high: 3 })
      expect((await claimant.quota()).month.plan).toBeUndefined()
      expect(problem((await claimant.spend(`/organizations/${STANDARD}`)).body)).toBe('organization_refused')
      expect((await claimant.session()).body.signed_in).toBe(false)
      const [quota, note] = await seen()
      expect([(quota as QuotaSnapshot).month, note]).toMatchObject([{ low: 1, high: 2 }, before[1]])
    },
  )
})

test('a hundred codes that are none leave the month of the organization where it was (5.3, 8.3)', async () => {
  const fixture = startApp()
  const [victim, stranger] = [fixture.browser(), fixture.browser()]
  await victim.signIn()
  const before = await unnumbered(victim)
  for (let post = 0; post < 100; post += 1) {
    const state = randomState()
    await stranger.startLogin(STANDARD, state)
    await stranger.request('POST', '/bff/session', { json: { code: `garbage-${post}`, state } })
  }
  expect(fixture.tokenRequests().length).toBeGreaterThan(1)
  expect(await unnumbered(victim)).toEqual(before)
})

test('with 90 requests of the month sent, a 401 to a proof is a refusal, and not the month (5.5, 8.3)', async () => {
  const fixture = startApp()
  const [person, other] = [fixture.browser(), fixture.browser()]
  await person.signIn()
  const { context } = createContext()
  const entry = { organization: STANDARD, token: 'another', kind: 'api.read', method: 'GET' } as const
  for (let request = 0; request < 90; request += 1)
    await reserve(
      { ...context, store: fixture.store },
      { ...entry, path: '/organizations', initiator: 'person' },
    )
  fixture.intercept((request, through) =>
    request.url.endsWith('/oauth2/token')
      ? through(request)
      : Promise.resolve(new Response('{}', { status: 401 })),
  )
  const { status, body } = await other.signIn()
  expect([status, problem(body)]).toEqual([403, 'organization_refused'])
  expect((await person.quota()).pauses).toEqual([])
})

test('the requests of a sign-in count for its organization once it is proven, even by a later read (8.3)', async () => {
  const fixture = startApp()
  const [first, late] = [fixture.browser(), fixture.browser()]
  await first.signIn()
  fixture.intercept((request, through) =>
    request.url.endsWith('/oauth2/token')
      ? through(request)
      : Promise.resolve(new Response('{}', { status: 503 })),
  )
  await late.signIn()
  fixture.intercept(undefined)
  expect((await first.quota()).month).toMatchObject({ low: 1, high: 2 })
  expect((await late.spend(`/organizations/${STANDARD}`)).status).toBe(200)
  const month = { low: 2, high: 5, plan: 'standard', limit: 100 }
  expect([(await first.quota()).month, (await late.quota()).month]).toMatchObject([month, month])
})
