import { describe, expect, test } from 'vitest'
import type { ProblemBody } from '../../src/contract/problem.ts'
import type { SignedIn } from '../../src/contract/session.ts'
import { BUSINESS, createFixture, randomState, SECRET, STANDARD } from '../_fixture.ts'

const problem = (body: unknown) => (body as ProblemBody).code

test('the code that was used already is refused, and no session is created (RFC 6749 4.1.2)', async () => {
  const fixture = createFixture()
  const [first, second] = [fixture.browser(), fixture.browser()]
  const back = await first.permit(await first.startLogin(STANDARD), 'Ada')
  await first.finishLogin(back)
  const state = randomState()
  await second.startLogin(STANDARD, state)
  back.searchParams.set('state', state)
  const { status, body } = await second.finishLogin(back)
  expect([status, problem(body)]).toEqual([401, 'code_rejected'])
  expect((await second.session()).body.signed_in).toBe(false)
  expect(second.cookies.size).toBe(0)
})

test('a token of another organization than the one asked for creates no session (5.3)', async () => {
  const fixture = createFixture()
  const [victim, attacker] = [fixture.browser(), fixture.browser()]
  const stolen = await victim.permit(await victim.startLogin(BUSINESS), 'Ada')
  const state = randomState()
  await attacker.startLogin(STANDARD, state)
  stolen.searchParams.set('state', state)
  const { status, body } = await attacker.finishLogin(stolen)
  expect([status, problem(body)]).toEqual([403, 'organization_refused'])
  expect((await attacker.session()).body.signed_in).toBe(false)
})

describe('when the service does not answer the read of the organization', () => {
  test.each([429, 500, 503])(
    'a %s creates the session, and the next read is the proof (5.3)',
    async (status) => {
      const fixture = createFixture()
      const browser = fixture.browser()
      fixture.intercept((request, through) =>
        request.url.includes('/organizations')
          ? Promise.resolve(new Response('{}', { status }))
          : through(request),
      )
      expect((await browser.signIn()).status).toBe(201)
      const { body } = await browser.read(`/organizations/${STANDARD}`)
      expect(problem(body)).toBe('costs_a_request')
      fixture.intercept((request, through) =>
        request.url.includes('/organizations')
          ? Promise.resolve(new Response('{}', { status: 404 }))
          : through(request),
      )
      fixture.advance(61_000)
      expect(problem((await browser.spend(`/organizations/${STANDARD}`)).body)).toBe('organization_refused')
      expect((await browser.session()).body.signed_in).toBe(false)
    },
  )

  test('no answer at all creates the session too (5.3)', async () => {
    const fixture = createFixture()
    const browser = fixture.browser()
    fixture.intercept((request, through) =>
      request.url.includes('/organizations')
        ? Promise.reject(new DOMException('late', 'TimeoutError'))
        : through(request),
    )
    expect((await browser.signIn()).status).toBe(201)
  })
})

test('an API key signs in with one request, and is in no answer or log line (5.1.5)', async () => {
  const fixture = createFixture()
  const browser = fixture.browser()
  const key = fixture.seed.api_keys[0]?.value ?? ''
  const { status, body, headers } = await browser.request('POST', '/bff/session', { json: { api_key: key } })
  expect([status, body]).toEqual([
    201,
    { signed_in: true, id: expect.any(String), method: 'api_key', ends_in: expect.any(Number) },
  ])
  expect(
    fixture.sent.map(({ path, headers: sent }) => [
      path,
      sent.get('X-Service-Api-Key'),
      sent.get('Authorization'),
    ]),
  ).toEqual([['/organizations', key, null]])
  const shown = await browser.read('/organizations')
  expect(shown.headers.get('X-Plimsoll-Spent')).toBe('0')
  expect(JSON.stringify([body, [...headers], shown, fixture.log])).not.toContain(key)
})

test('each session has another id, which is the same at every reload and leads to no cookie (5.1.5)', async () => {
  const fixture = createFixture()
  const browser = fixture.browser()
  const byKey = async (organization: number) => {
    const key = fixture.seed.api_keys.find(({ organization_id }) => organization_id === organization)?.value
    const { body } = await browser.request<SignedIn>('POST', '/bff/session', { json: { api_key: key } })
    return body.id
  }
  const [standard, business] = [await byKey(1001), await byKey(2002)]
  expect(business).not.toBe(standard)
  expect((await browser.session()).body).toMatchObject({ id: business })
  expect(JSON.stringify([...browser.cookies])).not.toContain(business)
})

test.each([
  ['with a blank in it', 'a key', 0],
  ['with a line break', 'a\r\nX-Evil: 1', 0],
  ['that is empty', '', 0],
  ['of a megabyte', 'k'.repeat(600), 0],
  ['that the service does not know', 'unknown-key-0123456789', 1],
])('an API key %s is refused (5.1)', async (_, api_key, sent) => {
  const fixture = createFixture()
  const browser = fixture.browser()
  const { status, body } = await browser.request('POST', '/bff/session', { json: { api_key } })
  expect([status, body.code]).toEqual([401, 'key_rejected'])
  expect(fixture.sent).toHaveLength(sent)
  expect(browser.cookies.size).toBe(0)
})

test('a service that rejects our client is a problem of its own (RFC 6749 5.2)', async () => {
  const fixture = createFixture({ clientSecret: 'not-the-secret' })
  const { status, body } = await fixture.browser().signIn()
  expect([status, problem(body)]).toEqual([502, 'client_rejected'])
})

test('a new sign-in has a new name, and the session before it has ended (OWASP session management)', async () => {
  const fixture = createFixture()
  const browser = fixture.browser()
  await browser.signIn()
  const before = new Map(browser.cookies)
  await browser.signIn()
  expect(browser.cookies.get('__Host-plimsoll')).not.toBe(before.get('__Host-plimsoll'))
  const thief = fixture.browser()
  for (const [name, value] of before) thief.cookies.set(name, value)
  expect((await thief.request('GET', '/bff/quota')).status).toBe(401)
})

test.each([
  ['garbage', 'garbage'],
  ['half a cookie', 'name.'],
  ['ten thousand letters', `${'a'.repeat(5000)}.${'b'.repeat(5000)}`],
  ['characters that are no base64', '%00.%ff'],
])('a cookie that is %s is no session, and is removed (RFC 6265 5.4)', async (_, value) => {
  const fixture = createFixture()
  const browser = fixture.browser()
  browser.cookies.set('__Host-plimsoll', value)
  expect((await browser.session()).body.signed_in).toBe(false)
  expect(browser.cookies.size).toBe(0)
})

test('sign-out removes every cookie of ours, those of sign-ins in progress too (RFC 6265 5.3)', async () => {
  const browser = createFixture().browser()
  await browser.signIn()
  await browser.startLogin(STANDARD)
  await browser.startLogin(BUSINESS)
  browser.cookies.set('another', 'cookie')
  expect(browser.cookies.size).toBe(4)
  const { headers } = await browser.signOut()
  expect([...browser.cookies.keys()]).toEqual(['another'])
  expect(headers.get('Clear-Site-Data')).toBe('"cookies", "storage"')
})

test('sign-out without a session is a sign-out too (RFC 9110 9.2.2)', async () => {
  expect((await createFixture().browser().signOut()).status).toBe(204)
})

test('tokens, secret and code are in no answer and no log line of a whole sign-in (5.4)', async () => {
  const fixture = createFixture()
  const browser = fixture.browser()
  const back = await browser.permit(await browser.startLogin(STANDARD), 'Ada')
  const seen: unknown[] = [await browser.finishLogin(back), [...browser.cookies]]
  const tokens: string[] = []
  fixture.intercept(async (request, through) => {
    const response = await through(request)
    if (request.url.endsWith('/oauth2/token')) {
      const { access_token, refresh_token } = (await response.clone().json()) as Record<string, string>
      tokens.push(access_token ?? '', refresh_token ?? '')
    }
    return response
  })
  fixture.advance(3_600_000)
  seen.push(await browser.spend('/rate_limit'), await browser.quota(), await browser.session())
  fixture.intercept(() => Promise.reject(new Error('socket hang up')))
  seen.push(await browser.spend('/rate_limit'), await browser.signOut())
  const text = JSON.stringify(seen, (_, value) => (value instanceof Headers ? [...value] : value))
  for (const canary of [SECRET, back.searchParams.get('code') ?? '', ...tokens]) {
    expect(canary.length).toBeGreaterThan(10)
    expect(text).not.toContain(canary)
    expect(JSON.stringify(fixture.log)).not.toContain(canary)
  }
  expect(tokens).toHaveLength(2)
})
