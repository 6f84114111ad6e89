import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { exchangeCode, refreshTokens } from '../../../src/bff/token/token.ts'
import { assertNoTokenPause } from '../../../src/bff/token/pause.ts'
import { Problem, type ProblemBody } from '../../../src/contract/problem.ts'
import type { LedgerEntry } from '../../../src/store/store.ts'
import { APP, startApp, SECRET, STANDARD } from '../../kit/app.ts'
import { createContext, problemOf, START_MS } from '../_context.ts'

const HOUR_MS = 3_600_000
const OWNER = { organization: '1001', owner: 'browser a' }
const good = { access_token: 'at', token_type: 'Bearer', expires_in: 3600, refresh_token: 'rt' }

/** Sends one request to a token endpoint that gives this answer after 200 ms. */
function answered(response: Response) {
  const sent: LedgerEntry[] = []
  const made = createContext(() => {
    made.clock.ms += 200
    return Promise.resolve(response)
  })
  const { context } = made
  const { reserve } = context.store
  context.store.reserve = (entry) => {
    sent.push(entry)
    return reserve(entry)
  }
  return {
    ...made,
    sent,
    exchange: () => exchangeCode(context, { code: 'c', ...OWNER }),
    refresh: (refreshToken: string | undefined) => refreshTokens(context, refreshToken, OWNER),
  }
}

test.each([200, 201])(
  'tokens in JSON are accepted under a %i of any media type, and live from the sending on (4.2, 5.4.2)',
  async (status) => {
    const { exchange, sent } = answered(new Response(JSON.stringify(good), { status }))
    expect(await exchange()).toMatchObject({ accessToken: 'at', expiresAtMs: START_MS + HOUR_MS })
    expect(sent).toEqual([
      expect.objectContaining({
        kind: 'token.code',
        ...OWNER,
        initiator: 'sign_in',
        path: '/oauth2/token',
        method: 'POST',
      }),
    ])
  },
)

test('a refresh is recorded as one, and returns the new refresh token or the old one (5.4.4)', async () => {
  const { refresh, sent } = answered(Response.json(good))
  expect((await refresh('old')).refreshToken).toBe('rt')
  expect(sent).toEqual([expect.objectContaining({ kind: 'token.refresh', ...OWNER, initiator: 'call' })])
  const without = answered(Response.json({ ...good, refresh_token: undefined }))
  expect((await without.refresh('old')).refreshToken).toBe('old')
})

test('without a refresh token the grant has ended, and nothing is sent (2.1)', async () => {
  const { refresh, sent } = answered(Response.json(good))
  expect(await problemOf(refresh(undefined))).toEqual({ code: 'access_withdrawn' })
  expect(sent).toEqual([])
})

test.each([
  [
    400,
    { error: 'invalid_grant' },
    'code_rejected',
    undefined,
    'the token endpoint answered the code exchange with 400 invalid_grant',
  ],
  [401, 'canary', 'client_rejected', undefined, 'the token endpoint answered the code exchange with 401'],
  [503, {}, 'upstream_failed', 7000, 'the token endpoint answered the code exchange with 503'],
  [429, {}, 'limit_unknown', 7000, 'the token endpoint answered the code exchange with 429'],
])(
  'a %i %j is %s, may be repeated after %s ms, and is logged without its body (5.5; RFC 6749 5.2)',
  async (status, body, code, retryInMs, message) => {
    const headers = { 'Retry-After': '7' }
    const { context, exchange } = answered(Response.json(body, { status, headers }))
    const problem = await exchange().catch((error: unknown) => error as Problem)
    expect(problem).toMatchObject({ code, cause: { message } })
    expect((problem as Problem).retryInMs).toBe(retryInMs)
    expect(await problemOf(assertNoTokenPause(context, 'token.code'))).toEqual(
      status === 429 ? { code: 'limit_unknown', retryInMs: 7000 } : 'no problem',
    )
  },
)

test('failures of refreshes and sign-ins pause refreshes, until an answer of substance comes (7)', async () => {
  let answer = () => new Response('', { status: 500 })
  let sent = 0
  const { context } = createContext(() => {
    sent += 1
    return Promise.resolve(answer())
  })
  const exchange = () => problemOf(exchangeCode(context, { code: 'c', ...OWNER }))
  const refresh = () => problemOf(refreshTokens(context, 'r', OWNER))
  expect([await exchange(), await refresh()]).toEqual([
    { code: 'upstream_failed' },
    { code: 'upstream_failed' },
  ])
  const third = (await refresh()) as { retryInMs: number }
  expect(third.retryInMs).toBeGreaterThanOrEqual(1000)
  expect([await refresh(), sent]).toEqual([third, 3])
  answer = () => Response.json({ error: 'invalid_grant' }, { status: 400 })
  expect([await exchange(), sent]).toEqual([{ code: 'code_rejected' }, 4])
  // An endpoint that says that a grant has ended works, however often it says so.
  for (const nth of [5, 6, 7, 8]) expect([await refresh(), sent]).toEqual([{ code: 'access_withdrawn' }, nth])
})

test('a database that records no request and a defect of ours are no failures of the endpoint (7, 8.3)', async () => {
  const { context, refresh } = answered(Response.json(good))
  const { reserve } = context.store
  for (const error of [new Problem('store_unavailable'), new TypeError('a defect')]) {
    context.store.reserve = () => Promise.reject(error)
    for (let time = 0; time < 3; time += 1) await expect(refresh('r')).rejects.toBe(error)
  }
  context.store.reserve = reserve
  expect((await refresh('r')).accessToken).toBe('at')
})

test('a database that cannot count a failure or a success withholds neither (8.3)', async () => {
  const { context, refresh } = answered(Response.json(good))
  context.store.changeNote = () => Promise.reject(new Problem('store_unavailable'))
  expect((await refresh('r')).accessToken).toBe('at')
  const failing = answered(new Response('', { status: 500 }))
  failing.context.store.changeNote = context.store.changeNote
  expect(await problemOf(failing.refresh('r'))).toEqual({ code: 'upstream_failed' })
})

test('the answer to a refresh is waited for longer than a person waits, that to a sign-in is not (5.4.3)', async () => {
  const deadlines: (number | undefined)[] = []
  const { context } = createContext((_, deadlineMs) => {
    deadlines.push(deadlineMs)
    return Promise.resolve(Response.json(good))
  })
  await refreshTokens(context, 'r', OWNER)
  await exchangeCode(context, { code: 'c', ...OWNER })
  expect(deadlines).toEqual([45_000, undefined])
})

test('a date in Retry-After is read by the clock of the service (RFC 9110 10.2.3)', async () => {
  const date = (inMs: number) => new Date(START_MS + inMs).toUTCString()
  const headers = { Date: date(100_000), 'Retry-After': date(130_000) }
  const { exchange } = answered(new Response('', { status: 429, headers }))
  const { retryInMs } = (await problemOf(exchange())) as { retryInMs: number }
  expect(Math.abs(retryInMs - 30_000)).toBeLessThan(1000)
})

test('the exchange sends the five parameters of the document, each once and as it is (5.3)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  const back = await browser.permit(await browser.startLogin(STANDARD), 'Ada')
  await browser.finishLogin(back)
  const [sent] = fixture.tokenRequests()
  expect([...new URLSearchParams(sent?.body)].toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual([
    ['client_id', 'plimsoll-test'],
    ['client_secret', SECRET],
    ['code', back.searchParams.get('code')],
    ['grant_type', 'authorization_code'],
    ['redirect_uri', `${APP}/callback`],
  ])
  expect(sent?.headers.get('Content-Type')).toMatch(/^application\/x-www-form-urlencoded/)
  expect(sent?.headers.get('Authorization')).toBeNull()
})

test('the refresh sends four parameters (5.4.3)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  fixture.advance(HOUR_MS)
  await browser.spend('/rate_limit')
  const names = [...new URLSearchParams(fixture.tokenRequests()[1]?.body).keys()].toSorted()
  expect(names).toEqual(['client_id', 'client_secret', 'grant_type', 'refresh_token'])
})

test('the setting sends the same members as JSON (4.2)', async () => {
  const fixture = startApp({ tokenEncoding: 'json' })
  await fixture.browser().signIn()
  const [sent] = fixture.tokenRequests()
  expect(sent?.headers.get('Content-Type')).toBe('application/json')
  expect(Object.keys(JSON.parse(sent?.body ?? '{}') as object).toSorted()).toEqual([
    'client_id',
    'client_secret',
    'code',
    'grant_type',
    'redirect_uri',
  ])
})

test('a code that looks like parameters is sent as one parameter (RFC 6749 4.1.3, attack 10)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  const back = await browser.permit(await browser.startLogin(STANDARD), 'Ada')
  const hostile = 'abc&grant_type=refresh_token&refresh_token=x'
  back.searchParams.set('code', hostile)
  await browser.finishLogin(back)
  const sent = new URLSearchParams(fixture.tokenRequests()[0]?.body)
  expect([sent.get('code'), sent.getAll('grant_type'), sent.get('refresh_token')]).toEqual([
    hostile,
    ['authorization_code'],
    null,
  ])
})

const answers: [string, unknown, number][] = [
  ['as the document shows it', good, 201],
  ['with a lower-case type', { ...good, token_type: 'bearer' }, 201],
  ['with digits as a text', { ...good, expires_in: '3600' }, 201],
  ['without a lifetime', { ...good, expires_in: undefined }, 201],
  ['with unknown members', { ...good, scope: 'all', extra: { deep: true } }, 201],
  ['of another type', { ...good, token_type: 'mac' }, 502],
  ['without a type', { ...good, token_type: undefined }, 502],
  ['without an access token', { ...good, access_token: undefined }, 502],
  ['with an empty access token', { ...good, access_token: '' }, 502],
  ['with a line break in the token', { ...good, access_token: 'a\r\nX-Evil: 1' }, 502],
  ['with a lifetime below zero', { ...good, expires_in: -1 }, 502],
  ['with a lifetime of no end', { ...good, expires_in: 1e300 }, 201],
  ['with a lifetime that is a word', { ...good, expires_in: 'soon' }, 502],
  ['with a lifetime that is null', { ...good, expires_in: null }, 502],
  ['with the name of a prototype', { ...good, ['__proto__']: { access_token: 'other' } }, 201],
  ['with all in a prototype', { ['__proto__']: good }, 502],
  ['with a refresh token that is a number', { ...good, refresh_token: 7 }, 502],
  ['that carries an error under a 200', { error: 'bad_verification_code' }, 502],
  ['that is a list', [good], 502],
  ['that is null', null, 502],
]
describe('a token answer', () => {
  test.each(answers)(
    '%s is accepted or refused as listed (2.1; RFC 6749 5.1, 7.1, attack 65)',
    async (_, answer, status) => {
      const fixture = startApp()
      const browser = fixture.browser()
      fixture.intercept((request) =>
        Promise.resolve(
          request.url.endsWith('/oauth2/token') ? Response.json(answer) : Response.json({ id: 1 }),
        ),
      )
      const reply = await browser.signIn()
      expect(reply.status).toBe(status)
      const { code } = reply.body as Partial<ProblemBody>
      expect(code).toBe(status === 502 ? 'unexpected_reply' : undefined)
      expect(browser.cookies.has('plimsoll-http-3000')).toBe(status === 201)
    },
  )

  test.each([
    ['HTML', () => new Response('<h1>hello</h1>', { headers: { 'Content-Type': 'text/html' } })],
    ['a redirect', () => new Response(null, { status: 302, headers: { Location: 'https://evil.example' } })],
    ['empty', () => new Response(null, { status: 204 })],
    ['half', () => new Response('{"access_token": "a')],
    ['nested 100,000 deep', () => new Response('['.repeat(100_000) + ']'.repeat(100_000))],
    ['compressed', () => new Response(gzipSync(JSON.stringify(good)))],
    ['two values', () => new Response(JSON.stringify(good).repeat(2))],
    ['a megabyte of text', () => new Response(`"${'x'.repeat(1_000_000)}"`)],
  ])('that is %s is refused, and no redirect is followed (RFC 6749 5.1)', async (_, answer) => {
    const fixture = startApp()
    fixture.intercept(() => Promise.resolve(answer()))
    const { status, body } = await fixture.browser().signIn()
    expect([status, (body as unknown as ProblemBody).code]).toEqual([502, 'unexpected_reply'])
    expect(fixture.sent).toHaveLength(1)
  })

  test('without a refresh token leaves the old one in use (5.4.4)', async () => {
    const fixture = startApp()
    const browser = fixture.browser()
    await browser.signIn()
    fixture.intercept((request) =>
      Promise.resolve(
        request.url.endsWith('/oauth2/token')
          ? Response.json({ ...good, refresh_token: undefined })
          : Response.json({}),
      ),
    )
    for (let hour = 0; hour < 2; hour += 1) {
      fixture.advance(HOUR_MS)
      await browser.spend('/rate_limit')
    }
    const [, first, second] = fixture
      .tokenRequests()
      .map(({ body }) => new URLSearchParams(body).get('refresh_token'))
    expect(second).toBe(first)
  })
})

test('with PKCE the verifier of the page is sent too (RFC 7636 4.5)', async () => {
  const fixture = startApp({ pkce: 'S256' })
  const browser = fixture.browser()
  expect((await browser.session()).body).toMatchObject({ authorize: { code_challenge_method: 'S256' } })
  const back = await browser.permit(await browser.startLogin(STANDARD), 'Ada')
  const { code, state } = Object.fromEntries(back.searchParams)
  const code_verifier = 'v'.repeat(43)
  await browser.request('POST', '/bff/session', { json: { code, state, code_verifier } })
  expect(new URLSearchParams(fixture.tokenRequests()[0]?.body).get('code_verifier')).toBe(code_verifier)
})

test.each([
  [400, { error: 'invalid_grant', error_description: 'canary' }],
  [400, 'canary'],
  [401, { error: 'invalid_client', error_description: 'canary' }],
  [403, { canary: true }],
  [429, { message: 'canary' }],
  [500, 'canary'],
  [200, { error: 'canary' }],
  [200, { ...good, token_type: 'canary' }],
  [200, 'canary'],
])(
  'of a refused token request (%i %j) neither log nor answer contains the body (RFC 6749 10.3)',
  async (status, body) => {
    const fixture = startApp()
    fixture.intercept(() => Promise.resolve(Response.json(body, { status })))
    const answer = await fixture.browser().signIn()
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify([fixture.log, answer.body, [...answer.headers]])).not.toContain('canary')
  },
)
