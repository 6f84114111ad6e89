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
import { BUSINESS, signInUnproven, startApp, type App, STANDARD } from '../../kit/app.ts'
import type { Person } from '../../kit/person.ts'
import { FAR_MS } from '../../kit/stores.ts'
import { RESERVATION } from '../_reservation.ts'
import { signedIn } from '../_signed-in.ts'
import { addSent, SENT } from './_requests.ts'
import { byName } from '../../../src/bff/quota/ledger-counts.ts'
import { ASSUMED } from '../../../src/contract/assumptions.ts'

const PATH = `/organizations/${STANDARD}`
const HOUR_MS = 3_600_000

async function page(browser: Person, next?: string) {
  const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`
  const { status, body } = await browser.request<unknown>('GET', `/bff/ledger${query}`)
  expect(status).toBe(200)
  return body as LedgerPage
}
const inWords = ({ kind, initiator, by }: LedgerEntry) => `${kind} ${initiator} ${by}`

/** Each request to the service takes 10 ms, so that no two entries have one time. */
function ticking() {
  const fixture = startApp()
  fixture.intercept((request, through) => {
    fixture.advance(10)
    return through(request)
  })
  return fixture
}

/** Adds entries of an organization, one a second from an instant on. */
async function add(fixture: App, count: number, fromMs = fixture.now(), organization = STANDARD) {
  const entry = { ...RESERVATION, organization, path: PATH }
  for (let nth = 0; nth < count; nth += 1)
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
  const json = { api_key: fixture.seed.api_keys[0]?.value }
  for (const one of [browser, other]) await one.request('POST', '/bff/session', { json })
  expect((await page(browser)).entries.map(inWords)).toEqual(['api.read sign_in you', 'api.read sign_in you'])
})

const failing = (code: string) => () => Promise.reject(Object.assign(new Error('no answer'), { code }))
const answering =
  (status: number, body = '{}') =>
  () =>
    Promise.resolve(new Response(body, { status }))

test.each<[string, () => Promise<Response>, Outcome, number | undefined, LedgerEntry['counts']]>([
  ['was answered', answering(200, '{"id":1001}'), 'settled', 200, 'yes'],
  ['was refused', answering(404), 'settled', 404, 'unknown'],
  ['has an error under a 200', answering(200, '{"error":"over"}'), 'settled', undefined, 'unknown'],
  ['never left', failing('ECONNREFUSED'), 'void', undefined, 'no'],
  ['may have arrived', failing('ECONNRESET'), 'uncertain', undefined, 'unknown'],
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
  await add(fixture, 118, fixture.now() + 1)
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

test('after the last of exactly 50 entries there is no next page (8.3)', async () => {
  const { fixture, browser } = await signedIn()
  await add(fixture, 48)
  const { entries, next } = await page(browser)
  expect([entries.length, next]).toEqual([50, undefined])
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
  ['garbage', 'next=garbage'],
  ['an empty cursor', 'next='],
  ['a cursor of another organization', `next=${BUSINESS}-0`],
  ['a cursor that is SQL', `next=${encodeURIComponent(`' OR 1=1 --`)}`],
  ['a cursor twice', `next=${STANDARD}-0&next=${STANDARD}-0`],
  ['a parameter that there is not', 'limit=10'],
])('%s is refused (8.3)', async (_, query) => {
  const { fixture, browser } = await signedIn()
  await add(fixture, 1)
  await add(fixture, 1, fixture.now(), BUSINESS)
  const { status, body } = await browser.request('GET', `/bff/ledger?${query}`)
  expect([status, body.code]).toEqual([400, 'invalid_request'])
  expect(body.fault).toMatch(/^(no_page_begins_there|repeated_parameter|unknown_parameter)$/)
})

test('a session without a proof of the organization sees only its own requests (5.3, 8.3)', async () => {
  const { fixture, browser: victim } = await signedIn()
  const claimant = await signInUnproven(fixture)
  const statusesOf = async (browser: Person) => (await page(browser)).entries.map(({ status }) => status)
  expect(new Set(await statusesOf(claimant))).toEqual(new Set([200, 500]))
  expect(await statusesOf(victim)).toEqual([200, 200])
})

const DAY_MS = 86_400_000

async function days(browser: Person): Promise<LedgerDay[]> {
  const { status, body } = await browser.request<unknown>('GET', '/bff/ledger/days')
  expect(status).toBe(200)
  return (body as LedgerDays).days
}

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

test('the requests of the month are counted by day and kind, newest first, at least and at most (8.3)', async () => {
  const { fixture, browser } = await signedIn()
  fixture.advance(DAY_MS)
  const sent = fixture.sent.length
  const atMs = fixture.now()
  await addSent(fixture, [
    { kind: 'rate_limit', atMs, outcome: 'settled', status: 200 },
    { kind: 'api.read', atMs, outcome: 'settled', status: 200 },
    { kind: 'api.read', atMs, outcome: 'uncertain' },
    { kind: 'api.update', atMs, outcome: 'void' },
  ])
  await addSent(fixture, [{ kind: 'api.read', atMs, outcome: 'settled', status: 200 }], BUSINESS)
  expect(await days(browser)).toEqual([
    { day: '2026-11-22', kind: 'api.read', low: 1, high: 2 },
    { day: '2026-11-22', kind: 'rate_limit', low: 0, high: 1 },
    { day: '2026-11-21', kind: 'api.read', low: 1, high: 1 },
    { day: '2026-11-21', kind: 'token.code', low: 0, high: 1 },
  ])
  expect(fixture.sent).toHaveLength(sent)
})

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
      const [byDay, byBrowser] = [await days(browser), await browsers(browser)]
      expect(byDay).toEqual(inOrder(countEntries(await allEntries(browser))))
      const sumOf = (list: { low: number; high: number }[], end: 'low' | 'high') =>
        list.reduce((sum, one) => sum + one[end], 0)
      const { high } = (await browser.quota()).month
      expect([sumOf(byDay, 'high'), sumOf(byBrowser, 'high')]).toEqual([high, high])
      // The low end of the month begins in the last zone, that of the ledger in the first.
      expect(sumOf(byBrowser, 'low')).toBe(sumOf(byDay, 'low'))
      expect(new Set(byBrowser.map((one) => one.browser)).size).toBe(byBrowser.length)
      await fixture.store.close()
    }),
    { numRuns: 25 },
  )
})

test('a request of another process between two counts makes no count negative (8.3)', async () => {
  const { fixture, browser } = await signedIn({ startMs: Date.UTC(2026, 10, 4) })
  await addSent(fixture, [{ kind: 'api.read', atMs: Date.UTC(2026, 9, 31, 12), outcome: 'uncertain' }])
  const { countByKind } = fixture.store
  const succeeded = { kind: 'api.read', outcome: 'settled', succeeded: true, count: 1 } as const
  fixture.store.countByKind = async (organization, sinceMs) => {
    const counted = await countByKind(organization, sinceMs)
    return sinceMs % DAY_MS === 0
      ? [...counted, succeeded]
      : [...counted, { ...succeeded, outcome: 'reserved' }]
  }
  expect((await days(browser)).at(-1)).toEqual({ day: '2026-10-31', kind: 'api.read', low: 0, high: 1 })
})

async function browsers(browser: Person) {
  const { status, body } = await browser.request<unknown>('GET', '/bff/ledger/browsers')
  expect(status).toBe(200)
  return (body as LedgerBrowsers).browsers
}

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
  const names = new Map([
    ['a', 'Aya'],
    ['b', 'Ben'],
    ['c', 'Aya'],
    ['d', 'never sent'],
  ])
  expect(byName(counts, names, ASSUMED)).toEqual([
    { browser: 'Aya', low: 2, high: 6 },
    { browser: 'Ben', low: 3, high: 3 },
    { low: 10, high: 10 },
  ])
})
