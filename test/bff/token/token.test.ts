import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { exchangeCode, refreshTokens, tokenEntry, parseTokens } from '../../../src/bff/token/token.ts'
import { assertNoTokenPause, backOffMs, noteTokenOutcome } from '../../../src/bff/token/pause.ts'
import type { Context, Tokens } from '../../../src/bff/core/context.ts'
import { Problem } from '../../../src/contract/problem.ts'
import type { LedgerEntry } from '../../../src/store/store.ts'
import { APP, SECRET, SERVICE, STANDARD } from '../../kit/app.ts'
import { createContext, problemOf, START_MS } from '../_context.ts'
import { begin, finish, newPress } from '../../../src/bff/service/request.ts'
import { failIn, onCall } from '../../kit/store-methods.ts'
import { told } from '../_answers.ts'
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

test.each([200, 201])('tokens under a %i live from the sending on (4.2, 5.4.2)', async (status) => {
  const { exchange, sent } = answered(new Response(JSON.stringify(good), { status }))
  expect(await exchange()).toMatchObject({ accessToken: 'at', expiresAtMs: START_MS + HOUR_MS })
  const row = { kind: 'token.code', ...OWNER, initiator: 'sign_in', path: '/oauth2/token', method: 'POST' }
  expect(sent).toMatchObject([row])
})

test('a refresh is recorded as one, and returns the new refresh token or the old one (5.4.4)', async () => {
  const { context, refresh, sent } = answered(Response.json(good))
  const written: string[] = []
  onCall(context.store, 'changeNote', (name) => written.push(name))
  expect((await refresh('old')).refreshToken).toBe('rt')
  // Where there is nothing to forget nothing is written.
  expect(written).toEqual([])
  expect(sent).toEqual([expect.objectContaining({ kind: 'token.refresh', ...OWNER, initiator: 'call' })])
  const without = answered(Response.json({ ...good, refresh_token: undefined }))
  expect((await without.refresh('old')).refreshToken).toBe('old')
})

test.each([
  [400, { error: 'invalid_grant' }, 'code_rejected', undefined, '400 invalid_grant'],
  [401, 'canary', 'client_rejected', undefined, '401'],
  [503, {}, 'upstream_failed', 7000, '503'],
  [429, {}, 'limit_unknown', 7000, '429'],
])(
  '%i %j is %s for %s ms, and its body is not logged (5.5)',
  async (status, body, code, retryInMs, given) => {
    const { context, exchange } = answered(Response.json(body, { status, headers: { 'Retry-After': '7' } }))
    const message = `the token endpoint answered the code exchange with ${given}`
    await expect(exchange()).rejects.toMatchObject({ code, retryInMs, cause: { message } })
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
  answer = () => Response.json(good)
  expect([await exchange(), await refresh(), sent]).toEqual(['no problem', 'no problem', 5])
  answer = () => new Response('', { status: 500 })
  for (const _ of [1, 2, 3]) await refresh()
  expect([await refresh(), sent]).toEqual([paused, 8])
  answer = () => Response.json({ error: 'invalid_grant' }, { status: 400 })
  expect([await exchange(), sent]).toEqual([{ code: 'code_rejected' }, 9])
  // An endpoint that says that a grant has ended works, however often it says so.
  for (const nth of [10, 11, 12, 13])
    expect([await refresh(), sent]).toEqual([{ code: 'access_withdrawn' }, nth])
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

const EXCHANGE = ['client_id', 'client_secret', 'code', 'grant_type', 'redirect_uri']

test('the exchange sends five parameters, each once and as it is (5.3; RFC 6749 4.1.3, attack 10)', async () => {
  const { fixture, browser } = withBrowser()
  const back = await browser.permit(await browser.startLogin(STANDARD), 'Ada')
  const code = 'abc&grant_type=refresh_token&refresh_token=x'
  back.searchParams.set('code', code)
  await browser.finishLogin(back)
  const [sent] = fixture.tokenRequests()
  const values = ['plimsoll-test', SECRET, code, 'authorization_code', `${APP}/callback`]
  expect([...new URLSearchParams(sent?.body)].toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual(
    EXCHANGE.map((name, at) => [name, values[at]]),
  )
  expect(sent?.headers.get('Content-Type')).toMatch(/^application\/x-www-form-urlencoded/)
  expect(sent?.headers.get('Authorization')).toBeNull()
})

const ENCODINGS = ['form', 'json'] as const
test.each(ENCODINGS)('an exchange by %s has five members, a refresh four (5.4.3)', async (tokenEncoding) => {
  const { fixture, browser } = await signedIn({ tokenEncoding })
  fixture.advance(HOUR_MS)
  await browser.spend('/rate_limit')
  const members = fixture.tokenRequests().map(({ headers, body }) => {
    expect(headers.get('Content-Type')).toContain(tokenEncoding)
    const sent = tokenEncoding === 'json' ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body))
    return Object.keys(sent as object).toSorted()
  })
  expect(members).toEqual([EXCHANGE, ['client_id', 'client_secret', 'grant_type', 'refresh_token']])
})

const BAD = '502 unexpected_reply'
const html = { headers: { 'Content-Type': 'text/html' } }
const tokens = (changes: object) => Response.json({ ...good, ...changes })

test.each<[string, Response, outcome: string]>([
  ['with a lower-case type', tokens({ token_type: 'bearer' }), '201'],
  ['of another type', tokens({ token_type: 'mac' }), BAD],
  ['bound to a key', tokens({ token_type: 'DPoP' }), BAD],
  ['whose token begins with a letter of no header', tokens({ access_token: 'é-canary' }), BAD],
  ['whose token ends with one', tokens({ access_token: 'canary-é' }), BAD],
  ['without an access token', tokens({ access_token: undefined }), BAD],
  ['with a line break in the token', tokens({ access_token: 'a\r\nX-Evil: 1' }), BAD],
  ['with an access token of 17 kB', tokens({ access_token: 'canary'.repeat(2900) }), BAD],
  ['with a refresh token of 17 kB', tokens({ refresh_token: 'canary'.repeat(2900) }), BAD],
  ['with a lifetime below zero', tokens({ expires_in: -1 }), BAD],
  ['with a lifetime that is a word', tokens({ expires_in: 'soon' }), BAD],
  ['with the name of a prototype', tokens({ ['__proto__']: { access_token: 'other' } }), '201'],
  ['with all in a prototype', Response.json({ ['__proto__']: good }), BAD],
  ['with a refresh token that is a number', tokens({ refresh_token: 7 }), BAD],
  ['with null for a lifetime and a refresh token', tokens({ expires_in: null, refresh_token: null }), '201'],
  ['with an empty refresh token', tokens({ refresh_token: '' }), '201'],
  ['with an id_token that is no JWT', tokens({ id_token: 'x' }), '201'],
  ['with scopes in a list', tokens({ scope: ['a'] }), '201'],
  ['with null for a scope', tokens({ scope: null }), '201'],
  ['that carries an error under a 200', Response.json({ error: 'bad_verification_code' }), BAD],
  ['that is null', Response.json(null), BAD],
  ['that is a word', Response.json('canary'), BAD],
  ['that is HTML', new Response('<h1>canary</h1>', html), BAD],
  ['that is a redirect', new Response(null, { status: 302, headers: { Location: SERVICE } }), BAD],
  ['that is half', new Response('{"access_token": "canary'), BAD],
  ['that is nested 100,000 deep', new Response('['.repeat(100_000) + ']'.repeat(100_000)), BAD],
  ['that is compressed', new Response(gzipSync(JSON.stringify(good))), BAD],
  [
    'that is a failure',
    Response.json({ error_description: 'canary' }, { status: 500 }),
    '502 upstream_failed',
  ],
])('a token answer %s is good or not, and nobody gets a word of it (2.1, attack 65)', async (...row) => {
  const [, answer, outcome] = row
  const { fixture, browser } = withBrowser()
  const isTokens = ({ url }: Request) => url.endsWith('/oauth2/token')
  fixture.intercept(async (request) => (isTokens(request) ? answer : Response.json({ id: 1 })))
  const signingIn = browser.signIn()
  expect(await told(signingIn)).toBe(outcome)
  expect(fixture.sent).toHaveLength(outcome === '201' ? 2 : 1)
  expect(browser.cookies.has('plimsoll-http-3000')).toBe(outcome === '201')
  const { body, headers } = await signingIn
  expect(JSON.stringify([fixture.log, body, [...headers]])).not.toContain('canary')
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

const SENT_MS = 1_000_000
const parse = (answer: unknown) => parseTokens(JSON.stringify(answer), SENT_MS)

test('tokens expire at their lifetime after the sending, and are stale 30 to 60 seconds before (5.4.2)', () => {
  const all = Array.from({ length: 200 }, () => parse(good))
  for (const { accessToken, refreshToken, staleAtMs, expiresAtMs } of all) {
    expect([accessToken, refreshToken, expiresAtMs]).toEqual(['at', 'rt', SENT_MS + 3_600_000])
    expect(expiresAtMs - staleAtMs).toBeGreaterThanOrEqual(30_000)
    expect(expiresAtMs - staleAtMs).toBeLessThan(60_000)
  }
  expect(new Set(all.map(({ staleAtMs }) => staleAtMs)).size).toBeGreaterThan(1)
})

test.each([
  [undefined, 3600],
  [null, 3600],
  ['3600', 3600],
  [0, 0],
  [1, 1],
  [1e12, 366 * 86_400],
])('expires_in %s is a lifetime of %d seconds (2.1)', (expires_in, seconds) => {
  expect(parse({ ...good, expires_in }).expiresAtMs).toBe(SENT_MS + seconds * 1000)
})

test('the log line of a refused answer names the wrong member (2.1)', () => {
  const cause = expect.objectContaining({ message: expect.stringContaining('access_token') })
  expect(() => parse({ ...good, access_token: undefined })).toThrow(expect.objectContaining({ cause }))
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
  [undefined, 2000],
  [20_000, 20_000],
  [0, 2000],
  [86_400_000, 30_000],
])('a 429 that asks for %s ms pauses the endpoint for %d ms at most (8)', async (asked, most) => {
  const { context, clock, refresh, exchange } = created()
  const pausedMs = (await noteTokenOutcome(context, LIMIT(asked))) ?? 0
  expect(pausedMs).toBeGreaterThanOrEqual(Math.min(1000, most))
  expect(pausedMs).toBeLessThanOrEqual(most)
  expect([await refresh(), await exchange()]).toEqual([UNTIL(pausedMs), LIMIT(pausedMs)])
  clock.ms += pausedMs - 1
  expect(await refresh()).toEqual(UNTIL(1))
  clock.ms += 1
  expect([await refresh(), await exchange()]).toEqual([NONE, NONE])
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

test('a pause of a clock far ahead is over once the clock is set back, and does not return (8)', async () => {
  const { context, clock, refresh, exchange } = created()
  clock.ms += HOUR_MS
  await noteTokenOutcome(context, LIMIT(30_000))
  clock.ms -= HOUR_MS
  expect([await refresh(), await exchange()]).toEqual([NONE, NONE])
  await noteTokenOutcome(context, LIMIT(20_000))
  expect(await exchange()).toMatchObject(LIMIT(expect.any(Number)))
})

test.each([
  [1, 0, 1000, 2000],
  [2, 0, 1000, 4000],
  [4, 0, 1000, 16_000],
  [5, 0, 1000, 30_000],
  [60, 0, 1000, 30_000],
  [1, 20_000, 20_000, 20_000],
  [1, HOUR_MS, 30_000, 30_000],
  [60, HOUR_MS, 30_000, 30_000],
])('after %d failures, asked for %d ms, it waits %d to %d ms (8)', (failures, asked, least, most) => {
  const waits = Array.from({ length: 400 }, () => backOffMs(failures, asked))
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(least)
  expect(Math.max(...waits)).toBeLessThanOrEqual(most)
  expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThanOrEqual((most - least) / 2)
})
