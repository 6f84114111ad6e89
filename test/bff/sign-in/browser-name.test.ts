import { expect, test } from 'vitest'
import { type LedgerPage, parseLedger, parseLedgerBrowsers } from '../../../src/contract/ledger.ts'
import { parseOwnSessions } from '../../../src/contract/sessions.ts'
import { BROWSER_COOKIE } from '../../kit/config.ts'
import { BUSINESS, startApp, type App, signInUnproven, STANDARD } from '../../kit/app.ts'
import { type Person } from '../../kit/person.ts'
import { throughAnother, twoProcesses } from '../../kit/processes.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'
const HOUR_MS = 3_600_000

async function byKey(fixture: App, browser = fixture.browser()): Promise<Person> {
  const json = { api_key: fixture.seed.api_keys.find(({ organization_id: id }) => id === 1001)?.value }
  const headers = { 'User-Agent': FIREFOX }
  expect((await browser.request('POST', '/bff/session', { json, headers })).status).toBe(201)
  return browser
}

const rename = (browser: Person, name: unknown) =>
  browser.request('PUT', '/bff/browser', { json: { name }, headers: { 'User-Agent': FIREFOX } })
const listed = async (browser: Person) =>
  parseOwnSessions((await browser.request('GET', '/bff/sessions')).body).sessions.map((one) => one.browser)
const entriesOf = async (browser: Person): Promise<LedgerPage['entries']> =>
  parseLedger((await browser.request('GET', '/bff/ledger')).body).entries
const inLedger = async (browser: Person) =>
  (await entriesOf(browser)).map((entry) => `${entry.by} ${entry.browser ?? '?'}`)
const sums = async (browser: Person) =>
  parseLedgerBrowsers((await browser.request('GET', '/bff/ledger/browsers')).body).browsers

test('a name is in the list of sessions, and in the ledger also for the rows before it (8.3)', async () => {
  const fixture = startApp()
  const [mine, theirs] = [fixture.browser(), fixture.browser()]
  await mine.signIn()
  await theirs.signIn()
  const sent = fixture.sent.length
  expect((await rename(mine, '  Aya, office ')).status).toBe(204)
  expect(await listed(mine)).toEqual(['Aya, office'])
  expect(new Set(await inLedger(theirs))).toEqual(new Set(['another Aya, office', 'you Another browser']))
  expect(await sums(theirs)).toEqual(
    expect.arrayContaining([
      { browser: 'Aya, office', low: 1, high: 2 },
      { browser: 'Another browser', low: 1, high: 2 },
    ]),
  )
  expect((await rename(mine, ' ')).status).toBe(204)
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
  const fixture = startApp()
  const member = fixture.browser()
  await member.signIn()
  await rename(member, 'Aya, office')
  const unproven = await signInUnproven(fixture)
  // As if this browser had had a name before, in the same or another organization.
  const { body } = await rename(unproven, 'Eve')
  expect([body.status, body.code]).toEqual([403, 'not_confirmed'])
  expect(await inLedger(unproven)).toEqual(['you ?', 'you ?'])
  expect((await sums(unproven)).map(({ browser }) => browser)).toEqual([undefined])
  expect(await listed(unproven)).toEqual(['Another browser'])
  expect(new Set(await inLedger(member))).toEqual(new Set(['you Aya, office']))
  fixture.intercept(undefined)
  expect((await unproven.spend(`/organizations/${STANDARD}`)).status).toBe(200)
  expect(new Set(await inLedger(member))).toEqual(new Set(['you Aya, office', 'another Another browser']))
  expect((await rename(unproven, 'Eve')).status).toBe(204)
})

test('a session without a proof is not told the chosen name of a proven one of the same browser (5.3)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  await rename(browser, 'Aya, office')
  const unproven = await signInUnproven(fixture)
  unproven.cookies.set(BROWSER_COOKIE, browser.cookies.get(BROWSER_COOKIE) ?? '')
  await unproven.signIn(BUSINESS, 'Cleo')
  expect(await listed(unproven)).toEqual(['Another browser', 'Another browser'])
})

test('a name that one process stores is in the ledger of the next, and survives its writes (4)', async () => {
  const [first, second] = twoProcesses()
  const here = await byKey(first)
  const there = throughAnother(here, second)
  await there.session()
  await rename(here, 'Aya, office')
  second.advance(HOUR_MS + 1)
  await there.session()
  await there.spend('/organizations')
  expect(await listed(there)).toEqual(['Aya, office'])
  expect(new Set(await inLedger(there))).toEqual(new Set(['you Aya, office']))
})

test('a session of an earlier version gets its name into the ledger at its next use (4)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  await fixture.store.changeNote(`browsers ${STANDARD}`, () => undefined, 0)
  expect(await inLedger(browser)).toContain('you ?')
  fixture.advance(HOUR_MS + 1)
  await browser.session()
  await fixture.bff.drain()
  expect(await inLedger(browser)).toEqual(['you Another browser', 'you Another browser'])
})

test.each([
  ['a line break', 'a\nb', 'name_has_hidden_characters'],
  ['a text that turns around', 'a\u202Eb', 'name_has_hidden_characters'],
  ['a long name', 'x'.repeat(41), 'name_too_long'],
  ['a number', 1, 'value_not_a_string'],
  ['no name', undefined, 'value_not_a_string'],
])('%s is refused, and the name stays (RFC 9110 15.5.1)', async (_, name, fault) => {
  const fixture = startApp()
  const browser = await byKey(fixture)
  const { status, body } = await rename(browser, name)
  expect([status, body.code, body.fault]).toEqual([400, 'invalid_request', fault])
  expect(await listed(browser)).toEqual(['Firefox on Linux'])
})

test('without a session nothing is named (5.5)', async () => {
  const { status, body } = await rename(startApp().browser(), 'Aya')
  expect([status, body.code]).toEqual([401, 'signed_out'])
})
