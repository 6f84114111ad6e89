// Each sign-in that was not ended can be used again, without a request to the service.
import { expect, test } from 'vitest'
import { OTHER_COOKIE, SESSION_COOKIE } from '../../kit/config.ts'
import { encrypt } from '../../../src/bff/core/encryption.ts'
import { MOST_READ, otherSessions, setAside } from '../../../src/bff/sign-in/organization-sessions.ts'
import { endOfSession } from '../../../src/bff/session/owner.ts'
import {
  type Credential,
  findSession,
  type LoadedSession,
  parseSessionCookie,
  publicIdOf,
  storeSession,
} from '../../../src/bff/session/record.ts'
import { SESSION_HEADER } from '../../../src/contract/api.ts'
import { parseOrganizationId } from '../../../src/contract/organization.ts'
import { MOST_ORGANIZATIONS, type SignedIn, type SignedOut } from '../../../src/contract/session.ts'
import { APP, BUSINESS, startApp, STANDARD } from '../../kit/app.ts'
import { type Person } from '../../kit/person.ts'
import { createContext } from '../_context.ts'
import { withBrowser } from '../_signed-in.ts'

const TOKENS = { accessToken: 'at', staleAtMs: 0, expiresAtMs: 0 }
const oauth = (organizationId: string): Credential => ({
  method: 'oauth',
  organizationId: parseOrganizationId(organizationId),
  tokens: TOKENS,
})
const KEY: Credential = { method: 'api_key', apiKey: 'a-key', name: 'name-of-a-key' }

const others = (browser: Person) =>
  [...browser.cookies.keys()].filter((name) => name.startsWith(OTHER_COOKIE))
const use = (browser: Person, id: string | undefined) =>
  browser.request<SignedIn>('POST', `/bff/sessions/${id}`)

const cookieOfInUse = ({ cookies }: Person): string => {
  const value = cookies.get(SESSION_COOKIE)
  return [...cookies].find(([name, other]) => name !== SESSION_COOKIE && other === value)?.[0] ?? ''
}

/** A browser that is signed in to both organizations, the second one in use. */
async function signedInTwice() {
  const { fixture, browser } = withBrowser()
  const first = (await browser.signIn()).body
  const second = (await browser.signIn(BUSINESS, 'Cleo')).body
  return { fixture, browser, first, second }
}

test('the first sign-in has its own cookie too, and its answer names no other session (5)', async () => {
  const browser = startApp().browser()
  const { body } = await browser.signIn()
  expect(body).not.toHaveProperty('others')
  expect(others(browser)).toEqual([cookieOfInUse(browser)])
})

/** Two tabs of one browser finish their sign-ins at once, and the browser gets both answers. */
async function twoTabsAtOnce(organizations: [string, string]) {
  const { fixture, browser } = withBrowser()
  const callbacks: URL[] = []
  for (const organization of organizations) {
    const person = organization === BUSINESS ? 'Cleo' : 'Ada'
    callbacks.push(await browser.permit(await browser.startLogin(organization), person))
  }
  const answers = await Promise.all(callbacks.map((back) => browser.finishLogin(back)))
  return { fixture, browser, ids: answers.map(({ body }) => body.id) }
}

test('two tabs that finish sign-ins at once lose none, and a sign-out ends both (5.3, attack 32)', async () => {
  const { fixture, browser, ids } = await twoTabsAtOnce([STANDARD, BUSINESS])
  const { body } = await browser.request<SignedIn>('GET', '/bff/session')
  const open = [body.id, ...(body.others ?? []).map(({ id }) => id)]
  expect(open.toSorted()).toEqual(ids.toSorted())
  const cookies = new Map(browser.cookies)
  await browser.signOut()
  for (const name of cookies.keys()) {
    const thief = fixture.browser()
    thief.cookies.set(SESSION_COOKIE, cookies.get(name) ?? '')
    expect((await thief.session()).body.signed_in).toBe(false)
  }
})

test('of two tabs that sign in to one organization at once, one session stays (5.3)', async () => {
  const { browser, ids } = await twoTabsAtOnce([STANDARD, STANDARD])
  const { body } = await browser.session()
  expect(body).not.toHaveProperty('others')
  expect(ids).toContain('id' in body ? body.id : '')
  expect(others(browser)).toEqual([cookieOfInUse(browser)])
})

test('a sign-in to another organization leaves the first one open beside it (5.3)', async () => {
  const { browser, first, second } = await signedInTwice()
  const named = [{ id: first.id, method: 'oauth', organization_id: STANDARD }]
  expect(second).toMatchObject({ organization_id: BUSINESS, others: named })
  expect((await browser.session()).body).toMatchObject({ id: second.id, others: named })
  // The cookies are short, since every request has them.
  expect(others(browser).map((name) => name.slice(OTHER_COOKIE.length))).toEqual(
    Array(2).fill(expect.stringMatching(/^[\w-]{16}$/)),
  )
})

test('while the clock of the host is 40 days ahead nobody is signed in, and each session keeps its cookie', async () => {
  const { fixture, browser, first, second } = await signedInTwice()
  fixture.advance(40 * 86_400_000)
  expect((await browser.session()).body).toEqual({ signed_in: false, authorize: expect.anything() })
  fixture.advance(-40 * 86_400_000)
  expect((await browser.session()).body).toMatchObject({ id: second.id, others: [{ id: first.id }] })
})

test('another session is used without a request, and the one before it stays open (4.4)', async () => {
  const { fixture, browser, first, second } = await signedInTwice()
  const before = fixture.sent.length
  for (const [wanted, left] of [
    [first, second],
    [second, first],
    [first, second],
  ] as const) {
    const { status, body } = await use(browser, wanted.id)
    expect([status, body.id, body.others?.map(({ id }) => id)]).toEqual([200, wanted.id, [left.id]])
    expect((await browser.session()).body).toMatchObject({ id: wanted.id, others: [{ id: left.id }] })
    const { headers, status: read } = await browser.read(`/organizations/${wanted.organization_id}`)
    expect([read, headers.get('X-Plimsoll-Spent')]).toEqual([200, '0'])
  }
  expect(fixture.sent).toHaveLength(before)
})

test('the session in use may be asked for again, as two tabs do that change at once', async () => {
  const { browser, second } = await signedInTwice()
  const { status, body, headers } = await use(browser, second.id)
  expect([status, body.id]).toEqual([200, second.id])
  expect(headers.getSetCookie()).toEqual([])
})

test('a session in use whose own cookie was lost gets it again when another one is used', async () => {
  const { browser, first, second } = await signedInTwice()
  const own = cookieOfInUse(browser)
  browser.cookies.delete(own)
  expect((await use(browser, first.id)).body.others?.map(({ id }) => id)).toEqual([second.id])
  expect((await use(browser, second.id)).status).toBe(200)
  expect(cookieOfInUse(browser)).toBe(own)
})

test('two tabs that change at once lose no session (ASVS 15.4.3)', async () => {
  const { fixture, browser, first, second } = await signedInTwice()
  const key = fixture.seed.api_keys.find(({ organization_id }) => organization_id === 1001)?.value
  const third = await browser.request<SignedIn>('POST', '/bff/session', { json: { api_key: key } })
  await Promise.all([use(browser, first.id), use(browser, second.id)])
  const { body } = await browser.session()
  const open = [(body as SignedIn).id, ...(body.others ?? []).map(({ id }) => id)]
  expect(open.toSorted()).toEqual([first.id, second.id, third.body.id].toSorted())
})

test('a page whose session is not in use any more gets nothing of the one that is (attack 30)', async () => {
  const { fixture, browser, first, second } = await signedInTwice()
  const headers = { [SESSION_HEADER]: first.id, 'X-Plimsoll-Spend': '1' }
  const before = fixture.sent.length
  for (const [method, path] of [
    ['GET', '/api/organizations'],
    ['GET', `/api/organizations/${BUSINESS}`],
    ['GET', '/bff/quota'],
    ['GET', '/bff/ledger'],
    ['GET', '/bff/events'],
    ['DELETE', '/bff/sessions'],
  ] as const) {
    const { status, body } = await browser.request(method, path, { headers })
    expect([path, status, body.code]).toEqual([path, 401, 'signed_out'])
  }
  expect(fixture.sent).toHaveLength(before)
  const own = await browser.request('GET', '/bff/quota', { headers: { [SESSION_HEADER]: second.id } })
  expect(own.status).toBe(200)
  expect((await browser.session()).body).toMatchObject({ id: second.id, others: [{ id: first.id }] })
})

test('an id without a session of this browser is not found, and changes nothing (ASVS 7.2.4)', async () => {
  const { fixture, browser, first, second } = await signedInTwice()
  const stranger = fixture.browser()
  await stranger.signIn()
  for (const [who, id, expected] of [
    [stranger, first.id, 404],
    [fixture.browser(), first.id, 401],
    [browser, 'another', 404],
  ] as const) {
    const { status, headers } = await use(who, id)
    expect([status, headers.getSetCookie()]).toEqual([expected, []])
  }
  expect((await browser.session()).body).toMatchObject({ id: second.id })
  expect((await browser.request('POST', `/bff/sessions/${first.id}?now=1`)).status).toBe(400)
})

test('a sign-in to the same organization ends the session before it, used or not (ASVS 7.2.4)', async () => {
  const { fixture, browser, first, second } = await signedInTwice()
  const { cookies } = browser
  const before = new Map(cookies)
  const again = (await browser.signIn(STANDARD)).body
  expect(again.others).toEqual([expect.objectContaining({ id: second.id })])
  expect((await use(browser, first.id)).status).toBe(404)
  expect(others(browser)).toHaveLength(2)
  const thief = fixture.browser()
  for (const [name, value] of before) thief.cookies.set(name, value)
  expect((await thief.session()).body).toMatchObject({ id: second.id })
  expect((await thief.session()).body).not.toHaveProperty('others')
})

test('the others are there when the session in use has ended, and one of them can be used (5)', async () => {
  const { browser, first } = await signedInTwice()
  browser.cookies.delete(SESSION_COOKIE)
  const { body } = await browser.session()
  expect(body).toMatchObject({ signed_in: false, authorize: {} })
  expect((body as SignedOut).others).toHaveLength(2)
  const used = await use(browser, first.id)
  expect([used.status, used.body.others?.length]).toEqual([200, 1])
})

test('a session ended in another browser is in no answer; its cookie goes and is no guess (attack 36)', async () => {
  const { browser, first, second } = await signedInTwice()
  await browser.request('DELETE', `/bff/sessions/${first.id}`)
  const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  for (let request = 0; request < 120; request++) {
    const { status, body } = await browser.request('GET', '/bff/session', { headers: { Cookie } })
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('others')
    expect(others(browser)).toHaveLength(1)
  }
  expect((await browser.session()).body).toMatchObject({ id: second.id })
})

test("an unknown cookie, or one under another's name, is removed and counted as a guess (attack 52)", async () => {
  const { fixture, browser, first, second } = await signedInTwice()
  const own = cookieOfInUse(browser)
  const other = others(browser).find((name) => name !== own) ?? ''
  browser.cookies.set(`${OTHER_COOKIE}invented`, 'name.key')
  browser.cookies.set(own, browser.cookies.get(other) ?? '')
  const { body } = await browser.session()
  expect([(body as SignedIn).id, body.others?.map(({ id }) => id)]).toEqual([second.id, [first.id]])
  expect(others(browser)).toEqual([other])
  const guesser = fixture.browser('192.0.2.7')
  let status = 200
  for (let guess = 0; guess < 200 && status === 200; guess++) {
    guesser.cookies.set(`${OTHER_COOKIE}${guess}`, `name${guess}.key`)
    status = (await guesser.session()).status
  }
  expect(status).toBe(429)
})

/** A request with the cookies of these sessions, the first one in use. */
async function inOneBrowser(credentials: readonly Credential[], proven = true) {
  const made = createContext()
  const { context, clock } = made
  const sessions: LoadedSession[] = []
  const jar = new Map<string, string>()
  for (const credential of credentials) {
    clock.ms += 60_000
    const { session, value } = await storeSession(context, { credential, proven })
    const previous = sessions.at(-1)
    const headers = new Headers()
    await setAside(context, requestWith(jar), headers, { session, value, previous })
    jar.set(SESSION_COOKIE, value)
    for (const line of headers.getSetCookie()) {
      const [, name = '', stored = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (line.includes('Max-Age=0')) jar.delete(name)
      else jar.set(name, stored)
    }
    sessions.push(session)
  }
  return { ...made, sessions, jar }
}

const requestWith = (jar: ReadonlyMap<string, string>) =>
  new Request(`${APP}/bff/session`, {
    headers: { Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
  })

test('with too many organizations in a browser the least used session ends, with the reason (attack 36)', async () => {
  const organizations = Array.from({ length: MOST_ORGANIZATIONS + 1 }, (_, index) => oauth(String(index + 1)))
  const { context, sessions, jar } = await inOneBrowser(organizations)
  const inUse = await findSession(context, requestWith(jar))
  expect(inUse?.id).toBe(sessions.at(-1)?.id)
  const { open, leftovers } = await otherSessions(context, requestWith(jar), inUse)
  expect(open.map(publicIdOf).toSorted()).toEqual(sessions.slice(1, -1).map(publicIdOf).toSorted())
  expect(leftovers).toEqual([])
  // Each session has its own cookie, and the one in use also has the session cookie.
  expect([...jar.keys()]).toHaveLength(MOST_ORGANIZATIONS + 1)
  const [oldest] = sessions
  expect(oldest && (await endOfSession(context, oldest))).toBe('too_many')
  expect(oldest && (await context.store.readSession(oldest.id))).toBeUndefined()
})

test('a session that no answer has proven is not kept beside another (5.3)', async () => {
  const { context, sessions, jar } = await inOneBrowser([oauth('1'), oauth('2')], false)
  expect(await otherSessions(context, requestWith(jar), sessions[1])).toEqual({ open: [], leftovers: [] })
  const [first] = sessions
  expect(first && (await endOfSession(context, first))).toBe('replaced')
})

test('a key and a token of one organization are two, and the same key again is one (4.4)', async () => {
  const { jar, sessions, context } = await inOneBrowser([oauth('1'), KEY, KEY])
  const { open } = await otherSessions(context, requestWith(jar), sessions.at(-1))
  expect(open.map(({ record }) => record.credential.method)).toEqual(['oauth'])
})

test('more cookies than a browser may have of ours are not looked at', async () => {
  const { context } = createContext()
  const jar = new Map(Array.from({ length: 30 }, (_, index) => [`${OTHER_COOKIE}${index}`, `n${index}.k`]))
  const { open, leftovers } = await otherSessions(context, requestWith(jar), undefined)
  expect([open.length, leftovers.length]).toEqual([0, MOST_READ])
})

test('a session that a newer version wrote is left alone (5)', async () => {
  const { context, sessions, jar } = await inOneBrowser([oauth('1'), oauth('2')])
  const [first] = sessions
  const named = parseSessionCookie(jar.get(SESSION_COOKIE) ?? '')
  expect(first?.id).not.toBe(named.id)
  const { readSession } = context.store
  context.store.readSession = async (id) => {
    const stored = await readSession(id)
    if (stored === undefined || id !== first?.id) return stored
    return { ...stored, encrypted: encrypt({ format: 99 }, first.key, id) }
  }
  expect(await otherSessions(context, requestWith(jar), named)).toEqual({ open: [], leftovers: [] })
})
