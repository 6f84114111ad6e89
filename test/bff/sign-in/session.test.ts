import { expect, test } from 'vitest'
import { logFailedSignIn } from '../../../src/bff/sign-in/login.ts'
import { SESSION_COOKIE } from '../../kit/config.ts'
import type { Measurement } from '../../../src/bff/core/measurement.ts'
import { getSession } from '../../../src/bff/sign-in/session.ts'
import { endBecause } from '../../../src/bff/session/owner.ts'
import { findSession } from '../../../src/bff/session/browser.ts'
import { openStored } from '../../kit/stored-session.ts'
import { Problem } from '../../../src/contract/problem.ts'
import type { SignedOut } from '../../../src/contract/session.ts'
import { type App, APP, BUSINESS, SERVICE, startApp, STANDARD } from '../../kit/app.ts'
import { randomState } from '../../kit/person.ts'
import { signInByKey, told } from '../_answers.ts'
import { createContext } from '../_context.ts'
import { signedIn, answerReads, withBrowser } from '../_signed-in.ts'
import { onCall } from '../../kit/store-methods.ts'
import { signedOut } from '../../../src/bff/sign-in/session-answer.ts'
import { changeServiceNote, NO_EVIDENCE } from '../../../src/bff/evidence/note.ts'
import { RESERVATION, reserve } from '../_reservation.ts'

const HOUR_MS = 3_600_000
const KEY = { method: 'api_key', apiKey: 'a-key', name: 'name-of-a-key' } as const
const requestWith = (Cookie: string) => new Request(`${APP}/bff/session`, { headers: { Cookie } })
async function stored() {
  const made = createContext()
  const { session, cookie } = await openStored(made.context, { credential: KEY, proven: true })
  return { ...made, session, request: requestWith(cookie) }
}

test('a store that fails or is locked neither fails nor delays the answer about the session (ASVS 7.3.1)', async () => {
  const { context, clock, request } = await stored()
  clock.ms += HOUR_MS + 1
  const { writeSession } = context.store
  context.store.writeSession = () => Promise.reject(new Problem('store_unavailable'))
  const asked = async () => (await getSession(context, request)).json()
  expect(await asked()).toMatchObject({ signed_in: true, ends_in: 30 * 86_400 - 3601 })
  let unlock = (): void => {}
  const locked = new Promise<void>((resolve) => void (unlock = resolve))
  context.store.writeSession = async (...values) => {
    await locked
    return writeSession(...values)
  }
  // The write waits for the lock, which is released later.
  expect(await asked()).toMatchObject({ signed_in: true })
  // The write happens when the lock is gone.
  unlock()
  await Promise.all(context.memory.background)
  expect((await findSession(context, request))?.record.seenAtMs).toBe(clock.ms)
})

test.each([
  ['stores nothing', false],
  ['stores all and cannot say so', true],
])('a store that %s for a moment loses no sign-in, which was paid for (5.3, 8.3)', async (_, isStored) => {
  const { fixture, browser } = withBrowser()
  const back = await browser.permit(await browser.startLogin(STANDARD), 'Ada')
  const failures = { session: 2, browser: 2 }
  let isLost = false
  const fail = (what: 'session' | 'browser') => {
    failures[what] -= 1
    if (failures[what] < 0) return
    isLost = isStored
    if (!isStored) throw new Problem('store_unavailable')
  }
  onCall(fixture.store, 'writeSession', () => fail('session'))
  onCall(fixture.store, 'changeNote', (name) => name.startsWith('browser ') && fail('browser'))
  const { transaction } = fixture.store
  fixture.store.transaction = async (work) => {
    const result = await transaction(work)
    if (!isLost) return result
    isLost = false
    throw new Problem('store_unavailable')
  }
  expect(await told(browser.finishLogin(back))).toBe('201')
  expect([fixture.tokenRequests().length, fixture.paid().length]).toEqual([1, 1])
  expect((await browser.session()).body.signed_in).toBe(true)
  expect((await browser.read(`/organizations/${STANDARD}`)).status).toBe(200)
  const { body } = await browser.request<{ sessions: unknown[] }>('GET', '/bff/sessions')
  expect(body.sessions).toHaveLength(1)
})

test('a sign-in whose read cannot be recorded as settled still counts for its organization (8.3)', async () => {
  const { fixture, browser } = withBrowser()
  let settled = 0
  onCall(fixture.store, 'settle', () => {
    settled += 1
    if (settled > 1) throw new Problem('store_unavailable')
  })
  await browser.signIn()
  expect(settled).toBeGreaterThan(1)
  expect((await browser.quota()).month).toMatchObject({ high: 2 })
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
  const { headers } = context
  const response = await getSession(context, request)
  expect(await response.json()).toMatchObject({ signed_in: false })
  expect(headers.get('Set-Cookie')).toContain('Max-Age=0')
})

test('a cookie of a session that was ended for a reason is no guess, however often it comes (attack 52)', async () => {
  const { context, session, request } = await stored()
  await endBecause(context, session, 'elsewhere')
  for (let at = 0; at < 101; at += 1) expect((await getSession(context, request)).status).toBe(200)
})

/** A sign-in with a key; the service answers as `answer` says. */
async function byKey(answer: () => Response, prepare: (fixture: App) => unknown = () => {}) {
  const fixture = startApp()
  const browser = fixture.browser()
  prepare(fixture)
  fixture.intercept(() => Promise.resolve(answer()))
  const json = { api_key: 'a-key-of-a-test' }
  return { fixture, browser, answer: await browser.request('POST', '/bff/session', { json }) }
}

test('a sign-in succeeds where the sessions of its owner cannot be listed, and the log has why (4)', async () => {
  const fails = () => Promise.reject(new Problem('store_unavailable'))
  const { fixture, answer } = await byKey(
    () => Response.json([{ id: 1 }]),
    ({ store }) => (store.listSessions = fails),
  )
  expect(answer.status).toBe(201)
  const cause: unknown = expect.stringContaining('store unavailable')
  expect(fixture.log).toContainEqual(
    expect.objectContaining({ level: 'warn', event: 'session_ended', cause }),
  )
})

test('a sign-in by key reads all organizations once, and stores the answer as a copy (5.1.5)', async () => {
  const { fixture, browser } = await byKey(() => Response.json([{ id: 1 }]))
  expect(fixture.sent.map(({ path }) => path)).toEqual(['/organizations'])
  const { body, headers } = await browser.request<unknown>('GET', '/api/organizations')
  expect([body, headers.get('X-Plimsoll-Spent')]).toEqual([[{ id: 1 }], '0'])
  expect((await browser.quota()).month).toMatchObject({ low: 1, high: 1 })
  const organization: unknown = expect.stringMatching(/^key [\w-]{22}$/)
  expect(fixture.log).toContainEqual(expect.objectContaining({ event: 'sign_in', organization }))
})

test.each([
  [429, { 'Retry-After': '7' }, 'rate_limited', 7000],
  [503, { 'Retry-After': '20' }, 'upstream_failed', 20_000],
  [200, {}, 'unexpected_reply', undefined],
  [200, { Age: '30' }, 'unexpected_reply', undefined, '[{"id": 1}]'],
] as const)('a key answered %i %j opens nothing: %s %s (5.1)', async (...row) => {
  const [status, headers, code, retry_in_ms, text = ''] = row
  const { answer, browser } = await byKey(() => new Response(text, { status, headers }))
  expect([answer.body.code, answer.body.retry_in_ms]).toEqual([code, retry_in_ms])
  expect(browser.cookies.size).toBe(0)
})

test('a sign-out removes every cookie of ours, and is one line and one measurement (RFC 6265 5.3)', async () => {
  const measured: Measurement[] = []
  const { fixture, browser } = await signedIn({ measure: (one) => void measured.push(one) })
  await browser.startLogin(STANDARD)
  await browser.startLogin(BUSINESS)
  browser.cookies.set('another', 'cookie')
  expect(browser.cookies.size).toBe(5)
  const ended = () => [
    fixture.log.filter(({ event }) => event === 'sign_out'),
    measured.filter(({ what }) => what === 'session').slice(1),
  ]
  expect(ended()).toEqual([[], []])
  const { status, headers } = await browser.signOut()
  expect([status, headers.get('Clear-Site-Data')]).toEqual([204, '"cache", "storage"'])
  expect([...browser.cookies.keys()]).toEqual(['another'])
  expect(headers.getSetCookie()).toContain(
    'plimsoll-http-3000=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
  )
  await browser.signOut()
  expect(ended()).toMatchObject([
    [{ level: 'info', event: 'sign_out', organization: STANDARD }],
    [{ what: 'session', change: 'ended' }],
  ])
})

test('the code that was used already is refused, and no session is created (RFC 6749 4.1.2)', async () => {
  const fixture = startApp()
  const [first, second] = [fixture.browser(), fixture.browser()]
  const back = await first.permit(await first.startLogin(STANDARD), 'Ada')
  await first.finishLogin(back)
  const state = randomState()
  await second.startLogin(STANDARD, state)
  back.searchParams.set('state', state)
  expect(await told(second.finishLogin(back))).toBe('401 code_rejected')
  expect((await second.session()).body.signed_in).toBe(false)
  expect(second.cookies.size).toBe(0)
})

test.each([
  ['with a blank in it', 'a key', 0],
  ['that the service does not know', 'unknown-key-0123456789', 1],
])('an API key %s is refused, and leaves the session before it (5.1)', async (_, api_key, sent) => {
  const { fixture, browser } = await signedIn()
  const { status, body, headers } = await browser.request('POST', '/bff/session', { json: { api_key } })
  expect([status, body.code]).toEqual([401, 'key_rejected'])
  expect(fixture.sent).toHaveLength(2 + sent)
  expect(headers.getSetCookie()).toEqual([])
  expect((await browser.session()).body.signed_in).toBe(true)
})

test('a tab that asks with the cookie of a just replaced session keeps the new cookie (RFC 6265 5.3)', async () => {
  const { browser } = await signedIn()
  const before = browser.cookies.get(SESSION_COOKIE)
  await browser.signIn()
  const late = await browser.request<SignedOut>('GET', '/bff/session', {
    headers: { Cookie: `${SESSION_COOKIE}=${before}` },
  })
  expect(late.body).not.toHaveProperty('ended')
  expect(late.body.signed_in).toBe(false)
  expect((await browser.session()).body.signed_in).toBe(true)
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

test('the answer has what a further sign-in needs, and names each other session without its secrets (5.3)', async () => {
  const sandbox = { control_url: 'http://127.0.0.1:4001', organizations: [{ id: '1001', name: 'Ropes' }] }
  const { fixture, browser } = await signedIn({ sandbox, pkce: 'S256' })
  fixture.advance(1500)
  const authorize = {
    authorization_endpoint: `${SERVICE}/oauth2/login`,
    client_id: 'plimsoll-test',
    redirect_uri: `${APP}/callback`,
    code_challenge_method: 'S256',
  }
  const named = { id: expect.any(String), method: 'oauth', organization_id: STANDARD }
  const [ends_in, plan_page] = [30 * 86_400 - 2, `${SERVICE}/plan`]
  const answer = { signed_in: true, ends_in, plan_page, authorize, sandbox }
  expect((await browser.session()).body).toEqual({
    ...answer,
    ...named,
    plan_page: `${plan_page}?organization_id=1001`,
  })
  await signInByKey(fixture, browser)
  fixture.advance(1500)
  const byKey = { ...answer, id: expect.any(String), method: 'api_key', others: [named] }
  expect((await browser.session()).body).toEqual(byKey)
})

test('the answer says if an exchange counts, once that is known, for the price of a sign-in (5.3, 8.3)', async () => {
  const { context } = createContext()
  const confirmed = { 'token.code': { counts: true, atMs: 0 } }
  const atStart = await signedOut(context)
  expect(atStart).not.toHaveProperty('sign_in_counts')
  await changeServiceNote(context, () => ({ ...NO_EVIDENCE, confirmed }))
  expect(await signedOut(context)).toEqual({ ...atStart, sign_in_counts: 'yes' })
  const readNotes = () => Promise.reject(new Problem('store_unavailable'))
  const store = Object.create(context.store, { readNotes: { value: readNotes } })
  expect(await signedOut({ ...context, store })).toEqual(atStart)
})

test('a refused start, code and key have the name of their address in the log (ASVS 16.3.1)', async () => {
  const fixture = startApp()
  const stranger = fixture.browser('203.0.113.7')
  await stranger.request('POST', '/bff/login', { json: { state: 'short', organization_id: '1001' } })
  await stranger.request('POST', '/bff/session', { json: { state: 'a'.repeat(43), code: 'c' } })
  await stranger.request('POST', '/bff/session', { json: { api_key: 'no-such-key' } })
  const other = fixture.another().browser('198.51.100.8')
  await other.request('POST', '/bff/session', { json: { api_key: 'no-such-key' } })
  const lines = fixture.log.filter(({ event }) => event === 'sign_in')
  expect(lines.map(({ level, code }) => `${level} ${code}`)).toEqual([
    'warn invalid_request',
    'warn state_mismatch',
    'warn key_rejected',
  ])
  expect(new Set(lines.map(({ source }) => source)).size).toBe(1)
  expect(lines[0]?.source).toMatch(/^[\w-]{16}$/)
  expect(JSON.stringify(fixture.log)).not.toContain('203.0.113')
})

/** One is signed in to Standard; another claims it with a code of Business. `proof` answers the proof. */
async function claimed(proof?: Response) {
  const { fixture, browser: victim } = await signedIn()
  const claimant = fixture.browser()
  // Every change raises the version.
  const seen = async () =>
    [
      { ...(await victim.quota()), version: 0 },
      await fixture.store.readNotes([`organization ${STANDARD}`]),
    ] as const
  const before = await seen()
  const stolen = await claimant.permit(await claimant.startLogin(BUSINESS), 'Ada')
  const state = randomState()
  await claimant.startLogin(STANDARD, state)
  stolen.searchParams.set('state', state)
  if (proof) answerReads(fixture, () => proof)
  const answer = await told(claimant.finishLogin(stolen))
  fixture.intercept(undefined)
  return { fixture, claimant, answer, before, seen }
}

test('a person of Business who claims Standard is refused and changes nothing (5.3, attack 6, attack 9)', async () => {
  const { answer, before, seen, claimant } = await claimed()
  expect(answer).toBe('403 organization_refused')
  expect((await claimant.session()).body.signed_in).toBe(false)
  expect(await seen()).toEqual(before)
})

test.each([
  [429, { 'Retry-After': '30' }],
  [429, { 'X-RateLimit-Limit': '600', 'X-RateLimit-Remaining': '5' }],
  [503, {}],
  [402, {}],
])('who claims Standard with a proof answered %i %j changes nothing of it (5.3, 8.3)', async (...row) => {
  const [status, headers] = row
  const { fixture, claimant, answer, before, seen } = await claimed(new Response('{}', { status, headers }))
  expect(answer).toBe('201')
  expect((await claimant.session()).body).toMatchObject({ signed_in: true, confirmed: false })
  const monthOf = async () => (await claimant.quota()).month
  expect(await monthOf()).toMatchObject({ low: 0, high: 2 })
  expect(await seen()).toEqual(before)
  fixture.advance(66_000)
  // The token is good for Business, which proves nothing about Standard.
  expect(await told(claimant.spend('/rate_limit'))).toBe('200')
  expect(await monthOf()).toMatchObject({ low: 0, high: 3 })
  expect(await monthOf()).not.toHaveProperty('plan')
  expect(await told(claimant.spend(`/organizations/${STANDARD}`))).toBe('403 organization_refused')
  expect((await claimant.session()).body.signed_in).toBe(false)
  const [{ month }, note] = await seen()
  expect([month, note]).toMatchObject([{ low: 1, high: 2 }, before[1]])
})

test('an answer of a cache on the way proves no claim, at the sign-in or later (5.3, attack 9, attack 51)', async () => {
  const cached = () => Response.json({ id: 1001 }, { headers: { Age: '30' } })
  const { fixture, claimant, answer, before, seen } = await claimed(cached())
  expect(answer).toBe('201')
  answerReads(fixture, cached)
  expect(await told(claimant.spend(`/organizations/${STANDARD}`))).toBe('200')
  expect((await claimant.session()).body).toMatchObject({ signed_in: true, confirmed: false })
  expect(await seen()).toEqual(before)
})

test('with 90 requests of the month sent, a 401 to a proof is a refusal, and not the month (5.5, 8.3)', async () => {
  const fixture = startApp()
  const [person, other] = [fixture.browser(), fixture.browser()]
  await person.signIn()
  const { context } = createContext()
  const entry = { ...RESERVATION, organization: STANDARD, path: '/organizations' }
  for (let request = 0; request < 90; request += 1) await reserve({ ...context, store: fixture.store }, entry)
  answerReads(fixture, () => new Response('{}', { status: 401 }))
  expect(await told(other.signIn())).toBe('403 organization_refused')
  expect((await person.quota()).pauses).toEqual([])
})

test('a sign-in that the store fails is a line without a source (ASVS 16.5.2)', async () => {
  const { context, log } = createContext()
  const fails = () => Promise.reject(new Problem('store_unavailable'))
  const broken = { ...context, store: { ...context.store, readNotes: fails, changeNote: fails } }
  for (const code of ['store_unavailable', 'key_rejected'] as const) {
    const refused = () => Promise.reject(new Problem(code))
    await expect(logFailedSignIn(refused)(broken, requestWith(''))).rejects.toMatchObject({ code })
    expect(log.splice(0)).toEqual([{ level: 'warn', event: 'sign_in', code }])
  }
})
