import { describe, expect, test } from 'vitest'
import { startLogin } from '../../../src/bff/sign-in/login.ts'
import { SESSION_COOKIE } from '../../kit/config.ts'
import type { Measurement } from '../../../src/bff/core/measurement.ts'
import { readMonth } from '../../../src/bff/limits/month.ts'
import { nameAddress, nameApiKey } from '../../../src/bff/core/server-key.ts'
import { createSession, deleteSession, getSession } from '../../../src/bff/sign-in/session.ts'
import { endBecause } from '../../../src/bff/session/owner.ts'
import { findSession, publicIdOf, storeSession } from '../../../src/bff/session/record.ts'
import { Problem, type ProblemBody } from '../../../src/contract/problem.ts'
import type { SignedIn, SignedOut } from '../../../src/contract/session.ts'
import type { LedgerEntry } from '../../../src/store/store.ts'
import { APP, BUSINESS, startApp, SECRET, SERVICE, STANDARD } from '../../kit/app.ts'
import { randomState } from '../../kit/person.ts'
import { createContext, START_MS } from '../_context.ts'

const HOUR_MS = 3_600_000
const KEY = { method: 'api_key', apiKey: 'a-key', name: 'name-of-a-key' } as const
const TOKENS = { accessToken: 'at', staleAtMs: 0, expiresAtMs: 0 }
const OAUTH = { method: 'oauth', organizationId: '1001', tokens: TOKENS } as const
const requestWith = (cookie: string, body?: object) =>
  new Request(`${APP}/bff/session`, {
    headers: { Cookie: cookie, 'Content-Type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
const cookieOf = (setCookie: string | null) => setCookie?.split(';')[0] ?? ''

async function stored(credential: Parameters<typeof storeSession>[1]['credential'] = KEY) {
  const made = createContext()
  const { session, setCookie } = await storeSession(made.context, { credential, proven: true, copies: {} })
  return { ...made, session, request: requestWith(cookieOf(setCookie)) }
}

/** Answers by the end of the path. */
function serving(answers: { [path: string]: () => Response }) {
  const entries: LedgerEntry[] = []
  const made = createContext(({ url }) => {
    const [, answer] = Object.entries(answers).find(([path]) => url.endsWith(path)) ?? []
    return answer === undefined ? Promise.reject(new Error(url)) : Promise.resolve(answer())
  })
  const { reserve } = made.context.store
  made.context.store.reserve = (entry, admission) => {
    entries.push(entry)
    return reserve(entry, admission)
  }
  return { ...made, entries }
}

test.each(['off', 'S256'] as const)(
  'without a session the answer has what a sign-in needs, with PKCE %s (4.1; RFC 7636 4.3)',
  async (pkce) => {
    const { context } = createContext()
    const headers = new Headers()
    const inContext = { ...context, config: { ...context.config, pkce } }
    const response = await getSession(inContext, requestWith('another=cookie'), headers)
    expect(await response.json()).toEqual({
      signed_in: false,
      authorize: {
        authorization_endpoint: `${SERVICE}/oauth2/login`,
        client_id: 'plimsoll-test',
        redirect_uri: `${APP}/callback`,
        ...(pkce === 'S256' && { code_challenge_method: 'S256' }),
      },
    })
    expect([...headers]).toEqual([])
  },
)

test('with the embedded sandbox the answer says who can sign in (5)', async () => {
  const { context } = createContext()
  const sandbox = { control_url: 'http://127.0.0.1:4001', organizations: [{ id: '1001', name: 'Ropes' }] }
  const inContext = { ...context, config: { ...context.config, sandbox } }
  const response = await getSession(inContext, requestWith('another=cookie'), new Headers())
  expect(await response.json()).toMatchObject({ signed_in: false, sandbox })
})

test('the answer to a session has its public id, its method and the seconds to its end (4)', async () => {
  const { context, clock, session, request } = await stored()
  clock.ms += 500
  const headers = new Headers()
  const response = await getSession(context, request, headers)
  expect(await response.json()).toEqual({
    signed_in: true,
    id: publicIdOf(session),
    method: 'api_key',
    ends_in: 30 * 86_400 - 1,
    plan_page: `${context.config.serviceUrl}/plan`,
    authorize: expect.objectContaining({ client_id: context.config.clientId }),
  })
  expect([...headers]).toEqual([])
})

test('the last use is stored after more than an hour (ASVS 7.3.1)', async () => {
  const { context, clock, session, request } = await stored(OAUTH)
  clock.ms += HOUR_MS
  await getSession(context, request, new Headers())
  expect((await findSession(context, request))?.version).toBe(session.version)
  clock.ms += 1
  const response = await getSession(context, request, new Headers())
  expect(((await response.json()) as SignedIn).ends_in).toBe(30 * 86_400)
  expect((await findSession(context, request))?.record).toEqual({ ...session.record, seenAtMs: clock.ms })
})

test('a store that fails or is locked neither fails nor delays the answer about the session (ASVS 7.3.1)', async () => {
  const { context, clock, request } = await stored()
  clock.ms += HOUR_MS + 1
  const { writeSession } = context.store
  context.store.writeSession = () => Promise.reject(new Problem('store_unavailable'))
  const failed = await getSession(context, request, new Headers())
  expect(await failed.json()).toMatchObject({ signed_in: true, ends_in: 30 * 86_400 - 3601 })
  let unlock = (): void => {}
  const locked = new Promise<void>((resolve) => {
    unlock = resolve
  })
  context.store.writeSession = async (...values) => {
    await locked
    return writeSession(...values)
  }
  // The write waits for the lock, which is released later.
  const waited = await getSession(context, request, new Headers())
  expect(await waited.json()).toMatchObject({ signed_in: true })
  // The write happens when the lock is gone.
  unlock()
  await Promise.all(context.memory.background)
  expect((await findSession(context, request))?.record.seenAtMs).toBe(clock.ms)
})

test('a session that ends while its last use is stored is answered as no session (4)', async () => {
  const { context, clock, session, request } = await stored()
  clock.ms += HOUR_MS + 1
  context.store.writeSession = async () => {
    await context.store.endSession(session.id)
    return false
  }
  // No further guess is allowed, but this is not one.
  for (let guess = 0; guess < 100; guess += 1) await context.limiter.take('session_cookie', context.address)
  const headers = new Headers()
  const response = await getSession(context, request, headers)
  expect(await response.json()).toMatchObject({ signed_in: false })
  expect(headers.get('Set-Cookie')).toContain('Max-Age=0')
})

test('an unknown cookie is a guess, and that of a session that was ended for a reason is none (attack 52)', async () => {
  const { context, session, request } = await stored()
  await endBecause(context, session, 'elsewhere')
  for (let at = 0; at < 101; at += 1) await getSession(context, request, new Headers())
  const guess = () => getSession(context, requestWith(`${SESSION_COOKIE}=name.key`), new Headers())
  for (let at = 0; at < 100; at += 1) await guess()
  await expect(guess()).rejects.toMatchObject({ code: 'too_many_attempts' })
})

test('a sign-in succeeds where the sessions of its owner cannot be listed, and the log has why (4)', async () => {
  const { context, log } = serving({ '/organizations': () => Response.json([{ id: 1 }]) })
  context.store.listSessions = () => Promise.reject(new Problem('store_unavailable'))
  const response = await createSession(context, requestWith('', { api_key: 'a-key' }), new Headers())
  expect(response.status).toBe(201)
  const cause = expect.stringContaining('store unavailable')
  expect(log).toContainEqual({ level: 'warn', event: 'session_ended', cause })
})

test.each([KEY, OAUTH])(
  'a sign-out from a session of %j is the end of one session (4)',
  async (credential) => {
    const { context, request } = await stored(credential)
    const measured: Measurement[] = []
    await deleteSession({ ...context, measure: (one) => measured.push(one) }, request, new Headers())
    expect(measured).toEqual([{ what: 'session', change: 'ended' }])
  },
)

test('a sign-in by key reads all organizations once, and stores the answer as a copy (5.1.5)', async () => {
  const { context, entries, log } = serving({ '/organizations': () => Response.json([{ id: 1 }]) })
  const headers = new Headers()
  const response = await createSession(context, requestWith('', { api_key: 'a-key' }), headers)
  expect([response.status, headers.getSetCookie().length]).toEqual([201, 3])
  const session = await findSession(context, requestWith(cookieOf(headers.get('Set-Cookie'))))
  expect(session?.record).toMatchObject({
    credential: { method: 'api_key', apiKey: 'a-key' },
    proven: true,
    copies: { '/organizations': { text: '[{"id":1}]', atMs: START_MS } },
  })
  const organization = `key ${await nameApiKey(context, 'a-key')}`
  expect(entries).toEqual([
    expect.objectContaining({ kind: 'api.read', path: '/organizations', initiator: 'sign_in' }),
  ])
  expect(await readMonth(context, organization, context.now())).toMatchObject({ low: 1, high: 1 })
  expect(log.at(-1)).toEqual({ level: 'info', event: 'sign_in', organization })
})

const GOOD = { access_token: 'at', token_type: 'Bearer', expires_in: 3600, refresh_token: 'rt' }

test('a sign-in by code reads its organization, and the cookie of the sign-in is removed (5.3)', async () => {
  const { context, entries, log } = serving({
    '/oauth2/token': () => Response.json(GOOD),
    '/organizations/1001': () => Response.json({ id: 1001 }),
  })
  const state = randomState()
  const started = await startLogin(context, requestWith('', { state, organization_id: '1001' }))
  const login = cookieOf(started.headers.get('Set-Cookie'))
  const headers = new Headers()
  const response = await createSession(context, requestWith(login, { code: 'c', state }), headers)
  expect(await response.json()).toMatchObject({ method: 'oauth', organization_id: '1001' })
  const [removed, created] = headers.getSetCookie()
  expect(removed).toContain(`${login.split('=')[0]}=; Path=/; Max-Age=0`)
  expect((await findSession(context, requestWith(cookieOf(created ?? ''))))?.record).toMatchObject({
    credential: {
      method: 'oauth',
      organizationId: '1001',
      tokens: { accessToken: 'at', refreshToken: 'rt' },
    },
    copies: { '/organizations/1001': { text: '{"id":1001}' } },
  })
  const [exchange, proof] = entries.map(({ kind, organization }) => ({ kind, organization }))
  expect([exchange?.kind, proof?.kind]).toEqual(['token.code', 'api.read'])
  expect(proof?.organization).toMatch(/^unproven .{16}$/)
  expect(exchange?.organization).toBe(proof?.organization)
  expect(await readMonth(context, '1001', context.now())).toMatchObject({ low: 1, high: 2 })
  expect(log.at(-1)).toEqual({ level: 'info', event: 'sign_in', organization: '1001' })
})

test.each([
  [429, { 'Retry-After': '7' }, 'rate_limited', 7000],
  [503, { 'Retry-After': '20' }, 'upstream_failed', 20_000],
  [200, {}, 'unexpected_reply', undefined],
] as const)(
  'a key whose read is answered with %i opens no session, and the answer is that of the read: %s %s (5.1)',
  async (status, given, code, retryInMs) => {
    const { context } = serving({ '/organizations': () => new Response('', { status, headers: given }) })
    const headers = new Headers()
    const refused = createSession(context, requestWith('', { api_key: 'a-key' }), headers)
    await expect(refused).rejects.toMatchObject({ code, retryInMs })
    expect([...headers]).toEqual([])
    expect(
      await readMonth(context, `key ${await nameApiKey(context, 'a-key')}`, context.now()),
    ).toMatchObject({
      low: 0,
      high: 0,
    })
  },
)

test('a refused key is a warning in the log, and leaves the session before it (5.1)', async () => {
  const { context, log } = serving({ '/organizations': () => new Response('{}', { status: 401 }) })
  const { setCookie } = await storeSession(context, { credential: KEY, proven: true, copies: {} })
  const headers = new Headers()
  const refused = createSession(context, requestWith(cookieOf(setCookie), { api_key: 'other' }), headers)
  await expect(refused).rejects.toMatchObject({ code: 'key_rejected' })
  const source = await nameAddress(context)
  expect(log.at(-1)).toEqual({ level: 'warn', event: 'sign_in', code: 'key_rejected', source })
  expect([...headers]).toEqual([])
  expect(await findSession(context, requestWith(cookieOf(setCookie)))).toBeDefined()
})

test('a sign-out ends the session, and the log has its organization; without one there is no line (4)', async () => {
  const { context, log, request } = await stored(OAUTH)
  const headers = new Headers()
  expect((await deleteSession(context, request, headers)).status).toBe(204)
  expect(await findSession(context, request)).toBeUndefined()
  expect(log).toEqual([{ level: 'info', event: 'sign_out', organization: '1001' }])
  expect(headers.getSetCookie()).toEqual([
    'plimsoll-http-3000=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
  ])
  await deleteSession(context, request, headers)
  expect(log).toHaveLength(1)
})

const problem = (body: unknown) => (body as ProblemBody).code

test('the code that was used already is refused, and no session is created (RFC 6749 4.1.2)', async () => {
  const fixture = startApp()
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

test('a token for another organization creates no session (5.3, attack 6, attack 9)', async () => {
  const fixture = startApp()
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
      const fixture = startApp()
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
    const fixture = startApp()
    const browser = fixture.browser()
    fixture.intercept((request, through) =>
      request.url.includes('/organizations')
        ? Promise.reject(new DOMException('late', 'TimeoutError'))
        : through(request),
    )
    expect((await browser.signIn()).status).toBe(201)
  })
})

test('an API key signs in with one request, and is in no answer or log line (5.1.5, attack 52)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  const key = fixture.seed.api_keys[0]?.value ?? ''
  const { status, body, headers } = await browser.request('POST', '/bff/session', { json: { api_key: key } })
  expect([status, body]).toEqual([
    201,
    {
      signed_in: true,
      id: expect.any(String),
      method: 'api_key',
      ends_in: expect.any(Number),
      plan_page: `${SERVICE}/plan`,
      authorize: expect.objectContaining({ redirect_uri: `${APP}/callback` }),
    },
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
  const fixture = startApp()
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
  const fixture = startApp()
  const browser = fixture.browser()
  const { status, body } = await browser.request('POST', '/bff/session', { json: { api_key } })
  expect([status, body.code]).toEqual([401, 'key_rejected'])
  expect(fixture.sent).toHaveLength(sent)
  expect(browser.cookies.size).toBe(0)
})

test('a service that rejects our client is a problem of its own (RFC 6749 5.2)', async () => {
  const fixture = startApp({ clientSecret: 'not-the-secret' })
  const { status, body } = await fixture.browser().signIn()
  expect([status, problem(body)]).toEqual([502, 'client_rejected'])
})

test('a tab that asks with the cookie of a just replaced session keeps the new cookie (RFC 6265 5.3)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  const before = browser.cookies.get(SESSION_COOKIE)
  await browser.signIn()
  const late = await browser.request<SignedOut>('GET', '/bff/session', {
    headers: { Cookie: `${SESSION_COOKIE}=${before}` },
  })
  expect(late.body).not.toHaveProperty('ended')
  expect(late.body.signed_in).toBe(false)
  expect((await browser.session()).body.signed_in).toBe(true)
})

test('a sign-in has a new name, and ends the earlier session (OWASP session management)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  const before = new Map(browser.cookies)
  await browser.signIn()
  expect(browser.cookies.get('plimsoll-http-3000')).not.toBe(before.get('plimsoll-http-3000'))
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
  const fixture = startApp()
  const browser = fixture.browser()
  browser.cookies.set('plimsoll-http-3000', value)
  expect((await browser.session()).body.signed_in).toBe(false)
  expect(browser.cookies.size).toBe(0)
})

test('sign-out removes every cookie of ours, those of sign-ins in progress too (RFC 6265 5.3)', async () => {
  const browser = startApp().browser()
  await browser.signIn()
  await browser.startLogin(STANDARD)
  await browser.startLogin(BUSINESS)
  browser.cookies.set('another', 'cookie')
  expect(browser.cookies.size).toBe(6)
  const { headers } = await browser.signOut()
  expect([...browser.cookies.keys()]).toEqual(['another'])
  expect(headers.get('Clear-Site-Data')).toBe('"cache", "storage"')
})

test('sign-out without a session is a sign-out too (RFC 9110 9.2.2)', async () => {
  expect((await startApp().browser().signOut()).status).toBe(204)
})

test('tokens, secret and code are in no answer and no log line of a whole sign-in (5.4)', async () => {
  const fixture = startApp()
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
  fixture.advance(HOUR_MS)
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
