import { expect, test } from 'vitest'
import { reserve } from '../../../src/bff/service/ledger.ts'
import { BUSINESS, startApp, STANDARD, type App } from '../../kit/app.ts'
import { type Person } from '../../kit/person.ts'
import { createContext } from '../_context.ts'
import { throughAnother, twoProcesses } from '../../kit/processes.ts'

const PATH = `/organizations/${STANDARD}`
const ENTRY = {
  token: 'a token',
  organization: '1001',
  kind: 'api.read',
  method: 'GET',
  path: PATH,
  initiator: 'person',
} as const

async function signedIn() {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  return { fixture, browser }
}

const refuse = (fixture: App, headers: Record<string, string>) =>
  fixture.intercept(() =>
    Promise.resolve(
      new Response('{}', {
        status: 429,
        headers: { Date: new Date(fixture.now()).toUTCString(), ...headers },
      }),
    ),
  )
const rate = (fixture: App, remaining: number, inSeconds: number) => ({
  'X-RateLimit-Limit': '60',
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(Math.floor(fixture.now() / 1000) + inSeconds),
})

test('a 429 with nothing left is of the minute: the next request waits for the reset (8.2, attack 69)', async () => {
  const { fixture, browser } = await signedIn()
  refuse(fixture, rate(fixture, 0, 20))
  const { body, headers } = await browser.spend(PATH)
  expect(body).toMatchObject({ code: 'rate_limited', retry_in_ms: 21_000 })
  expect(headers.get('X-Plimsoll-Spent')).toBe('1')
  fixture.intercept(undefined)
  const sent = fixture.sent.length
  fixture.advance(20_999)
  expect((await browser.spend(PATH)).body.code).toBe('rate_limited')
  expect(fixture.sent).toHaveLength(sent)
  fixture.advance(1)
  expect((await browser.spend(PATH)).status).toBe(200)
})

test('a 429 with requests left may be of the month, and a person may send one more (8.3, attack 70)', async () => {
  const { fixture, browser } = await signedIn()
  refuse(fixture, rate(fixture, 58, 20))
  const { body } = await browser.spend(PATH)
  expect(body.code).toBe('month_suspected')
  expect(body.reasons).toEqual([{ code: 'minute_has_requests_left' }])
  const [first] = (await browser.quota()).pauses
  expect(first).toMatchObject({ code: 'month_suspected', reasons: body.reasons })
  fixture.intercept(undefined)
  fixture.advance(5000)
  expect((await browser.spend(PATH)).status).toBe(200)
  expect((await browser.quota()).pauses).toEqual([])
})

test("a suspicion is everybody's, outlives a restart, and ends with anybody's first success (8.3)", async () => {
  const [first, second] = twoProcesses()
  const [ada, ben, stranger] = [first.browser(), first.browser(), first.browser()]
  for (const browser of [ada, ben]) await browser.signIn()
  await stranger.signIn(BUSINESS)
  refuse(first, rate(first, 58, 20))
  await ada.spend(PATH)
  first.advance(3000)
  const suspected = { age_ms: 3000, reasons: [{ code: 'minute_has_requests_left' }] }
  const seen = async (browser: Person) => (await browser.quota()).month
  for (const browser of [ada, throughAnother(ben, second)])
    expect(await seen(browser)).toMatchObject({ suspected, reading_wanted: 'suspected' })
  expect((await seen(stranger)).suspected).toBeUndefined()
  second.advance(2000)
  expect((await throughAnother(ben, second).spend(PATH)).status).toBe(200)
  expect((await seen(ada)).suspected).toBeUndefined()
})

test('a 429 without headers stops the class for a minute; a second one may be of the month (8.4.3)', async () => {
  const { fixture, browser } = await signedIn()
  // No limit is known, so the app cannot tell how many are few.
  await fixture.store.changeNote('organization 1001', () => null, Infinity)
  refuse(fixture, {})
  expect((await browser.spend(PATH)).body).toMatchObject({ code: 'limit_unknown', retry_in_ms: 60_000 })
  const sent = fixture.sent.length
  expect((await browser.spend(PATH)).body.code).toBe('limit_unknown')
  expect(fixture.sent).toHaveLength(sent)
  fixture.advance(60_000)
  expect((await browser.spend(PATH)).body.code).toBe('month_suspected')
})

test('a read that was answered 429 is not repeated (8.4.3)', async () => {
  const { fixture, browser } = await signedIn()
  for (const headers of [
    {},
    rate(fixture, 0, 20),
    rate(fixture, 58, 20),
    { 'Retry-After': '1' },
    { 'Retry-After': '86400' },
  ]) {
    fixture.advance(120_000)
    refuse(fixture, headers)
    const before = fixture.sent.length
    await browser.spend(PATH)
    expect(fixture.sent).toHaveLength(before + 1)
  }
})

test('a pause outlives a restart (8.2)', async () => {
  const { fixture, browser } = await signedIn()
  refuse(fixture, { 'Retry-After': '50' })
  await browser.spend(PATH)
  const restarted = fixture.another()
  const same = restarted.browser()
  for (const [name, value] of browser.cookies) same.cookies.set(name, value)
  expect((await same.spend(PATH)).body).toMatchObject({ code: 'rate_limited', retry_in_ms: 50_000 })
  expect(restarted.sent).toEqual([])
})

test('malformed headers change no gauge, and the read succeeds (8.4)', async () => {
  const { fixture, browser } = await signedIn()
  const before = (await browser.quota()).read
  for (const value of ['NaN', '-', '1e3', '٣', '99999999999999999999', '60, 15', ' ']) {
    fixture.intercept(() => {
      const headers = new Headers({ Date: new Date(fixture.now()).toUTCString() })
      for (const name of ['Limit', 'Remaining', 'Reset']) {
        try {
          headers.set(`X-RateLimit-${name}`, value)
        } catch {
          // A value that no header can contain cannot be received either.
        }
      }
      return Promise.resolve(new Response('{}', { headers }))
    })
    expect((await browser.spend(PATH)).status).toBe(200)
    const { read } = await browser.quota()
    expect([read.limit, read.remaining]).toEqual([before.limit, before.remaining])
  }
})

test.each([-86_400_000, 86_400_000])(
  'a service clock that differs by %s ms changes no wait (RFC 9110 6.6.1)',
  async (serviceAheadMs) => {
    const fixture = startApp({ serviceAheadMs })
    const browser = fixture.browser()
    await browser.signIn()
    for (let read = 1; read < 60; read += 1) await browser.spend(PATH)
    expect((await browser.quota()).month.high).toBe(61)
    const { code, retry_in_ms: wait = 0 } = (await browser.spend(PATH)).body
    expect(code).toBe('rate_limited')
    expect(Math.abs(wait - 60_500)).toBeLessThanOrEqual(1500)
    fixture.advance(wait)
    expect((await browser.spend(PATH)).status).toBe(200)
    expect(fixture.paid()).toHaveLength(61)
  },
)

const answer = (fixture: App, status: number, body: unknown = { error: 'over' }) =>
  fixture.intercept(() => Promise.resolve(Response.json(body, { status })))

test.each([401, 402, 200])(
  'after a %i near the end of the month the session stays, and no token is refreshed (8.3)',
  async (status) => {
    const { fixture, browser } = await signedIn()
    const { context } = createContext()
    for (let request = 0; request < 90; request += 1) {
      const entry = { ...ENTRY, token: 'another', organization: STANDARD }
      await reserve({ ...context, store: fixture.store }, entry)
    }
    answer(fixture, status)
    expect((await browser.spend(PATH)).body.code).toBe('month_suspected')
    expect((await browser.session()).body.signed_in).toBe(true)
    expect(fixture.tokenRequests()).toHaveLength(1)
  },
)

test('an error under a 200 replaces no copy, and may or may not count (4.4, 8.3)', async () => {
  const { fixture, browser } = await signedIn()
  const { low, high } = (await browser.quota()).month
  answer(fixture, 200)
  await browser.spend(PATH)
  expect((await browser.read<{ name: string }>(PATH)).body.name).toBeTruthy()
  expect((await browser.quota()).month).toMatchObject({ low, high: high + 1 })
})

test('a 403 for a token that expired by our own clock causes one refresh and one repetition (5.4, 5.5)', async () => {
  const { fixture, browser } = await signedIn()
  fixture.advance(3_570_000)
  let refuse = () => {}
  const refused = new Promise<void>((resolve) => {
    refuse = resolve
  })
  let refusals = 0
  fixture.intercept(async (request, through) => {
    // The answer is slower than the read waits, since its token is good by the clock.
    if (request.url.endsWith('/oauth2/token')) await refused
    if (!request.url.endsWith(PATH) || refusals > 0) return through(request)
    refusals += 1
    refuse()
    return new Response('', { status: 403 })
  })
  expect((await browser.spend(PATH)).status).toBe(200)
})
