// Each sign-in that was not ended can be used again, without a request to the service.
import { expect, test } from 'vitest'
import { BROWSER_COOKIE, SESSION_COOKIE } from '../../kit/config.ts'
import { type Credential } from '../../../src/bff/session/grant.ts'
import { type Browser, changeInUse, findBrowser, sessionsOf } from '../../../src/bff/session/browser.ts'
import { endOfSession } from '../../../src/bff/session/owner.ts'
import { type LoadedSession, publicIdOf, reloadSession } from '../../../src/bff/session/record.ts'
import { noteUse } from '../../../src/bff/session/use.ts'
import { SESSION_HEADER } from '../../../src/contract/api.ts'
import { DAY_MS } from '../../../src/contract/duration.ts'
import { Problem } from '../../../src/contract/problem.ts'
import { MOST_ORGANIZATIONS, type SignedIn, type SignedOut } from '../../../src/contract/session.ts'
import { APP, BUSINESS, startApp, STANDARD } from '../../kit/app.ts'
import { type Person } from '../../kit/person.ts'
import { failIn } from '../../kit/store-methods.ts'
import { openStored } from '../../kit/stored-session.ts'
import { throughAnother } from '../../kit/processes.ts'
import { signInByKey, told } from '../_answers.ts'
import { createContext } from '../_context.ts'
import { withBrowser } from '../_signed-in.ts'

const tokens = { accessToken: 'at', staleAtMs: 0, expiresAtMs: 0 }
const oauth = (organizationId: string): Credential => ({ method: 'oauth', organizationId, tokens })
const KEY: Credential = { method: 'api_key', apiKey: 'a-key', name: 'name-of-a-key' }

const use = (browser: Person, id: string | undefined) =>
  browser.request<SignedIn>('POST', `/bff/sessions/${id}`)

const idsOf = ({ id, others = [] }: SignedIn): string[] => [id, ...others.map((one) => one.id)]
const openIn = async (browser: Person) =>
  idsOf((await browser.request<SignedIn>('GET', '/bff/session')).body).toSorted()

const begin = async (browser: Person, organization = STANDARD) =>
  browser.permit(await browser.startLogin(organization), organization === BUSINESS ? 'Cleo' : 'Ada')

/** A browser with one cookie of a session. */
function withCookie(fixture: ReturnType<typeof startApp>, value = ''): Person {
  const browser = fixture.browser()
  browser.cookies.set(SESSION_COOKIE, value)
  return browser
}

/** A browser that is signed in to both organizations, the second one in use. */
async function signedInTwice() {
  const { fixture, browser } = withBrowser()
  const first = (await browser.signIn()).body
  const second = (await browser.signIn(BUSINESS, 'Cleo')).body
  return { fixture, browser, first, second }
}

test('one cookie is for all sessions of a browser, and new at each sign-in (5.3, attack 52)', async () => {
  const { fixture, browser } = withBrowser()
  const { body: first } = await browser.signIn()
  expect(first).not.toHaveProperty('others')
  const before = new Map(browser.cookies)
  expect([...before.keys()].toSorted()).toEqual([SESSION_COOKIE, BROWSER_COOKIE].toSorted())
  const { body: second } = await browser.signIn(BUSINESS, 'Cleo')
  expect([...browser.cookies.keys()]).toEqual([...before.keys()])
  const others = [{ id: first.id, method: 'oauth', organization_id: STANDARD }]
  expect(second).toMatchObject({ organization_id: BUSINESS, others })
  expect((await browser.session()).body).toMatchObject({ id: second.id, others })
  // The cookie before it opens no session of the later sign-in.
  const replayed = withCookie(fixture, before.get(SESSION_COOKIE))
  expect(await openIn(replayed)).toEqual([first.id])
  await browser.signOut()
  expect((await replayed.session()).body.signed_in).toBe(false)
})

test('a browser that loses the answer of a sign-in has its other sessions (5.3)', async () => {
  const { fixture, browser, first, second } = await signedInTwice()
  const back = await begin(browser)
  expect(await told(throughAnother(browser, fixture).finishLogin(back))).toBe('201')
  const { body } = await browser.session()
  expect(body).toMatchObject({ signed_in: true, id: second.id })
  expect(body).not.toHaveProperty('others')
  // The next sign-in finds what the lost answer had opened.
  const again = await browser.signIn(BUSINESS, 'Cleo')
  expect(again.body.others).toEqual([expect.objectContaining({ organization_id: STANDARD })])
  expect(idsOf(again.body)).not.toContain(first.id)
})

test.each([
  ['two organizations lose none', BUSINESS, 2],
  ['one organization leave one', STANDARD, 1],
])('two tabs that sign in to %s, and a sign-out ends all (5.3, attack 32)', async (_, organization, open) => {
  const { fixture, browser } = withBrowser()
  const backs = [await begin(browser), await begin(browser, organization)]
  const answers = await Promise.all(backs.map((back) => browser.finishLogin(back)))
  const ids = answers.map(({ body }) => body.id).toSorted()
  expect(ids).toEqual(expect.arrayContaining(await openIn(browser)))
  expect(await openIn(browser)).toHaveLength(open)
  const cookies = [...browser.cookies.values()]
  await browser.signOut()
  for (const value of cookies) expect((await withCookie(fixture, value).session()).body.signed_in).toBe(false)
})

test('a planted cookie of a sign-in gives its owner no session of the browser (ASVS 7.2.4)', async () => {
  const { fixture, browser: attacker } = withBrowser()
  const back = await begin(attacker, BUSINESS)
  const planted = [...attacker.cookies].filter(([name]) => name.includes('-login-'))
  await attacker.finishLogin(back)
  const victim = fixture.browser()
  const returns = await begin(victim)
  for (const [name, value] of planted) victim.cookies.set(name, value)
  const { body } = await victim.finishLogin(returns)
  expect(body).toMatchObject({ organization_id: STANDARD })
  expect(await openIn(attacker)).not.toContain(body.id)
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
  // Two tabs may ask for the same one.
  for (const [wanted, left] of [
    [first, second],
    [second, first],
    [second, first],
  ] as const) {
    const { status, body, headers: set } = await use(browser, wanted.id)
    expect([status, body.id, body.others?.map(({ id }) => id)]).toEqual([200, wanted.id, [left.id]])
    expect(set.getSetCookie()).toEqual([])
    expect((await browser.session()).body).toMatchObject({ id: wanted.id, others: [{ id: left.id }] })
    const { headers, status: read } = await browser.read(`/organizations/${wanted.organization_id}`)
    expect([read, headers.get('X-Plimsoll-Spent')]).toEqual([200, '0'])
  }
  expect(fixture.sent).toHaveLength(before)
})

test('two tabs that change at once lose no session (ASVS 15.4.3)', async () => {
  const { fixture, browser, first, second } = await signedInTwice()
  const third = await signInByKey(fixture, browser)
  await Promise.all([use(browser, first.id), use(browser, second.id)])
  expect(await openIn(browser)).toEqual([first.id, second.id, third.body.id].toSorted())
})

test('a page whose session is not in use any more gets nothing of the one that is (attack 30)', async () => {
  const { fixture, browser, first, second } = await signedInTwice()
  const headers = { [SESSION_HEADER]: first.id, 'X-Plimsoll-Spend': '1' }
  const before = fixture.sent.length
  for (const path of ['/api/organizations', `/api/organizations/${BUSINESS}`, '/bff/quota', '/bff/events'])
    expect(await told(browser.request('GET', path, { headers }))).toBe('401 signed_out')
  expect(await told(browser.request('DELETE', '/bff/sessions', { headers }))).toBe('401 signed_out')
  expect(fixture.sent).toHaveLength(before)
  const own = { [SESSION_HEADER]: second.id }
  expect(await told(browser.request('GET', '/bff/quota', { headers: own }))).toBe('200')
  expect((await browser.session()).body).toMatchObject({ id: second.id, others: [{ id: first.id }] })
})

test('the answer to a press has the quota of its own session, which is not in use any more (attack 30)', async () => {
  const { fixture, browser, first, second } = await signedInTwice()
  fixture.intercept(async (request, through) => {
    await use(browser, first.id)
    return through(request)
  })
  const headers = { [SESSION_HEADER]: second.id, 'X-Plimsoll-Spend': '1' }
  const answer = await browser.request('GET', `/api/organizations/${BUSINESS}`, { headers })
  expect(JSON.parse(answer.headers.get('X-Plimsoll-Quota') ?? '')).toMatchObject({
    month: { plan: 'business' },
  })
})

test('a sign-in has its cookie though the session before it cannot be ended (5.3)', async () => {
  const { fixture, browser } = withBrowser()
  await browser.signIn()
  failIn(fixture.store, 'endSession', new Problem('store_unavailable'))
  const { status, headers } = await browser.signIn()
  expect([status, headers.getSetCookie().some((line) => line.startsWith(SESSION_COOKIE))]).toEqual([
    201,
    true,
  ])
  expect((await browser.session()).body.signed_in).toBe(true)
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
  const thief = throughAnother(browser, fixture)
  const again = (await browser.signIn(STANDARD)).body
  expect(again.others).toEqual([expect.objectContaining({ id: second.id })])
  expect((await use(browser, first.id)).status).toBe(404)
  const { body } = await thief.session()
  expect(body).toMatchObject({ id: second.id })
  expect(body).not.toHaveProperty('others')
})

test('the others are there when the session in use has ended, and one of them can be used (5)', async () => {
  const { fixture, browser, first, second } = await signedInTwice()
  await use(throughAnother(browser, fixture), first.id)
  await use(browser, second.id)
  const third = await signInByKey(fixture, browser)
  const same = fixture.browser()
  await signInByKey(fixture, same)
  await same.request('DELETE', `/bff/sessions/${third.body.id}`)
  const { body } = await browser.session()
  expect(body).toMatchObject({ signed_in: false, ended: 'elsewhere', authorize: {} })
  expect((body as SignedOut).others).toHaveLength(2)
  const again = (await browser.session()).body
  expect([again.others?.length, 'ended' in again]).toEqual([2, false])
  const used = await use(browser, first.id)
  expect([used.status, used.body.others?.map(({ id }) => id)]).toEqual([200, [second.id]])
})

test('a session ended in another browser is in no answer, and is no guess (attack 36)', async () => {
  const { browser, first, second } = await signedInTwice()
  await browser.request('DELETE', `/bff/sessions/${first.id}`)
  for (let request = 0; request < 120; request++) {
    const { status, body } = await browser.request('GET', '/bff/session')
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('others')
  }
  expect((await browser.session()).body).toMatchObject({ id: second.id })
})

/** Sessions that one browser has opened, one after the other. */
async function inOneBrowser(credentials: readonly Credential[], proven = true) {
  const made = createContext()
  const sessions: LoadedSession[] = []
  let cookie = ''
  for (const credential of credentials) {
    made.clock.ms += 60_000
    const opened = await openStored(made.context, { credential, proven }, cookie)
    sessions.push(opened.session)
    cookie = opened.cookie
  }
  const open = async () => {
    const browser = await findBrowser(made.context, new Request(APP, { headers: { Cookie: cookie } }))
    return sessionsOf(made.context, browser)
  }
  return { ...made, sessions, open }
}

test('with too many organizations in a browser the least used session ends, with the reason (attack 36)', async () => {
  const organizations = Array.from({ length: MOST_ORGANIZATIONS + 1 }, (_, index) => oauth(String(index + 1)))
  const { context, sessions, open } = await inOneBrowser(organizations)
  expect((await open()).map(publicIdOf)).toEqual(sessions.slice(1).map(publicIdOf).toReversed())
  const [oldest] = sessions
  expect(oldest && (await endOfSession(context, oldest))).toBe('too_many')
  expect(oldest && (await context.store.readSession(oldest.id))).toBeUndefined()
})

test('a session whose time is over makes room before an open one (attack 36)', async () => {
  const { context, clock } = createContext()
  const startMs = clock.ms
  const sign = (id: string, cookie = '') =>
    openStored(context, { credential: oauth(id), proven: true }, cookie)
  const inBrowser = (cookie: string) =>
    findBrowser(context, new Request(APP, { headers: { Cookie: cookie } }))
  const { session: first, ...opened } = await sign('1')
  let { cookie } = opened
  for (const day of [25, 50, 75]) {
    clock.ms = startMs + day * DAY_MS
    await noteUse(context, (await reloadSession(context, first))!)
  }
  for (const id of ['2', '3', '4', '5']) ({ cookie } = await sign(id, cookie))
  await changeInUse(context, (await inBrowser(cookie)) as Browser, first)
  clock.ms = startMs + 91 * DAY_MS
  ;({ cookie } = await sign('1', cookie))
  expect(await sessionsOf(context, await inBrowser(cookie))).toHaveLength(MOST_ORGANIZATIONS)
})

test('a session that no answer has proven is not kept beside another (5.3)', async () => {
  const { context, sessions, open } = await inOneBrowser([oauth('1'), oauth('2')], false)
  expect((await open()).map(({ id }) => id)).toEqual([sessions[1]?.id])
  const [first] = sessions
  expect(first && (await endOfSession(context, first))).toBe('replaced')
})

test('a key and a token of one organization are two, and the same key again is one (4.4)', async () => {
  const { open } = await inOneBrowser([oauth('1'), KEY, KEY])
  expect((await open()).map(({ record }) => record.credential.method)).toEqual(['api_key', 'oauth'])
})
