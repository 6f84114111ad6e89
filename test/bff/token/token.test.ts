import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { exchangeCode, refreshTokens, tokenEntry, parseTokens } from '../../../src/bff/token/token.ts'
import { assertNoTokenPause, backOffMs, noteTokenOutcome } from '../../../src/bff/token/pause.ts'
import type { Context, Tokens } from '../../../src/bff/core/context.ts'
import { Problem, type ProblemBody } from '../../../src/contract/problem.ts'
import type { LedgerEntry } from '../../../src/store/store.ts'
import { APP, startApp, SECRET, STANDARD } from '../../kit/app.ts'
import { createContext, problemOf, START_MS } from '../_context.ts'
import { begin, finish, newPress } from '../../../src/bff/service/request.ts'
import { failIn, onCall, replaceIn } from '../../kit/store-methods.ts'
import { signedIn, withBrowser } from '../_signed-in.ts'

const HOUR_MS = 3_600_000
const OWNER = { organization: '1001', owner: 'browser a' }
const good = { access_token: 'at', token_type: 'Bearer', expires_in: 3600, refresh_token: 'rt' }

/** As `replaceTokens` does, without a session. */
async function refreshAs(context: Context, refreshToken: string): Promise<Tokens> {
  const press = newPress()
  const { row } = await begin(context, tokenEntry('token.refresh', press, OWNER), async (inside) => {
    await assertNoTokenPause(inside, 'token.refresh')
    return {}
  })
  const { answer, tokens } = await refreshTokens(context, row, refreshToken, press)
  const problem = tokens instanceof Problem ? tokens : undefined
  await finish(context, row, answer, (inside) => noteTokenOutcome(inside, problem))
  if (tokens instanceof Problem) throw tokens
  return tokens
}

/** Sends one request to a token endpoint that gives this answer after 200 ms. */
function answered(response: Response) {
  const sent: LedgerEntry[] = []
  const made = createContext(() => {
    made.clock.ms += 200
    return Promise.resolve(response)
  })
  const { context } = made
  onCall(context.store, 'addEntry', (entry) => sent.push(entry))
  return {
    ...made,
    sent,
    exchange: () => exchangeCode(context, newPress(), { code: 'c', ...OWNER }),
    refresh: (refreshToken: string) => refreshAs(context, refreshToken),
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
  const exchange = () => problemOf(exchangeCode(context, newPress(), { code: 'c', ...OWNER }))
  const refresh = () => problemOf(refreshAs(context, 'r'))
  expect([await exchange(), await refresh()]).toEqual([
    { code: 'upstream_failed' },
    { code: 'upstream_failed' },
  ])
  await refresh()
  const paused = { code: 'refresh_failed', retryInMs: expect.toSatisfy((ms) => ms >= 1000) }
  expect([await refresh(), sent]).toEqual([paused, 3])
  answer = () => Response.json({ error: 'invalid_grant' }, { status: 400 })
  expect([await exchange(), sent]).toEqual([{ code: 'code_rejected' }, 4])
  // An endpoint that says that a grant has ended works, however often it says so.
  for (const nth of [5, 6, 7, 8]) expect([await refresh(), sent]).toEqual([{ code: 'access_withdrawn' }, nth])
})

test('a database that records no request and a defect of ours are no failures of the endpoint (7, 8.3)', async () => {
  const { context, refresh } = answered(Response.json(good))
  const { transaction } = context.store
  for (const error of [new Problem('store_unavailable'), new TypeError('a defect')]) {
    failIn(context.store, 'addEntry', error)
    for (let time = 0; time < 3; time += 1) await expect(refresh('r')).rejects.toBe(error)
  }
  context.store.transaction = transaction
  expect((await refresh('r')).accessToken).toBe('at')
})

test('a database that cannot count a failure or a success withholds neither (8.3)', async () => {
  for (const [answer, outcome] of [
    [Response.json(good), 'no problem'],
    [new Response('', { status: 500 }), { code: 'upstream_failed' }],
  ] as const) {
    const { context, exchange } = answered(answer)
    failIn(context.store, 'settle', new Problem('store_unavailable'))
    expect(await problemOf(exchange())).toEqual(outcome)
  }
})

test('a date in Retry-After is read by the clock of the service (RFC 9110 10.2.3)', async () => {
  const date = (inMs: number) => new Date(START_MS + inMs).toUTCString()
  const headers = { Date: date(100_000), 'Retry-After': date(130_000) }
  const { exchange } = answered(new Response('', { status: 429, headers }))
  const { retryInMs } = (await problemOf(exchange())) as { retryInMs: number }
  expect(Math.abs(retryInMs - 30_000)).toBeLessThan(1000)
})

test('the exchange sends the five parameters of the document, each once and as it is (5.3)', async () => {
  const { fixture, browser } = withBrowser()
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
  const { fixture, browser } = await signedIn()
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
  const { fixture, browser } = withBrowser()
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
  ['without a lifetime', { ...good, expires_in: undefined }, 201],
  ['of another type', { ...good, token_type: 'mac' }, 502],
  ['with a token that begins with a letter of no header', { ...good, access_token: 'é-canary' }, 502],
  ['with a token that ends with one', { ...good, access_token: 'canary-é' }, 502],
  ['without an access token', { ...good, access_token: undefined }, 502],
  ['with a line break in the token', { ...good, access_token: 'a\r\nX-Evil: 1' }, 502],
  ['with a lifetime below zero', { ...good, expires_in: -1 }, 502],
  ['with a lifetime of no end', { ...good, expires_in: 1e300 }, 201],
  ['with a lifetime that is a word', { ...good, expires_in: 'soon' }, 502],
  ['with the name of a prototype', { ...good, ['__proto__']: { access_token: 'other' } }, 201],
  ['with all in a prototype', { ['__proto__']: good }, 502],
  ['with a refresh token that is a number', { ...good, refresh_token: 7 }, 502],
  ['that carries an error under a 200', { error: 'bad_verification_code' }, 502],
  ['that is null', null, 502],
]
describe('a token answer', () => {
  test.each(answers)(
    '%s is accepted or refused as listed (2.1; RFC 6749 5.1, 7.1, attack 65)',
    async (_, answer, status) => {
      const { fixture, browser } = withBrowser()
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
    ['half', () => new Response('{"access_token": "a')],
    ['nested 100,000 deep', () => new Response('['.repeat(100_000) + ']'.repeat(100_000))],
    ['compressed', () => new Response(gzipSync(JSON.stringify(good)))],
  ])('that is %s is refused, and no redirect is followed (RFC 6749 5.1)', async (_, answer) => {
    const fixture = startApp()
    fixture.intercept(() => Promise.resolve(answer()))
    const { status, body } = await fixture.browser().signIn()
    expect([status, (body as unknown as ProblemBody).code]).toEqual([502, 'unexpected_reply'])
    expect(fixture.sent).toHaveLength(1)
  })
})

test('with PKCE the verifier of the page is sent too (RFC 7636 4.5)', async () => {
  const { fixture, browser } = withBrowser({ pkce: 'S256' })
  expect((await browser.session()).body).toMatchObject({ authorize: { code_challenge_method: 'S256' } })
  const back = await browser.permit(await browser.startLogin(STANDARD), 'Ada')
  const { code, state } = Object.fromEntries(back.searchParams)
  const code_verifier = 'v'.repeat(43)
  await browser.request('POST', '/bff/session', { json: { code, state, code_verifier } })
  expect(new URLSearchParams(fixture.tokenRequests()[0]?.body).get('code_verifier')).toBe(code_verifier)
})

test.each([
  [400, { error: 'invalid_grant', error_description: 'canary' }],
  [401, { error: 'invalid_client', error_description: 'canary' }],
  [429, { message: 'canary' }],
  [500, 'canary'],
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

const SENT_MS = 1_000_000
const { config } = createContext().context
const parse = (answer: unknown) => parseTokens(config, Response.json(answer), SENT_MS)

test('tokens expire at their lifetime after the sending, and are stale 30 to 60 seconds before (5.4.2)', async () => {
  const all = await Promise.all(Array.from({ length: 200 }, () => parse(good)))
  for (const { accessToken, refreshToken, staleAtMs, expiresAtMs } of all) {
    expect([accessToken, refreshToken, expiresAtMs]).toEqual(['at', 'rt', SENT_MS + 3_600_000])
    expect(expiresAtMs - staleAtMs).toBeGreaterThanOrEqual(30_000)
    expect(expiresAtMs - staleAtMs).toBeLessThan(60_000)
  }
  expect(new Set(all.map(({ staleAtMs }) => staleAtMs)).size).toBeGreaterThan(1)
})

test.each([
  [undefined, 3600],
  [0, 0],
  [1, 1],
  [1e12, 366 * 86_400],
])('expires_in %s is a lifetime of %d seconds (2.1)', async (expires_in, seconds) => {
  expect((await parse({ ...good, expires_in })).expiresAtMs).toBe(SENT_MS + seconds * 1000)
})

test('an empty refresh token is none (2.1)', async () => {
  const answer = await parse({ ...good, refresh_token: undefined })
  expect(answer).not.toHaveProperty('refreshToken')
})

test('the log line of a refused answer names the wrong member (2.1)', async () => {
  await expect(parse({ ...good, access_token: undefined })).rejects.toMatchObject({
    cause: { message: expect.stringContaining('access_token') },
  })
})

const LIMIT = (retryInMs?: number) => ({ code: 'limit_unknown', retryInMs }) as const
const FAILURE = { code: 'upstream_failed', retryInMs: undefined } as const
const UNTIL = (retryInMs: number) => ({ code: 'refresh_failed', retryInMs })
const NONE = 'no problem'

/** A context, with the pause that a refresh and a code exchange meet in it. */
function created() {
  const made = createContext()
  const refresh = () => problemOf(assertNoTokenPause(made.context, 'token.refresh'))
  const exchange = () => problemOf(assertNoTokenPause(made.context, 'token.code'))
  return { ...made, refresh, exchange }
}

test.each([
  [20_000, 20_000],
  [0, 2000],
  [86_400_000, 30_000],
])(
  'a 429 that asks for %s ms pauses the token endpoint for %d ms at most, and no longer (8)',
  async (asked, most) => {
    const { context, clock, refresh, exchange } = created()
    const pausedMs = (await noteTokenOutcome(context, LIMIT(asked))) ?? 0
    expect(pausedMs).toBeGreaterThanOrEqual(Math.min(1000, most))
    expect(pausedMs).toBeLessThanOrEqual(most)
    expect([await refresh(), await exchange()]).toEqual([UNTIL(pausedMs), LIMIT(pausedMs)])
    clock.ms += pausedMs - 1
    expect(await refresh()).toEqual(UNTIL(1))
    clock.ms += 1
    expect([await refresh(), await exchange()]).toEqual([NONE, NONE])
  },
)

test('a 429 without Retry-After pauses it for two seconds at most (8)', async () => {
  const { context, clock, refresh } = created()
  expect(await noteTokenOutcome(context, LIMIT())).toBeLessThanOrEqual(2000)
  clock.ms += 2000
  expect(await refresh()).toBe(NONE)
})

test('three failures in a row pause refreshes, and no sign-in; a success forgets them (RFC 9110 15.6)', async () => {
  const { context, refresh, exchange } = created()
  let writes = 0
  replaceIn(context.store, 'changeNote', (changeNote) => (...change) => {
    writes += 1
    return changeNote(...change)
  })
  await noteTokenOutcome(context, undefined)
  expect(writes).toBe(0)
  const waits = [await noteTokenOutcome(context, FAILURE), await noteTokenOutcome(context, FAILURE)]
  expect([...waits, await refresh()]).toEqual([undefined, undefined, NONE])
  const pausedMs = await noteTokenOutcome(context, FAILURE)
  expect(await refresh()).toEqual({ code: 'refresh_failed', retryInMs: pausedMs })
  expect(await exchange()).toBe(NONE)
  await noteTokenOutcome(context, undefined)
  expect(await refresh()).toBe(NONE)
  expect(await noteTokenOutcome(context, FAILURE)).toBeUndefined()
})

test('a later pause extends an earlier one and never shortens it, nor does a sweep of the store (8)', async () => {
  const { context, clock, refresh, exchange } = created()
  await noteTokenOutcome(context, LIMIT(25_000))
  await noteTokenOutcome(context, LIMIT(0))
  for (const _ of [1, 2]) await noteTokenOutcome(context, FAILURE)
  expect(await refresh()).toEqual(UNTIL(25_000))
  clock.ms += 5000
  await context.store.sweep(clock.ms)
  expect(await refresh()).toEqual(UNTIL(20_000))
  await noteTokenOutcome(context, LIMIT(30_000))
  expect(await refresh()).toEqual(UNTIL(30_000))
  await noteTokenOutcome(context, { ...FAILURE, retryInMs: 30_000 })
  expect(await exchange()).toEqual(LIMIT(30_000))
})

test('a pause of the layout before is absent (8)', async () => {
  const { context, refresh } = created()
  const note = { format: 1, value: { untilMs: START_MS + 60_000 } }
  await context.store.changeNote('token endpoint', () => note, START_MS + 60_000)
  expect(await refresh()).toBe(NONE)
})

test.each([
  [1, 2000],
  [2, 4000],
  [4, 16_000],
  [5, 30_000],
  [60, 30_000],
])(
  'after %d failures the wait is at random between a second and %d ms (RFC 9110 15.6.4)',
  (failures, most) => {
    const waits = Array.from({ length: 400 }, () => backOffMs(failures))
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1000)
    expect(Math.max(...waits)).toBeLessThanOrEqual(most)
    expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan((most - 1000) / 2)
  },
)

test.each([
  [1, 20_000, 20_000],
  [1, 3_600_000, 30_000],
  [60, 3_600_000, 30_000],
])(
  'after %d failures a Retry-After of %d ms is a wait of %d ms (RFC 9110 10.2.3)',
  (failures, asked, wait) => {
    expect(backOffMs(failures, asked)).toBe(wait)
  },
)
