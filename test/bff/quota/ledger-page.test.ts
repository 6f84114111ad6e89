import { expect, test } from 'vitest'
import { type LedgerEntry, parseLedger } from '../../../src/contract/ledger.ts'
import type { Outcome } from '../../../src/contract/month.ts'
import { BUSINESS, startApp, type App, STANDARD } from '../../kit/app.ts'
import { type Person, randomState } from '../../kit/person.ts'

const PATH = `/organizations/${STANDARD}`
const HOUR_MS = 3_600_000

async function page(browser: Person, next?: string) {
  const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`
  const { status, body } = await browser.request<unknown>('GET', `/bff/ledger${query}`)
  expect(status).toBe(200)
  return parseLedger(body)
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
  const entry = { organization, kind: 'api.read', method: 'GET', path: PATH, initiator: 'person' } as const
  for (let nth = 0; nth < count; nth += 1)
    await fixture.store.reserve({ ...entry, id: `${organization}-${nth}`, atMs: fromMs + nth * 1000 })
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

test("an entry without a known person is shown as another's (8.3)", async () => {
  const fixture = ticking()
  const browser = fixture.browser()
  await browser.signIn()
  fixture.advance(1)
  await add(fixture, 1)
  expect((await page(browser)).entries[0]?.by).toBe('another')
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
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  fixture.advance(1)
  fixture.intercept(upstream)
  await browser.spend(PATH)
  const { entries } = await page(browser)
  const { outcome, status, counts } = entries[0] as LedgerEntry
  expect([outcome, status, counts]).toEqual(expected)
})

test('a request without an answer yet is listed while it runs (8.3)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  fixture.advance(1)
  fixture.intercept(async () => {
    expect((await page(browser)).entries[0]).toMatchObject({ outcome: 'reserved', counts: 'unknown' })
    return Response.json({ id: 1001 })
  })
  expect((await browser.spend(PATH)).status).toBe(200)
  expect((await page(browser)).entries[0]).toMatchObject({ outcome: 'settled', counts: 'yes' })
})

test('the list and the month count the same requests (8.3)', async () => {
  const fixture = ticking()
  const browser = fixture.browser()
  await browser.signIn()
  for (const path of [PATH, '/rate_limit', PATH]) await browser.spend(path)
  fixture.intercept(failing('ECONNRESET'))
  await browser.spend(PATH)
  fixture.intercept(failing('ECONNREFUSED'))
  await browser.spend(PATH)
  const { entries } = await page(browser)
  const counting = (counts: string) => entries.filter((entry) => entry.counts === counts).length
  const { low, high } = (await browser.quota()).month
  expect([counting('yes'), counting('yes') + counting('unknown'), counting('no')]).toEqual([low, high, 1])
})

test('pages of 50 have each entry once, also when another request is sent between two of them (8.3)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
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
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  await add(fixture, 48)
  const { entries, next } = await page(browser)
  expect([entries.length, next]).toEqual([50, undefined])
})

test("the list begins with the month that starts first, and an old month's cursor finds nothing (8.3)", async () => {
  const fixture = startApp({ startMs: Date.UTC(2026, 10, 20) })
  const browser = fixture.browser()
  await browser.signIn()
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
  ['a cursor with a zero byte', `next=${STANDARD}-0%00`],
  ['a cursor that is no text', 'next=%FF%FE'],
  ['a long cursor', `next=${'a'.repeat(5000)}`],
  ['a cursor that is SQL', `next=${encodeURIComponent(`' OR 1=1 --`)}`],
  ['a cursor twice', `next=${STANDARD}-0&next=${STANDARD}-0`],
  ['a parameter that there is not', 'limit=10'],
])('%s is refused (8.3)', async (_, query) => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  await add(fixture, 1)
  await add(fixture, 1, fixture.now(), BUSINESS)
  const { status, body } = await browser.request('GET', `/bff/ledger?${query}`)
  expect([status, body.code]).toEqual([400, 'invalid_request'])
  expect(body.fault).toMatch(/^(no_page_begins_there|repeated_parameter|unknown_parameter)$/)
})

test('without a session there is no ledger (5.5)', async () => {
  const { status, body } = await startApp().browser().request('GET', '/bff/ledger')
  expect([status, body.code]).toEqual([401, 'signed_out'])
})

test('a session without a proof of the organization sees only its own requests (5.3, 8.3)', async () => {
  const fixture = ticking()
  const [victim, claimant] = [fixture.browser(), fixture.browser()]
  await victim.signIn()
  const stolen = await claimant.permit(await claimant.startLogin(BUSINESS), 'Ada')
  const state = randomState()
  await claimant.startLogin(STANDARD, state)
  stolen.searchParams.set('state', state)
  fixture.intercept((request, through) =>
    request.url.endsWith('/oauth2/token') ? through(request) : answering(503)(),
  )
  expect((await claimant.finishLogin(stolen)).status).toBe(201)
  const statuses = (await page(claimant)).entries.map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  expect((await page(victim)).entries.map(({ status }) => status)).toEqual([200, 200])
})

test('no entry has an id, a token or a path, and no name but that of the browser (8.3)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  const { entries } = (await browser.request<{ entries: object[] }>('GET', '/bff/ledger')).body
  expect(new Set(entries.flatMap((entry) => Object.keys(entry)))).toEqual(
    new Set(['at', 'kind', 'initiator', 'by', 'browser', 'outcome', 'status', 'counts']),
  )
  expect(JSON.stringify(entries)).not.toContain(STANDARD)
})
