import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Outgoing, Tokens } from '../../../src/bff/core/context.ts'
import { SESSION_COOKIE } from '../../kit/config.ts'
import { changeTokenNote, readTokenNote, type TokenNote } from '../../../src/bff/limits/note.ts'
import { freshCredential } from '../../../src/bff/token/refresh.ts'
import { changeRefreshNote, readRefreshNote } from '../../../src/bff/token/refresh-state.ts'
import {
  type Credential,
  endSession,
  reloadSession,
  storeSession,
  tokenOf,
} from '../../../src/bff/session/record.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { startApp, STANDARD, type App } from '../../kit/app.ts'
import { type Person } from '../../kit/person.ts'
import { createContext, problemOf, START_MS } from '../_context.ts'

const PATH = `/organizations/${STANDARD}`
const HOUR_MS = 3_600_000

const NEW = { access_token: 'new', token_type: 'Bearer', expires_in: 3600, refresh_token: 'r2' }

/** The answers come in turn. The token is stale, and good for a second. */
async function withSession(answers: Response[] = [Response.json(NEW)], tokens: Partial<Tokens> = {}) {
  let sent = 0
  const made = createContext(() => {
    sent += 1
    return Promise.resolve(answers[sent - 1] ?? new Response('', { status: 500 }))
  })
  const credential = {
    method: 'oauth',
    organizationId: '1001',
    tokens: {
      accessToken: 'old',
      refreshToken: 'r1',
      staleAtMs: START_MS,
      expiresAtMs: START_MS + 1000,
      ...tokens,
    },
  } as const
  const { session } = await storeSession(made.context, { credential, proven: true, copies: {} })
  const fresh = (refused?: Credential) => freshCredential(made.context, session, refused)
  const stored = async () => (await reloadSession(made.context, session))?.record
  return { ...made, session, credential, fresh, stored, sent: () => sent }
}
const FAILURE = () => new Response('', { status: 500 })
const accessTokenOf = (credential?: Credential) =>
  credential?.method === 'oauth' ? credential.tokens.accessToken : undefined

test('a stale token is replaced and stored, and nothing else of the session changes (5.4.3)', async () => {
  const { context, fresh, stored, credential } = await withSession()
  const before = await stored()
  const renewed = await fresh()
  expect(context.memory.unsavedTokens.size).toBe(0)
  expect(renewed).toEqual({ ...credential, tokens: expect.objectContaining({ accessToken: 'new' }) })
  expect(await stored()).toEqual({ ...before, credential: renewed })
})

test('a refresh is recorded for the browser of the session, if its owner has several (5.4.3, 8.3)', async () => {
  const { context, credential } = await withSession()
  const listing = { owner: 'browser of-a-person', browser: '' }
  const start = { credential, proven: true, copies: {}, listing, browserId: 'another' }
  const { session } = await storeSession(context, start)
  await freshCredential(context, session)
  const rows = await context.store.listEntries('1001', { sinceMs: 0, most: 9 })
  expect(rows?.map(({ owner }) => owner)).toEqual(['browser of-a-person/another'])
})

test('a token that is not stale yet is returned, one that is refused is replaced (5.4.2, 5.5)', async () => {
  const { context, session, fresh, credential, sent } = await withSession(undefined, {
    staleAtMs: START_MS + 1,
  })
  const current = tokenOf(credential)
  expect(await fresh()).toBe(credential)
  const another = { ...credential, tokens: { ...credential.tokens, accessToken: 'another' } }
  await changeRefreshNote(context, session, current, (known) => ({ ...known, failures: 3 }))
  expect(await fresh(another)).toEqual(credential)
  expect(await readRefreshNote(context, session, current)).toMatchObject({ failures: 3, isRefused: false })
  expect(await fresh({ method: 'api_key', apiKey: 'old', name: 'name-of-old' })).toBe(credential)
  expect(sent()).toBe(0)
  expect(accessTokenOf(await fresh(credential))).toBe('new')
})

test('an API key is returned as it is, and is a problem when it was refused (5.5)', async () => {
  const { context } = createContext()
  const credential = { method: 'api_key', apiKey: 'a-key', name: 'name-of-a-key' } as const
  const { session } = await storeSession(context, { credential, proven: true, copies: {} })
  expect(await freshCredential(context, session)).toBe(credential)
  expect(await problemOf(freshCredential(context, session, credential))).toEqual({
    code: 'credential_refused',
  })
})

test('a session that ended meanwhile is signed out, and its tokens are not refreshed (5.4)', async () => {
  const { context, session, fresh, sent } = await withSession()
  await endSession(context, session)
  expect(await problemOf(fresh())).toEqual({ code: 'signed_out' })
  expect(sent()).toBe(0)
})

test('a token that was refreshed meanwhile is not refreshed again (5.4)', async () => {
  const { fresh, sent } = await withSession()
  await fresh()
  expect(accessTokenOf(await fresh())).toBe('new')
  expect(sent()).toBe(1)
})

test('a failed refresh leaves the old token in use until its end, and not after (5.4)', async () => {
  const { fresh, clock, credential, stored, sent } = await withSession([])
  clock.ms += 999
  expect(await fresh()).toEqual(credential)
  clock.ms += 1
  expect(await problemOf(fresh())).toMatchObject({ code: 'refresh_failed' })
  expect((await stored())?.credential).toEqual(credential)
  expect(sent()).toBe(1)
})

/** A session whose refresh is answered on demand. All waits are over once the request has been sent. */
async function withSlowEndpoint(tokens: Partial<Tokens> = {}) {
  const made = await withSession(undefined, tokens)
  const [waited, deadlines]: [number[], (number | undefined)[]] = [[], []]
  let answer = () => {}
  let send = () => {}
  const isSent = new Promise<void>((resolve) => void (send = resolve))
  const context = {
    ...made.context,
    upstream: (_: Outgoing, deadlineMs?: number) => {
      deadlines.push(deadlineMs)
      send()
      return new Promise<Response>((resolve) => {
        answer = () => resolve(Response.json(NEW))
      })
    },
    wait: async (ms: number) => {
      waited.push(ms)
      await isSent
      await made.context.wait(ms / 250)
    },
  }
  return { ...made, context, waited, deadlines, answer: () => answer() }
}

test('a token that is still good is used after two seconds; new ones are stored when they come (5.4)', async () => {
  const { context, session, credential, waited, answer } = await withSlowEndpoint()
  expect(await freshCredential(context, session)).toEqual(credential)
  expect(waited).toContain(2000)
  answer()
  await Promise.all(context.memory.background)
  expect(accessTokenOf((await reloadSession(context, session))?.record.credential)).toBe('new')
})

test('a request waits 15 seconds for a refresh, which goes on; the next one has its tokens (5.4)', async () => {
  const { context, session, waited, deadlines, answer } = await withSlowEndpoint({ expiresAtMs: START_MS })
  const timeout = { code: 'upstream_timeout', retryInMs: 5000 }
  expect(await problemOf(freshCredential(context, session))).toEqual(timeout)
  expect(waited).toContain(15_000)
  answer()
  await Promise.all(context.memory.background)
  expect(accessTokenOf(await freshCredential(context, session))).toBe('new')
  expect(deadlines).toEqual([45_000])
})

test('a token that the service refused is not used again when its refresh fails (5.5)', async () => {
  const { fresh, credential } = await withSession([FAILURE()])
  expect(await problemOf(fresh(credential))).toMatchObject({ code: 'refresh_failed' })
})

test('ten requests while the endpoint fails send one refresh, and never the refused token again (5.5)', async () => {
  const { fresh, sent, credential, clock } = await withSession([], {
    staleAtMs: START_MS + HOUR_MS,
    expiresAtMs: START_MS + HOUR_MS,
  })
  for (const refused of [credential, ...Array.from({ length: 9 }, () => undefined)])
    expect(await problemOf(fresh(refused))).toEqual({
      code: 'refresh_failed',
      retryInMs: expect.toSatisfy((ms) => ms >= 1000 && ms <= 2000),
    })
  expect(sent()).toBe(1)
  clock.ms += 2000
  expect(await problemOf(fresh())).toMatchObject({ code: 'refresh_failed' })
  expect(sent()).toBe(2)
})

test('a refusal that a running refresh has not seen starts one of its own (5.5)', async () => {
  const { context, session, credential, fresh, sent } = await withSession([Response.json(NEW)], {
    staleAtMs: START_MS + 1,
  })
  const running = delay(30, credential)
  context.memory.sharedWork.set(`refresh ${session.id}`, running)
  void running.then(() => context.memory.sharedWork.clear())
  expect(accessTokenOf(await fresh(credential))).toBe('new')
  expect(sent()).toBe(1)
})

test('a defect of our own at the refresh is not hidden, though the old token is good (5.4)', async () => {
  const { context, fresh } = await withSession()
  context.store.reserve = () => Promise.reject(new TypeError('a defect'))
  await expect(fresh()).rejects.toThrow(TypeError)
})

test('a refresh that the service refuses ends the session and is logged (RFC 6749 5.2)', async () => {
  const { fresh, stored, log } = await withSession([
    Response.json({ error: 'invalid_grant' }, { status: 400 }),
  ])
  expect(await problemOf(fresh())).toEqual({ code: 'access_withdrawn' })
  expect(await stored()).toBeUndefined()
  expect(log.at(-1)).toEqual({ level: 'info', event: 'session_ended', code: 'access_withdrawn' })
})

test.each([
  ['succeeds', Response.json(NEW), 'signed_out'],
  ['is refused', Response.json({ error: 'invalid_grant' }, { status: 400 }), 'signed_out'],
])('a session that ends during a refresh that %s stays ended (5.4)', async (_, answer, code) => {
  const { context, session, stored } = await withSession([answer])
  const { upstream } = context
  const ending = {
    ...context,
    upstream: async (request: Outgoing) => {
      await endSession(context, session)
      return upstream(request)
    },
  }
  expect(await problemOf(freshCredential(ending, session))).toEqual({ code })
  expect([await stored(), context.memory.unsavedTokens.size]).toEqual([undefined, 0])
})

test('the limits of the old token are those of the new one (8.2)', async () => {
  const { context, credential, fresh } = await withSession()
  const note: TokenNote = {
    gauges: {},
    pauses: { read: { code: 'rate_limited', reasons: [], untilMs: START_MS + 20_000 } },
  }
  await changeTokenNote(context, tokenOf(credential), () => note)
  expect((await readTokenNote(context, tokenOf(await fresh()))).pauses).toEqual(note.pauses)
})

async function anHourLater() {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  fixture.advance(HOUR_MS)
  return { fixture, browser, refreshes: () => fixture.tokenRequests().slice(1) }
}

test('ten parallel calls with an expired token make one refresh, and all succeed (5.4, attack 53)', async () => {
  const { browser, refreshes } = await anHourLater()
  const paths = Array.from({ length: 10 }, (_, at) => [PATH, '/organizations', '/rate_limit'][at % 3] ?? '')
  const answers = await Promise.all(paths.map((path) => browser.spend(path)))
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200))
  expect(refreshes().map(({ body }) => new URLSearchParams(body).get('grant_type'))).toEqual([
    'refresh_token',
  ])
})

test('only a read on request refreshes: reloads, snapshots and an idle day do not (5.4)', async () => {
  const { fixture, browser } = await anHourLater()
  fixture.advance(24 * HOUR_MS)
  await Promise.all([browser.session(), browser.quota(), browser.read(PATH)])
  expect(fixture.sent).toHaveLength(2)
})

test('each refresh sends the refresh token that came last (5.4.3)', async () => {
  const { fixture, browser, refreshes } = await anHourLater()
  for (let hour = 0; hour < 3; hour += 1) {
    expect((await browser.spend(PATH)).status).toBe(200)
    fixture.advance(HOUR_MS)
  }
  const sent = refreshes().map(({ body }) => new URLSearchParams(body).get('refresh_token'))
  expect(new Set(sent).size).toBe(3)
})

test('a revoked grant ends the session, and removes its cookie (RFC 6749 5.2)', async () => {
  const { fixture, browser } = await anHourLater()
  fixture.intercept((request, through) =>
    request.url.endsWith('/oauth2/token')
      ? Promise.resolve(Response.json({ error: 'invalid_grant' }, { status: 400 }))
      : through(request),
  )
  const { status, body } = await browser.spend(PATH)
  expect([status, body.code]).toEqual([401, 'access_withdrawn'])
  expect(browser.cookies.has(SESSION_COOKIE)).toBe(false)
  expect(fixture.paid()).toHaveLength(1)
})

test.each([
  ['an invalid client', 401, 'invalid_client', 502, 'client_rejected'],
  ['an error of the service', 503, undefined, 503, 'refresh_failed'],
  ['too many requests', 429, undefined, 503, 'refresh_failed'],
  ['garbage', 200, undefined, 503, 'refresh_failed'],
])(
  '%s at the refresh leaves the session, and a later read refreshes again (5.4)',
  async (_, answered, error, status, code) => {
    const { fixture, browser } = await anHourLater()
    fixture.intercept((request, through) =>
      request.url.endsWith('/oauth2/token')
        ? Promise.resolve(Response.json({ error }, { status: answered }))
        : through(request),
    )
    const answer = await browser.spend(PATH)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(fixture.paid()).toHaveLength(1)
    fixture.intercept(undefined)
    fixture.advance(60_000)
    expect((await browser.spend(PATH)).status).toBe(200)
  },
)

test('a token endpoint that answers 429 gets no request until Retry-After has passed (8)', async () => {
  const { fixture, browser } = await anHourLater()
  fixture.intercept((request, through) =>
    request.url.endsWith('/oauth2/token')
      ? Promise.resolve(new Response('', { status: 429, headers: { 'Retry-After': '20' } }))
      : through(request),
  )
  await browser.spend(PATH)
  const asked = fixture.tokenRequests().length
  const { body } = await browser.spend(PATH)
  expect([body.code, body.retry_in_ms]).toEqual(['refresh_failed', 20_000])
  expect(fixture.tokenRequests()).toHaveLength(asked)
  fixture.intercept(undefined)
  fixture.advance(20_000)
  expect((await browser.spend(PATH)).status).toBe(200)
})

test('a token refused before it expires is refreshed once, and the read is repeated (5.5, attack 68)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  let refusals = 0
  fixture.intercept((request, through) => {
    if (request.url.endsWith('/oauth2/token') || refusals > 0) return through(request)
    refusals += 1
    return Promise.resolve(new Response('{}', { status: 401 }))
  })
  const { status, headers } = await browser.spend(PATH)
  expect([status, headers.get('X-Plimsoll-Spent')]).toEqual([200, '2'])
  expect(fixture.tokenRequests()).toHaveLength(2)
})

test('a refused token is not sent again where the store cannot note the refusal (5.5)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  const { changeNote } = fixture.store
  fixture.store.changeNote = (name, ...change) =>
    name.startsWith('refresh ')
      ? Promise.reject(new Problem('store_unavailable'))
      : changeNote(name, ...change)
  fixture.intercept(() => Promise.resolve(new Response('{}', { status: 401 })))
  const { status, body } = await browser.spend(PATH)
  expect([status, body.code]).toEqual([503, 'store_unavailable'])
  expect(fixture.paid()).toHaveLength(2)
  expect((await browser.session()).body.signed_in).toBe(true)
})

test('a service that refuses every token gets two reads and no more (5.5)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  fixture.intercept((request, through) =>
    request.url.endsWith('/oauth2/token')
      ? through(request)
      : Promise.resolve(new Response('{}', { status: 401 })),
  )
  const { status, body } = await browser.spend(PATH)
  expect([status, body.code]).toEqual([401, 'credential_refused'])
  expect(fixture.paid()).toHaveLength(3)
})

test('tokens that could not be saved are used until they can be (5.4.4)', async () => {
  const { fixture, browser, refreshes } = await anHourLater()
  await withoutStore(fixture, async () => {
    expect((await browser.spend(PATH)).status).toBe(200)
    expect((await browser.spend(PATH)).status).toBe(200)
  })
  expect((await browser.spend(PATH)).status).toBe(200)
  expect(refreshes()).toHaveLength(1)
  // The tokens are in the store now, and another process uses them.
  const { other, same } = elsewhere(fixture, browser)
  expect((await same.spend(PATH)).status).toBe(200)
  expect(other.tokenRequests()).toEqual([])
})

/** Another bff on the same store, with the same cookies. */
function elsewhere(fixture: App, browser: Person) {
  const other = fixture.another()
  const same = other.browser()
  for (const [name, value] of browser.cookies) same.cookies.set(name, value)
  return { other, same }
}

async function withoutStore(fixture: App, work: () => Promise<unknown>): Promise<void> {
  const { writeSession } = fixture.store
  fixture.store.writeSession = () =>
    Promise.reject(new Problem('store_unavailable', { cause: new Error('disk full') }))
  await work()
  fixture.store.writeSession = writeSession
}

test('a copy that is stored after tokens could not be saved stores the tokens too (5.4.4)', async () => {
  const { fixture, browser, refreshes } = await anHourLater()
  const { writeSession } = fixture.store
  fixture.store.writeSession = () => {
    // The first write (the tokens) fails, and the next one (the copy) succeeds.
    fixture.store.writeSession = writeSession
    return Promise.reject(new Problem('store_unavailable', { cause: new Error('disk full') }))
  }
  expect((await browser.spend(PATH)).status).toBe(200)
  const { other, same } = elsewhere(fixture, browser)
  expect((await same.spend(PATH)).status).toBe(200)
  expect([refreshes().length, other.tokenRequests().length]).toEqual([1, 0])
})

test('two sessions that refresh at the same time get their own tokens (5.4)', async () => {
  const { fixture, browser, refreshes } = await anHourLater()
  const other = fixture.browser()
  await other.signIn(STANDARD, 'Ben')
  fixture.advance(HOUR_MS)
  const before = fixture.paid().length
  await Promise.all([browser.spend(PATH), other.spend(PATH)])
  const bearers = fixture
    .paid()
    .slice(before)
    .map(({ headers }) => headers.get('Authorization'))
  expect(new Set(bearers).size).toBe(2)
  const sent = refreshes().map(({ body }) => new URLSearchParams(body).get('refresh_token'))
  expect(new Set(sent.slice(-2)).size).toBe(2)
})
