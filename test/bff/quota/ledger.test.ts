import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import {
  type LedgerEntry,
  type LedgerPage,
  type LedgerDay,
  type LedgerDays,
  type LedgerBrowsers,
} from '../../../src/contract/ledger.ts'
import type { Outcome } from '../../../src/contract/month.ts'
import { BUSINESS, type App, STANDARD } from '../../kit/app.ts'
import type { Person } from '../../kit/person.ts'
import { FAR_MS } from '../../kit/stores.ts'
import { RESERVATION } from '../_reservation.ts'
import { signedIn } from '../_signed-in.ts'
import { signInByKey, unsent } from '../_answers.ts'
import { addSent, SENT, ticking } from './_requests.ts'
import { byName } from '../../../src/bff/quota/ledger-counts.ts'
import { ASSUMED } from '../../../src/contract/assumptions.ts'

const PATH = `/organizations/${STANDARD}`
const HOUR_MS = 3_600_000

const get = async <Body>(browser: Person, path: string) =>
  (await browser.request<Body>('GET', `/bff/ledger${path}`)).body
const page = (browser: Person, next?: string) =>
  get<LedgerPage>(browser, next === undefined ? '' : `?next=${encodeURIComponent(next)}`)
const days = async (browser: Person) => (await get<LedgerDays>(browser, '/days')).days
const browsers = async (browser: Person) => (await get<LedgerBrowsers>(browser, '/browsers')).browsers
const inWords = ({ kind, initiator, by }: LedgerEntry) => `${kind} ${initiator} ${by}`

/** Adds entries of an organization, one a second from an instant on. */
async function add(fixture: App, count: number, fromMs = fixture.now(), organization = STANDARD, first = 0) {
  const entry = { ...RESERVATION, organization, path: PATH }
  for (let nth = first; nth < first + count; nth += 1)
    await fixture.store.addEntry({ ...entry, id: `${organization}-${nth}`, atMs: fromMs + nth * 1000 })
}

test("each request says its purpose and who wanted it: sign-in, refresh, press, mine or another's (8.3)", async () => {
  const fixture = ticking()
  const [mine, theirs] = [fixture.browser(), fixture.browser()]
  await mine.signIn()
  await theirs.signIn()
  fixture.advance(HOUR_MS)
  await mine.spend(PATH)
  await theirs.spend('/rate_limit')
  const sent = fixture.sent.length
  const { entries } = await page(mine)
  expect(entries.map(inWords)).toEqual([
    'rate_limit person another',
    'token.refresh call another',
    'api.read person you',
    'token.refresh call you',
    'api.read sign_in another',
    'token.code sign_in another',
    'api.read sign_in you',
    'token.code sign_in you',
  ])
  expect((await page(theirs)).entries.map(({ by }) => by)).toEqual(
    entries.map(({ by }) => (by === 'you' ? 'another' : 'you')),
  )
  expect(entries[7]).toEqual({
    at: '2026-11-21T06:00:00.000Z',
    kind: 'token.code',
    initiator: 'sign_in',
    by: 'you',
    browser: 'Another browser',
    outcome: 'settled',
    status: 200,
    counts: 'unknown',
  })
  expect(entries.map((entry) => Object.keys(entry))).toEqual(entries.map(() => Object.keys(entries[7] ?? {})))
  expect(JSON.stringify(entries)).not.toContain(STANDARD)
  expect(fixture.sent).toHaveLength(sent)
})

test('a browser is one person until it signs out, and all sessions of an API key are one (5.1, 8.3)', async () => {
  const fixture = ticking()
  const [browser, other] = [fixture.browser(), fixture.browser()]
  const whose = async () => (await page(browser)).entries.map(({ by }) => by)
  await browser.signIn()
  await browser.signIn()
  expect(await whose()).toEqual(['you', 'you', 'you', 'you'])
  await browser.signOut()
  await browser.signIn()
  expect(await whose()).toEqual(['you', 'you', 'another', 'another', 'another', 'another'])
  for (const one of [browser, other]) await signInByKey(fixture, one)
  expect((await page(browser)).entries.map(inWords)).toEqual(['api.read sign_in you', 'api.read sign_in you'])
})

const lost = () => Promise.reject(Object.assign(new Error('no answer'), { code: 'ECONNRESET' }))
const answering =
  (status: number, body = '{}', headers = {}) =>
  () =>
    Promise.resolve(new Response(body, { status, headers }))

test.each<[string, () => Promise<Response>, Outcome, number | undefined, LedgerEntry['counts']]>([
  ['was answered', answering(200, '{"id":1001}'), 'settled', 200, 'yes'],
  ['was refused', answering(404), 'settled', 404, 'unknown'],
  ['has an error under a 200', answering(200, '{"error":"over"}'), 'uncertain', undefined, 'unknown'],
  ['comes out of a cache', answering(200, '{"id":1001}', { Age: '30' }), 'uncertain', undefined, 'unknown'],
  ['never left', unsent, 'void', undefined, 'no'],
  ['may have arrived', lost, 'uncertain', undefined, 'unknown'],
])('a request that %s is listed so, with whether it counts (8.3)', async (_, upstream, ...expected) => {
  const { fixture, browser } = await signedIn()
  fixture.advance(1)
  fixture.intercept(upstream)
  await browser.spend(PATH)
  const { entries } = await page(browser)
  const { outcome, status, counts } = entries[0] as LedgerEntry
  expect([outcome, status, counts]).toEqual(expected)
})

test('pages of 50 have each entry once, also when another request is sent between two of them (8.3)', async () => {
  const { fixture, browser } = await signedIn()
  await add(fixture, 48)
  expect([(await page(browser)).entries.length, (await page(browser)).next]).toEqual([50, undefined])
  await add(fixture, 70, fixture.now() + 1, STANDARD, 48)
  fixture.advance(HOUR_MS)
  const first = await page(browser)
  await browser.spend('/rate_limit')
  const second = await page(browser, first.next)
  const third = await page(browser, second.next)
  expect([first, second, third].map(({ entries }) => entries.length)).toEqual([50, 50, 20])
  const times = [first, second, third].flatMap(({ entries }) => entries.map(({ at }) => at))
  expect(times.toSorted().toReversed()).toEqual(times)
  expect(new Set(times.slice(0, 118)).size).toBe(118)
  expect(third.next).toBeUndefined()
})

test("the list begins with the month that starts first, and an old month's cursor finds nothing (8.3)", async () => {
  const { fixture, browser } = await signedIn({ startMs: Date.UTC(2026, 10, 20) })
  await add(fixture, 2, Date.UTC(2026, 9, 31, 10) - 1000)
  expect((await page(browser)).entries.map(({ at }) => at).slice(2)).toEqual(['2026-10-31T10:00:00.000Z'])
  for (let week = 0; week < 2; week += 1) {
    fixture.advance(6 * 86_400_000)
    await browser.session()
  }
  expect(await page(browser, `${STANDARD}-1`)).toEqual({ entries: [] })
})

test.each([
  ['garbage', 'next=garbage', 'no_page_begins_there'],
  ['an empty cursor', 'next=', 'no_page_begins_there'],
  ['a cursor of another organization', `next=${BUSINESS}-0`, 'no_page_begins_there'],
  ['a cursor that is SQL', `next=${encodeURIComponent(`' OR 1=1 --`)}`, 'no_page_begins_there'],
  ['a cursor twice', `next=${STANDARD}-0&next=${STANDARD}-0`, 'repeated_parameter'],
])('%s is refused (8.3)', async (_, query, fault) => {
  const { fixture, browser } = await signedIn()
  for (const organization of [STANDARD, BUSINESS]) await add(fixture, 1, fixture.now(), organization)
  const { status, body } = await browser.request('GET', `/bff/ledger?${query}`)
  expect([status, body.code, body.fault]).toEqual([400, 'invalid_request', fault])
})

async function allEntries(browser: Person, from?: string): Promise<LedgerEntry[]> {
  const { entries, next } = await page(browser, from)
  return next === undefined ? entries : [...entries, ...(await allEntries(browser, next))]
}

function countEntries(entries: readonly LedgerEntry[]): LedgerDay[] {
  const counted = new Map<string, LedgerDay>()
  for (const { at, kind, counts } of entries) {
    if (counts === 'no') continue
    const day = at.slice(0, 10)
    const known = counted.get(`${day} ${kind}`) ?? { day, kind, low: 0, high: 0 }
    const low = known.low + (counts === 'yes' ? 1 : 0)
    counted.set(`${day} ${kind}`, { ...known, low, high: known.high + 1 })
  }
  return [...counted.values()]
}
const inOrder = (list: LedgerDay[]) =>
  list.toSorted((a, b) => b.day.localeCompare(a.day) || a.kind.localeCompare(b.kind))

const sentByAnyone = fc.record(
  { ...SENT, owner: fc.constantFrom('browser a', 'key b/1', 'key b/2', '', '__proto__') },
  { requiredKeys: ['kind', 'atMs', 'outcome'] },
)

test('any requests are the same by day and by name as in the list, and as the month counts (8.3)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sentByAnyone, { maxLength: 100 }), async (requests) => {
      const { fixture, browser } = await signedIn({ startMs: Date.UTC(2026, 10, 4) })
      const named = ['browser a', '__proto__'].map((sender) => ({ sender, name: `name of ${sender}` }))
      await fixture.store.changeNote(`browsers ${STANDARD}`, () => ({ format: 1, value: named }), FAR_MS)
      await addSent(fixture, requests)
      await addSent(fixture, requests.slice(0, 9), BUSINESS)
      const sent = fixture.sent.length
      const [byDay, byBrowser] = [await days(browser), await browsers(browser)]
      expect(byDay).toEqual(inOrder(countEntries(await allEntries(browser))))
      const sumOf = (list: { low: number; high: number }[], end: 'low' | 'high') =>
        list.reduce((sum, one) => sum + one[end], 0)
      const { high } = (await browser.quota()).month
      expect([sumOf(byDay, 'high'), sumOf(byBrowser, 'high')]).toEqual([high, high])
      // The low end of the month begins in the last zone, that of the ledger in the first.
      expect(sumOf(byBrowser, 'low')).toBe(sumOf(byDay, 'low'))
      expect(new Set(byBrowser.map((one) => one.browser)).size).toBe(byBrowser.length)
      expect(fixture.sent).toHaveLength(sent)
      await fixture.store.close()
    }),
    { numRuns: 25 },
  )
})

test('names with the most requests come first, and those without a name are one line at the end (8.3)', () => {
  const one = { kind: 'api.read', outcome: 'settled', succeeded: true } as const
  const counts = [
    { ...one, sender: 'a', count: 2 },
    { ...one, sender: '', count: 9 },
    { ...one, sender: 'dropped', count: 1 },
    { ...one, sender: 'b', count: 3 },
    { ...one, sender: 'c', succeeded: false, count: 4 },
    { ...one, sender: 'd', outcome: 'void' as const, count: 4 },
  ]
  const names = new Map(Object.entries({ a: 'Aya', b: 'Ben', c: 'Aya', d: 'never sent' }))
  expect(byName(counts, names, ASSUMED)).toEqual([
    { browser: 'Aya', low: 2, high: 6 },
    { browser: 'Ben', low: 3, high: 3 },
    { low: 10, high: 10 },
  ])
})
