import { expect, test } from 'vitest'
import { storeSession } from '../../../src/bff/session/record.ts'
import { addReading } from '../../../src/bff/readings/readings.ts'
import type { ProblemBody } from '../../../src/contract/problem.ts'
import { MOST_READINGS, parseReading, parseReadings } from '../../../src/contract/readings.ts'
import type { SignedIn } from '../../../src/contract/session.ts'
import { BUSINESS, startApp, STANDARD, signInUnproven } from '../../kit/app.ts'
import { type Person } from '../../kit/person.ts'
import { createContext } from '../_context.ts'
import { throughAnother, twoProcesses } from '../../kit/processes.ts'

const PATH = `/organizations/${STANDARD}`
const HOUR_MS = 3_600_000
const post = <Body = ProblemBody>(browser: Person, json: unknown) =>
  browser.request<Body>('POST', '/bff/readings', { json })
const listed = async (browser: Person) =>
  parseReadings((await browser.request<unknown>('GET', '/bff/readings')).body)
const countsOf = async (browser: Person) => (await listed(browser)).readings.map(({ count }) => count)

async function signedIn(organization = STANDARD) {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn(organization)
  const at = (inMs: number) => new Date(fixture.now() + inMs).toISOString()
  return { fixture, browser, at }
}

test('a person enters the count of the plan page: a row with when and who, and no request (8.3)', async () => {
  const { fixture, browser, at } = await signedIn()
  const before = fixture.sent.length
  const { status, body } = await post<unknown>(browser, { count: 32 })
  expect(status).toBe(201)
  expect(parseReading(body)).toEqual({ id: expect.any(String), count: 32, read_at: at(0), by: 'you' })
  const read_at = at(-HOUR_MS)
  await post(browser, { count: 30, read_at })
  expect(await listed(browser)).toEqual({
    readings: [body, { id: expect.any(String), count: 30, read_at, by: 'you' }],
  })
  expect(fixture.sent).toHaveLength(before)
})

test('the plan page is there, and has the number (8.3)', async () => {
  const { fixture, browser } = await signedIn()
  const { plan_page } = (await browser.session()).body as SignedIn
  const answer = await fixture.sandbox.fetch(new Request(plan_page, { redirect: 'manual' }))
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('Sign in')
})

test.each([
  ['a negative number', { count: -1 }],
  ['a fraction', { count: 1.5 }],
  ['text', { count: '32' }],
  ['1e9', { count: 1e9 }],
  ['more than 100000', { count: 100_001 }],
  ['no number', {}],
  ['an unknown member', { count: 3, other: 1 }],
  ['a list', [{ count: 3 }]],
  ['null', null],
  ['a time that is none', { count: 3, read_at: 'yesterday' }],
  ['a time as a number', { count: 3, read_at: 1_795_000_000_000 }],
  ['a confirmation that is not true', { count: 3, month_was_reset: false }],
])('%s is refused with 400, and nothing is stored (8.3)', async (_, body) => {
  const { browser } = await signedIn()
  expect(await post(browser, body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  expect(await countsOf(browser)).toEqual([])
})

test('a time is of this month in one of its zones, and at most two minutes ahead (8.3)', async () => {
  const { fixture, browser, at } = await signedIn()
  const startMs = Date.UTC(2026, 9, 31, 10) - fixture.now()
  const tried = (inMs: number) => post(browser, { count: 9, read_at: at(inMs) })
  const status = async (inMs: number) => (await tried(inMs)).status
  expect(await tried(startMs - 1)).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', fault: 'read_at_before_this_month' },
  })
  expect(await tried(120_001)).toMatchObject({ status: 400, body: { fault: 'read_at_in_the_future' } })
  expect(await countsOf(browser)).toEqual([])
  expect([await status(startMs), await status(120_000)]).toEqual([201, 201])
  // Every later request was sent after the number was read.
  expect((await listed(browser)).readings[0]?.read_at).toBe(at(0))
})

test('0 and 100000 are numbers, also on a plan without a limit (8.3)', async () => {
  const { browser } = await signedIn(BUSINESS)
  for (const count of [0, 100_000]) expect((await post(browser, { count })).status).toBe(201)
  expect((await browser.quota()).month).toMatchObject({ organization: { low: 100_000 } })
})

test('a lower number than before is refused until the person confirms that the month was reset (8.3)', async () => {
  const { fixture, browser, at } = await signedIn()
  await post(browser, { count: 40 })
  expect((await post(browser, { count: 39 })).status).toBe(409)
  fixture.advance(HOUR_MS)
  expect(await post(browser, { count: 39 })).toMatchObject({ status: 409, body: { code: 'lower_reading' } })
  expect(await countsOf(browser)).toEqual([40])
  // A reading of an earlier instant is not lower.
  expect((await post(browser, { count: 39, read_at: at(-2 * HOUR_MS) })).status).toBe(201)
  expect((await post(browser, { count: 3, month_was_reset: true })).status).toBe(201)
  fixture.advance(HOUR_MS)
  expect((await post(browser, { count: 4 })).status).toBe(201)
  expect((await post(browser, { count: 2 })).status).toBe(409)
  expect(await countsOf(browser)).toEqual([4, 3, 40, 39])
  const stored = await fixture.store.listReadings(STANDARD, 0)
  expect(stored.map(({ monthWasReset }) => monthWasReset)).toEqual([false, true, false, false])
})

test('a confirmation that was not needed is not stored (8.3)', async () => {
  const { fixture, browser } = await signedIn()
  await post(browser, { count: 40, month_was_reset: true })
  expect(await fixture.store.listReadings(STANDARD, 0)).toMatchObject([{ monthWasReset: false }])
})

test('a reading that was taken back is in no count, and the one before it is again (8.3)', async () => {
  const { fixture, browser } = await signedIn()
  await post(browser, { count: 30 })
  fixture.advance(HOUR_MS)
  const { body } = await post<{ id: string }>(browser, { count: 90 })
  expect((await browser.quota()).month.organization).toMatchObject({ low: 90 })
  const remove = () => browser.request('DELETE', `/bff/readings/${body.id}`)
  expect((await remove()).status).toBe(204)
  expect(await countsOf(browser)).toEqual([30])
  expect((await browser.quota()).month.organization).toMatchObject({ low: 30 })
  expect((await remove()).status).toBe(404)
  // A lower one is allowed after it.
  expect((await post(browser, { count: 31 })).status).toBe(201)
})

test('the people of an organization see its readings with their owner, and no others remove them (8.3)', async () => {
  const [first, second] = twoProcesses()
  const [ada, ben, stranger] = [first.browser(), first.browser(), first.browser()]
  await ada.signIn(STANDARD)
  await ben.signIn(STANDARD)
  await stranger.signIn(BUSINESS)
  const { body } = await post<{ id: string }>(ada, { count: 32 })
  expect(await listed(ada)).toMatchObject({ readings: [{ count: 32, by: 'you' }] })
  expect(await listed(throughAnother(ben, second))).toMatchObject({
    readings: [{ count: 32, by: 'another' }],
  })
  expect((await throughAnother(ben, second).quota()).month.organization).toMatchObject({ low: 32 })
  expect(await countsOf(stranger)).toEqual([])
  expect((await stranger.quota()).month.organization).toBeUndefined()
  expect((await stranger.request('DELETE', `/bff/readings/${body.id}`)).status).toBe(404)
  expect(await countsOf(ada)).toEqual([32])
})

test('requests without an answer when the number was read may be in it or not (8.3)', async () => {
  const { fixture, browser } = await signedIn()
  fixture.advance(120_000)
  fixture.intercept(async (request, through) => {
    await post(browser, { count: 5 })
    return through(request)
  })
  await browser.spend(PATH)
  expect((await browser.quota()).month.organization).toMatchObject({ low: 5, high: 6 })
})

test('a request that had no answer for a minute is under way no more (8.3)', async () => {
  const { fixture, browser } = await signedIn()
  fixture.intercept(() => new Promise(() => {}))
  void browser.spend(PATH)
  await expect.poll(() => fixture.paid().length).toBe(2)
  fixture.advance(60_001)
  await post(browser, { count: 5 })
  expect((await browser.quota()).month.organization).toMatchObject({ low: 5, high: 5 })
})

test('an organization enters at most so many readings a month, also if it removes them (8.3)', async () => {
  const { fixture, browser } = await signedIn()
  const { body } = await post<{ id: string }>(browser, { count: 1 })
  await fixture.store.addToCounter(`readings ${STANDARD}`, MOST_READINGS - 2, fixture.now(), 0)
  expect((await post(browser, { count: 1 })).status).toBe(201)
  await browser.request('DELETE', `/bff/readings/${body.id}`)
  expect(await post(browser, { count: 1 })).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', fault: 'too_many_readings' },
  })
  expect(await countsOf(browser)).toHaveLength(1)
  fixture.advance(31 * 24 * HOUR_MS)
  await browser.signIn()
  expect((await post(browser, { count: 1 })).status).toBe(201)
})

test('readings need a session, and to write one that the service has confirmed (5.3)', async () => {
  const { fixture, browser } = await signedIn()
  const { body } = await post<{ id: string }>(browser, { count: 1 })
  const stranger = fixture.browser()
  expect((await stranger.request('GET', '/bff/readings')).status).toBe(401)
  expect((await post(stranger, { count: 1 })).status).toBe(401)
  const claimant = await signInUnproven(fixture)
  expect(await countsOf(claimant)).toEqual([])
  expect(await post(claimant, { count: 1 })).toMatchObject({ status: 403, body: { code: 'not_confirmed' } })
  expect((await claimant.request('DELETE', `/bff/readings/${body.id}`)).status).toBe(403)
  expect(await countsOf(browser)).toEqual([1])
})

test('an address with a query is refused (RFC 9110 4.2.2)', async () => {
  const { browser } = await signedIn()
  const ask = async (method: string, path: string, json?: unknown) =>
    (await browser.request(method, `/bff/readings${path}`, { json })).status
  expect([await ask('GET', '?all'), await ask('POST', '?a=1', { count: 1 })]).toEqual([400, 400])
  expect(await ask('DELETE', '/x?a=1')).toBe(400)
  expect(await countsOf(browser)).toEqual([])
})

test('a person with an API key enters counts too (4.4)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  const apiKey = fixture.seed.api_keys[0]?.value
  expect(apiKey).toBeDefined()
  await browser.request('POST', '/bff/session', { json: { api_key: apiKey } })
  expect((await post(browser, { count: 7 })).status).toBe(201)
  expect(await listed(browser)).toMatchObject({ readings: [{ count: 7, by: 'you' }] })
})

test('a reading is not acknowledged if the store fails (8.3)', async () => {
  const { context } = createContext()
  const credential = { method: 'api_key', apiKey: 'a key', name: 'name-of-a-key' } as const
  const { setCookie } = await storeSession(context, { credential, proven: true, copies: {} })
  context.store.addReading = () => Promise.reject(new Error('disk full'))
  const request = new Request('http://localhost:3000/bff/readings', {
    method: 'POST',
    headers: { Cookie: setCookie.replace(/;.*/, ''), 'Content-Type': 'application/json' },
    body: '{"count":1}',
  })
  await expect(addReading(context, request)).rejects.toThrow('disk full')
})
