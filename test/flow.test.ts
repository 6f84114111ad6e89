/**
 * Read this first: the whole flow in one process, from sign-in to used-up minute, used-up month and sign-out.
 */
import { expect, test } from 'vitest'
import { APP, startApp, SERVICE, STANDARD, type App } from './kit/app.ts'
import { type Person } from './kit/person.ts'

const fixture: App = startApp()
const browser: Person = fixture.browser()
let back: URL

const serviceRead = (headers: Record<string, string>) =>
  fixture.sandbox.fetch(new Request(`${SERVICE}/organizations/${STANDARD}`, { headers }))

test('without a session the answer has everything that the sign-in needs (5.3)', async () => {
  const { status, body } = await browser.session()
  expect(status).toBe(200)
  expect(body).toEqual({
    signed_in: false,
    authorize: {
      authorization_endpoint: `${SERVICE}/oauth2/login`,
      client_id: 'plimsoll-test',
      redirect_uri: `${APP}/callback`,
    },
  })
})

test('a person permits at the service, and comes back with a code and the state (4.1)', async () => {
  const address = await browser.startLogin(STANDARD)
  back = await browser.permit(address, 'Ada')
  expect(back.origin + back.pathname).toBe(`${APP}/callback`)
  expect(back.searchParams.get('state')).toBe(address.searchParams.get('state'))
  expect(fixture.sent).toEqual([])
})

test('the code is exchanged and the organization read once: one request in all (4.4, 5.3)', async () => {
  const { status, body, headers } = await browser.finishLogin(back)
  expect(status).toBe(201)
  expect(body).toMatchObject({ signed_in: true, method: 'oauth', organization_id: STANDARD })
  expect(headers.getSetCookie().join()).toMatch(
    /plimsoll-http-3000=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict/,
  )
  expect(fixture.sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /oauth2/token',
    `GET /organizations/${STANDARD}`,
  ])
})

test('the first screen and every reload come from the stored copy, for nothing (8.3)', async () => {
  for (let reload = 0; reload < 10; reload += 1) {
    fixture.advance(60_000)
    const { status, headers, body } = await browser.read<{ name: string }>(`/organizations/${STANDARD}`)
    expect([status, headers.get('X-Plimsoll-Spent'), headers.get('X-RateLimit-Remaining')]).toEqual([
      200,
      '0',
      null,
    ])
    expect(headers.get('Age')).toBe(String((reload + 1) * 60))
    expect(body.name).toBe(fixture.seed.organizations.find(({ id }) => String(id) === STANDARD)?.name)
    await browser.session()
    await browser.quota()
  }
  expect(fixture.paid()).toHaveLength(1)
})

test('after the reset a window does not count as full until an answer says so (2.2)', async () => {
  const { read } = await browser.quota()
  expect(read).toMatchObject({ known: 'expired', limit: 60 })
  expect(read.remaining).toBeUndefined()
})

test('a press of the button spends one, and the gauge moves with the headers of the answer (8.4)', async () => {
  const { headers } = await browser.spend(`/organizations/${STANDARD}`)
  expect(headers.get('X-Plimsoll-Spent')).toBe('1')
  expect(headers.get('X-RateLimit-Remaining')).toBe('59')
  expect(fixture.paid()).toHaveLength(2)
  const { read, update, month } = await browser.quota()
  expect(read).toMatchObject({ known: 'measured', limit: 60, remaining: 59, in_flight: 0 })
  expect(update.known).toBe('unseen')
  // Two API requests certainly count; the exchange of the code may count.
  expect(month).toMatchObject({ low: 2, high: 3, limit: 100, plan: 'standard' })
})

test('GET /rate_limit fills both gauges (2.2, 4.3)', async () => {
  const { body } = await browser.spend('/rate_limit')
  expect(body).toMatchObject({ get: { limit: 60, remaining: 58 }, update: { limit: 15, remaining: 15 } })
  const { read, update } = await browser.quota()
  expect([read.remaining, update.remaining]).toEqual([58, 15])
})

test('when the minute is used up nothing is sent, and the answer says how long to wait (8.2)', async () => {
  for (let left = 57; left >= 0; left -= 1) {
    const { headers } = await browser.spend(`/organizations/${STANDARD}`)
    expect(headers.get('X-RateLimit-Remaining')).toBe(String(left))
  }
  const before = fixture.sent.length
  const { status, body, headers } = await browser.spend(`/organizations/${STANDARD}`)
  expect([status, body.code, body.reasons]).toEqual([429, 'rate_limited', [{ code: 'minute_used_up' }]])
  expect(body.retry_in_ms).toBeGreaterThan(0)
  expect(body.retry_in_ms).toBeLessThanOrEqual(61_000)
  expect(headers.get('X-Plimsoll-Spent')).toBe('0')
  expect(fixture.sent).toHaveLength(before)
  fixture.advance(body.retry_in_ms ?? 0)
})

test('after the reset the next press is sent, without a reload (2.2)', async () => {
  const { status, headers } = await browser.spend(`/organizations/${STANDARD}`)
  expect([status, headers.get('X-RateLimit-Remaining')]).toEqual([200, '59'])
})

test('if another client with the token has used up the minute, a refusal costs one request (8.4.3)', async () => {
  fixture.sandbox.control.changeLimits({ [STANDARD]: { read_per_minute: 5 } })
  fixture.advance(60_000)
  expect((await browser.spend(`/organizations/${STANDARD}`)).headers.get('X-RateLimit-Remaining')).toBe('4')
  const token = fixture.sent.at(-1)?.headers.get('Authorization') ?? ''
  for (let left = 4; left > 0; left -= 1)
    expect((await serviceRead({ Authorization: token })).status).toBe(200)
  const before = fixture.sent.length
  const { status, body, headers } = await browser.spend(`/organizations/${STANDARD}`)
  expect([status, body.code, headers.get('X-Plimsoll-Spent')]).toEqual([429, 'rate_limited', '1'])
  expect(headers.get('X-RateLimit-Remaining')).toBe('0')
  expect(fixture.sent).toHaveLength(before + 1)
  // The bff knows this now, and does not ask again before the reset.
  expect((await browser.spend(`/organizations/${STANDARD}`)).body.code).toBe('rate_limited')
  expect(fixture.sent).toHaveLength(before + 1)
  fixture.sandbox.control.changeLimits({})
  fixture.advance(body.retry_in_ms ?? 0)
})

test('an hour later the access token has expired, and the press that needs it refreshes it (5.4)', async () => {
  fixture.advance(3_600_000)
  await browser.session()
  await browser.quota()
  await browser.read(`/organizations/${STANDARD}`)
  expect(fixture.tokenRequests()).toHaveLength(1)
  const { status } = await browser.spend(`/organizations/${STANDARD}`)
  expect(status).toBe(200)
  expect(fixture.tokenRequests()).toHaveLength(2)
})

test("another key uses up the month: the refusal is not taken for the minute's; a press is one try (8.3)", async () => {
  fixture.advance(60_000)
  const key = fixture.seed.api_keys.find((one) => String(one.organization_id) === STANDARD)?.value ?? ''
  for (let read = 0; (await serviceRead({ 'X-Service-Api-Key': key })).status === 200; read += 1)
    expect(read).toBeLessThan(100)
  const before = fixture.sent.length
  const { status, body } = await browser.spend(`/organizations/${STANDARD}`)
  expect([status, body.code]).toEqual([429, 'month_suspected'])
  expect(fixture.sent).toHaveLength(before + 1)
  expect((await browser.quota()).month.resets_in_ms.earliest).toBeGreaterThan(0)
  // The copy is still shown, for nothing.
  expect((await browser.read(`/organizations/${STANDARD}`)).status).toBe(200)
  expect(fixture.sent).toHaveLength(before + 1)
})

test('in the next month a press succeeds again (8.3)', async () => {
  fixture.advance((await browser.quota()).month.resets_in_ms.latest + 1000)
  await browser.signIn()
  const { status } = await browser.spend(`/organizations/${STANDARD}`)
  expect(status).toBe(200)
  expect((await browser.quota()).pauses).toEqual([])
})

test('a sign-out ends the session here and in the browser, and sends no request (4)', async () => {
  const before = fixture.sent.length
  const cookies = new Map(browser.cookies)
  const { status, headers } = await browser.signOut()
  expect(status).toBe(204)
  expect(headers.get('Clear-Site-Data')).toBe('"cache", "storage"')
  expect((await browser.session()).body.signed_in).toBe(false)
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  expect((await browser.spend(`/organizations/${STANDARD}`)).status).toBe(401)
  expect(fixture.sent).toHaveLength(before)
})
