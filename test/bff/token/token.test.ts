import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { exchangeCode, refreshTokens, tokenEntry, parseTokens } from '../../../src/bff/token/token.ts'
import { assertNoTokenPause, backOffMs, noteTokenOutcome } from '../../../src/bff/token/pause.ts'
import type { Context, Tokens } from '../../../src/bff/core/context.ts'
import { Problem, type ProblemBody, type ProblemCode } from '../../../src/contract/problem.ts'
import type { LedgerEntry } from '../../../src/store/store.ts'
import { APP, SECRET, SERVICE, STANDARD } from '../../kit/app.ts'
import { createContext, problemOf, START_MS } from '../_context.ts'
import { begin, finish, newPress } from '../../../src/bff/service/request.ts'
import { failIn, onCall } from '../../kit/store-methods.ts'
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
  'a %i %j is %s, may be repeated after %s ms, and is logged without its body (5.5; RFC 6749 5.2)',
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

test('the refresh sends four parameters (5.4.3)', async () => {
  const { fixture, browser } = await signedIn()
  fixture.advance(HOUR_MS)
  await browser.spend('/rate_limit')
  const names = [...new URLSearchParams(fixture.tokenRequests()[1]?.body).keys()].toSorted()
  expect(names).toEqual(['client_id', 'client_secret', 'grant_type', 'refresh_token'])
})

test('the setting sends the same members as JSON (4.2)', async () => {
  const { fixture } = await signedIn({ tokenEncoding: 'json' })
  const [sent] = fixture.tokenRequests()
  expect(sent?.headers.get('Content-Type')).toBe('application/json')
  expect(Object.keys(JSON.parse(sent?.body ?? '{}') as object).toSorted()).toEqual(EXCHANGE)
})

const BAD = 'unexpected_reply'
const refused = (status: number, word: object = {}) =>
  Response.json({ ...word, error_description: 'canary' }, { status })
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
test.each(answers)(
  'a token answer %s is accepted or refused as listed (2.1; RFC 6749 5.1, 7.1, attack 65)',
  async (_, answer, status) => {
    const { fixture, browser } = withBrowser()
    fixture.intercept((request) =>
      Promise.resolve(
        request.url.endsWith('/oauth2/token') ? Response.json(answer) : Response.json({ id: 1 }),
      ),
    )
    const { status: given, body } = await browser.signIn()
    expect([given, (body as Partial<ProblemBody>).code]).toEqual([status, status === 502 ? BAD : undefined])
    expect(browser.cookies.has('plimsoll-http-3000')).toBe(status === 201)
    expect(JSON.stringify([fixture.log, body])).not.toContain('canary')
  },
)

const odd: [string, Response, number, ProblemCode][] = [
  ['is HTML', new Response('<h1>canary</h1>', { headers: { 'Content-Type': 'text/html' } }), 502, BAD],
  ['is a redirect', new Response(null, { status: 302, headers: { Location: SERVICE } }), 502, BAD],
  ['is half', new Response('{"access_token": "canary'), 502, BAD],
  ['is nested 100,000 deep', new Response('['.repeat(100_000) + ']'.repeat(100_000)), 502, BAD],
  ['is compressed', new Response(gzipSync(JSON.stringify(good))), 502, BAD],
  ['is a word under a 200', Response.json('canary'), 502, BAD],
  ['refuses the code', refused(400, { error: 'invalid_grant' }), 401, 'code_rejected'],
  ['refuses the application', refused(401, { error: 'invalid_client' }), 502, 'client_rejected'],
  ['refuses for now', refused(429), 429, 'limit_unknown'],
  ['is a failure', refused(500), 502, 'upstream_failed'],
]
test.each(odd)(
  'a token answer that %s has its code; nobody gets or logs a word of it (RFC 6749 5.1, 10.3)',
  async (_, answer, status, code) => {
    const { fixture, browser } = withBrowser()
    fixture.intercept(() => Promise.resolve(answer))
    const { body, headers, ...reply } = await browser.signIn()
    expect([reply.status, body]).toMatchObject([status, { code }])
    expect(fixture.sent).toHaveLength(1)
    expect(JSON.stringify([fixture.log, body, [...headers]])).not.toContain('canary')
  },
)

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
  [undefined, 2000],
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

test.each([
  [1, 0, 1000, 2000],
  [2, 0, 1000, 4000],
  [4, 0, 1000, 16_000],
  [5, 0, 1000, 30_000],
  [60, 0, 1000, 30_000],
  [1, 20_000, 20_000, 20_000],
  [1, HOUR_MS, 30_000, 30_000],
  [60, HOUR_MS, 30_000, 30_000],
])(
  'after %d failures, asked for %d ms, the wait is at random between %d and %d ms (RFC 9110 10.2.3, 15.6.4)',
  (failures, asked, least, most) => {
    const waits = Array.from({ length: 400 }, () => backOffMs(failures, asked))
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(least)
    expect(Math.max(...waits)).toBeLessThanOrEqual(most)
    expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThanOrEqual((most - least) / 2)
  },
)
