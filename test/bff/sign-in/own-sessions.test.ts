import { expect, test } from 'vitest'
import { BROWSER_COOKIE, SESSION_COOKIE } from '../../kit/config.ts'
import { Problem } from '../../../src/contract/problem.ts'
import type { OwnSession, OwnSessions, SignedIn, SignedOut } from '../../../src/contract/session.ts'
import { BUSINESS, startApp, type App, STANDARD, signInUnproven } from '../../kit/app.ts'
import type { Person } from '../../kit/person.ts'
import { throughAnother } from '../../kit/processes.ts'
import { FIREFOX, signInByKey, told } from '../_answers.ts'
import { signedIn, withBrowser } from '../_signed-in.ts'
import { type LedgerPage, type LedgerBrowsers } from '../../../src/contract/ledger.ts'

const HOUR_MS = 3_600_000

/** Signs in with the API key of an organization, in this browser or another. */
async function byKey(fixture: App, browser = fixture.browser(), organization = STANDARD): Promise<Person> {
  expect(await told(signInByKey(fixture, browser, organization))).toBe('201')
  return browser
}

const list = async (browser: Person): Promise<OwnSession[]> =>
  (await browser.request<OwnSessions>('GET', '/bff/sessions')).body.sessions

const end = (browser: Person, id = '') => told(browser.request('DELETE', `/bff/sessions${id && `/${id}`}`))
const otherOf = (sessions: OwnSession[]): string => sessions.find(({ current }) => !current)?.id ?? ''
const isSignedIn = async (browser: Person) => (await browser.session()).body.signed_in

test('a list has when and with what browser each session was opened, and marks its own (ASVS 7.5.2)', async () => {
  const fixture = startApp()
  const first = await byKey(fixture)
  fixture.advance(HOUR_MS)
  const second = await byKey(fixture)
  fixture.advance(HOUR_MS + 1)
  await first.session()
  const sent = fixture.sent.length
  const [newest, oldest] = await list(second)
  const named = { browser: 'Firefox on Linux', current: false }
  expect([newest, oldest]).toMatchObject([
    { ...named, opened_at: '2026-11-21T07:00:00.000Z', current: true },
    { ...named, opened_at: '2026-11-21T06:00:00.000Z', seen_at: '2026-11-21T08:00:00.001Z' },
  ])
  expect(await list(first)).toMatchObject([
    { id: newest?.id, current: false },
    { id: oldest?.id, current: true },
  ])
  expect(oldest?.id).toBe(((await first.session()).body as SignedIn).id)
  expect(fixture.sent).toHaveLength(sent)
})

test('a session that another browser ends is over in all processes (ASVS 7.4.1, attack 27)', async () => {
  const fixture = startApp()
  const other = fixture.another()
  const [here, there] = [await byKey(fixture), await byKey(other)]
  const copy = throughAnother(there, fixture)
  const sent = [fixture.sent.length, other.sent.length]
  expect(await end(here, otherOf(await list(here)))).toBe('204')
  for (const answer of [told(there.spend('/rate_limit')), told(there.read('/organizations')), end(there)])
    expect(await answer).toBe('401 signed_out')
  expect([fixture.sent.length, other.sent.length]).toEqual(sent)
  expect(((await there.session()).body as SignedOut).ended).toBe('elsewhere')
  // The answer removed the cookie, and a copy of it gives access to nothing.
  expect([...there.cookies.keys()]).toEqual([BROWSER_COOKIE])
  expect(await isSignedIn(copy)).toBe(false)
  expect(await list(here)).toHaveLength(1)
})

test('all others are ended at once, and the one that asks stays (ASVS 7.5.2)', async () => {
  const fixture = startApp()
  const [a, b, c] = [await byKey(fixture), await byKey(fixture), await byKey(fixture)]
  expect(await end(b)).toBe('204')
  expect((await a.session()).body).toMatchObject({ signed_in: false, ended: 'elsewhere' })
  expect([await isSignedIn(b), await isSignedIn(c)]).toEqual([true, false])
  expect(await end(b)).toBe('204')
  expect((await list(b)).map(({ current }) => current)).toEqual([true])
  // A sign-out ends no session of the key in another browser.
  const d = await byKey(fixture)
  await d.signOut()
  expect(await isSignedIn(b)).toBe(true)
})

test('ending one’s own session is a sign-out, which removes the cookies (4)', async () => {
  const { fixture, browser } = withBrowser()
  expect(await end(browser, (await browser.signIn()).body.id)).toBe('204')
  expect([browser.cookies.size, fixture.log.at(-1)?.event]).toEqual([0, 'sign_out'])
})

test('an id of another person’s session, of none, and the name in the store are 404 alike (OWASP API1)', async () => {
  const fixture = startApp()
  const mine = await byKey(fixture)
  const [theirs, byOauth] = [await byKey(fixture, fixture.browser(), BUSINESS), fixture.browser()]
  await byOauth.signIn()
  const ids = [(await list(theirs))[0]?.id, (await list(byOauth))[0]?.id, 'x'.repeat(16), '..', '%00']
  for (const id of ids) expect(await end(mine, id)).toBe('404 not_found')
  await end(mine)
  expect([await isSignedIn(theirs), await isSignedIn(byOauth)]).toEqual([true, true])
})

test.each([
  ['with an API key in use', (fixture: App, browser: Person) => byKey(fixture, browser)],
  ['after its session has ended', (_: App, browser: Person) => browser.cookies.delete(SESSION_COOKIE)],
])('a sign-out %s ends the OAuth sessions of the browser too (ASVS 7.4.1)', async (_, before) => {
  const { fixture, browser } = await signedIn()
  const found = throughAnother(browser, fixture)
  browser.cookies.delete(SESSION_COOKIE)
  await before(fixture, browser)
  await browser.signOut()
  expect(await isSignedIn(found)).toBe(false)
})

test('a sign-out ends what the browser lost the cookie of too, since no list would have it (ASVS 7.4.1)', async () => {
  const { fixture, browser } = await signedIn()
  const found = throughAnother(browser, fixture)
  browser.cookies.delete(SESSION_COOKIE)
  await browser.signIn()
  expect([await isSignedIn(found), (await list(browser)).length]).toEqual([true, 2])
  // Another browser of the same person is not in the list.
  await fixture.browser().signIn()
  expect(await list(browser)).toHaveLength(2)
  await browser.signOut()
  expect(await isSignedIn(found)).toBe(false)
})

test('a sign-out ends the sessions of the browser that are not in use too (ASVS 7.4.1)', async () => {
  const fixture = startApp()
  const [browser, same] = [await byKey(fixture), await byKey(fixture)]
  await browser.signIn(BUSINESS, 'Cleo')
  expect(await list(same)).toHaveLength(2)
  await browser.signOut()
  expect(await list(same)).toHaveLength(1)
})

test('the first of 21 browsers with one key is signed out, with the reason (ASVS 7.1.2)', async () => {
  const fixture = startApp()
  const browsers: Person[] = []
  for (let opened = 0; opened < 21; opened++) {
    fixture.advance(60_000)
    browsers.push(await byKey(fixture))
  }
  expect(await list(browsers[20] as Person)).toHaveLength(20)
  const [first, second] = browsers as [Person, Person]
  expect((await first.session()).body).toMatchObject({ signed_in: false, ended: 'too_many' })
  expect((await first.session()).body).not.toHaveProperty('ended')
  expect(await isSignedIn(second)).toBe(true)
})

test('a store that fails ends nothing, and the browser can try again with its cookies (4)', async () => {
  const { fixture, browser } = await signedIn()
  const { endSession } = fixture.store
  fixture.store.endSession = () => Promise.reject(new Problem('store_unavailable'))
  const failed = browser.signOut()
  expect(await told(failed)).toBe('503 store_unavailable')
  expect((await failed).headers.get('Clear-Site-Data')).toBeNull()
  expect(browser.cookies.has(SESSION_COOKIE)).toBe(true)
  fixture.store.endSession = endSession
  expect([await told(browser.signOut()), browser.cookies.size]).toEqual(['204', 0])
})

const rename = (browser: Person, name: string) =>
  told(browser.request('PUT', '/bff/browser', { json: { name }, headers: { 'User-Agent': FIREFOX } }))
const listed = async (browser: Person) => (await list(browser)).map((one) => one.browser)
const inLedger = async (person: Person) => {
  const { body } = await person.request<LedgerPage>('GET', '/bff/ledger')
  return body.entries.map(({ by, browser = '?' }) => `${by} ${browser}`)
}
const sums = async (browser: Person) =>
  (await browser.request<LedgerBrowsers>('GET', '/bff/ledger/browsers')).body.browsers

test('a name is in the list of sessions, and in the ledger also for the rows before it (8.3)', async () => {
  const fixture = startApp()
  const [mine, theirs] = [fixture.browser(), fixture.browser()]
  await mine.signIn()
  await theirs.signIn()
  const sent = fixture.sent.length
  expect(await rename(mine, '  Aya, office ')).toBe('204')
  expect(await listed(mine)).toEqual(['Aya, office'])
  expect(new Set(await inLedger(theirs))).toEqual(new Set(['another Aya, office', 'you Another browser']))
  expect(await sums(theirs)).toEqual(
    expect.arrayContaining([
      { browser: 'Aya, office', low: 1, high: 2 },
      { browser: 'Another browser', low: 1, high: 2 },
    ]),
  )
  expect(await rename(mine, 'a\nb')).toBe('400 invalid_request')
  expect(await listed(mine)).toEqual(['Aya, office'])
  expect(await rename(mine, ' ')).toBe('204')
  expect(await listed(mine)).toEqual(['Firefox on Linux'])
  expect(await inLedger(theirs)).toContain('another Firefox on Linux')
  expect(fixture.sent).toHaveLength(sent)
})

test('two browsers with one API key are two names of one person (5.1, 8.3)', async () => {
  const fixture = startApp()
  const office = await byKey(fixture)
  fixture.advance(1)
  const phone = await byKey(fixture)
  await rename(office, 'Aya, office')
  await rename(phone, 'Aya, phone')
  fixture.advance(HOUR_MS)
  await phone.spend('/organizations')
  expect(await inLedger(office)).toEqual(['you Aya, phone', 'you Aya, phone', 'you Aya, office'])
  expect((await listed(office)).toSorted()).toEqual(['Aya, office', 'Aya, phone'])
  expect(await sums(office)).toEqual([
    { browser: 'Aya, phone', low: 2, high: 2 },
    { browser: 'Aya, office', low: 1, high: 1 },
  ])
  expect((await office.quota()).recent?.map(({ by }) => by)).toEqual(['you', 'you', 'you'])
})

test('a browser that signs in again keeps its name; after a sign-out it is a new one (4)', async () => {
  const fixture = startApp()
  const browser = await byKey(fixture)
  await rename(browser, 'Aya, office')
  await byKey(fixture, browser)
  expect(await listed(browser)).toEqual(['Aya, office'])
  await browser.signOut()
  expect(browser.cookies.has(BROWSER_COOKIE)).toBe(false)
  fixture.advance(1)
  await byKey(fixture, browser)
  expect((await listed(browser))[0]).toBe('Firefox on Linux')
  expect(await inLedger(browser)).toContain('you Aya, office')
})

test('a name is of one organization: another one of the same browser, and its people, see none (8.3)', async () => {
  const fixture = startApp()
  const [browser, stranger] = [fixture.browser(), fixture.browser()]
  await browser.signIn()
  await rename(browser, 'Aya, office')
  await browser.signIn(BUSINESS, 'Cleo')
  await stranger.signIn(BUSINESS, 'Cleo')
  for (const one of [browser, stranger])
    for (const path of ['/bff/ledger', '/bff/ledger/browsers', '/bff/quota'])
      expect(JSON.stringify((await one.request('GET', path)).body)).not.toContain('Aya')
  expect(JSON.stringify((await stranger.request('GET', '/bff/sessions')).body)).not.toContain('Aya')
})

test('a session without a proof sees no name, gives none, and brings its own with the proof (5.3)', async () => {
  const { fixture, browser: member } = await signedIn()
  await rename(member, 'Aya, office')
  const unproven = await signInUnproven(fixture)
  // As if this browser had had a name before, in the same or another organization.
  expect(await rename(unproven, 'Eve')).toBe('403 not_confirmed')
  expect(await inLedger(unproven)).toEqual(['you ?', 'you ?'])
  expect((await sums(unproven)).map(({ browser }) => browser)).toEqual([undefined])
  expect(await listed(unproven)).toEqual(['Another browser'])
  expect(new Set(await inLedger(member))).toEqual(new Set(['you Aya, office']))
  fixture.intercept(undefined)
  expect(await told(unproven.spend(`/organizations/${STANDARD}`))).toBe('200')
  expect(new Set(await inLedger(member))).toEqual(new Set(['you Aya, office', 'another Another browser']))
  expect(await rename(unproven, 'Eve')).toBe('204')
})

test('a session without a proof is not told the chosen name of a proven one of the same browser (5.3)', async () => {
  const { fixture, browser } = await signedIn()
  await rename(browser, 'Aya, office')
  const unproven = await signInUnproven(fixture)
  unproven.cookies.set(BROWSER_COOKIE, browser.cookies.get(BROWSER_COOKIE) ?? '')
  await unproven.signIn(BUSINESS, 'Cleo')
  expect(await listed(unproven)).toEqual(['Another browser', 'Another browser'])
})
