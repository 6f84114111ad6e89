import { expect, test } from 'vitest'
import { createFixture, STANDARD, type Fixture } from '../_fixture.ts'

const PATH = `/organizations/${STANDARD}`

async function signedIn() {
  const fixture = createFixture()
  const browser = fixture.browser()
  await browser.signIn()
  return { fixture, browser }
}

const refuse = (fixture: Fixture, headers: Record<string, string>) =>
  fixture.intercept(() =>
    Promise.resolve(
      new Response('{}', {
        status: 429,
        headers: { Date: new Date(fixture.now()).toUTCString(), ...headers },
      }),
    ),
  )
const rate = (fixture: Fixture, remaining: number, inSeconds: number) => ({
  'X-RateLimit-Limit': '60',
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(Math.floor(fixture.now() / 1000) + inSeconds),
})

test('a 429 with nothing left is of the minute: nothing is sent until the reset, then the next request is (8.2)', async () => {
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

test('a 429 with requests left is suspected to be of the month, and a person may send one more (8.3)', async () => {
  const { fixture, browser } = await signedIn()
  refuse(fixture, rate(fixture, 58, 20))
  const { body } = await browser.spend(PATH)
  expect(body.code).toBe('month_suspected')
  expect(body.reasons).toEqual([expect.stringMatching(/left/)])
  const [pause] = (await browser.quota()).pauses
  expect(pause).toMatchObject({ code: 'month_suspected', reasons: body.reasons })
  // Ten days to the first of the next month, where it comes first: on Kiritimati.
  expect(pause?.ends_in_ms).toBe(Date.UTC(2026, 10, 30, 10) - fixture.now())
  fixture.intercept(undefined)
  expect((await browser.spend(PATH)).status).toBe(200)
  expect((await browser.quota()).pauses).toEqual([])
})

test('a 429 without headers stops the class for a minute, and a second one is suspected to be of the month (8.4.3)', async () => {
  const { fixture, browser } = await signedIn()
  for (let read = 0; read < 40; read += 1) await browser.spend(PATH)
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

test.each([-86_400_000, -5000, 5000, 86_400_000])(
  'a service clock that differs by %s ms changes no wait (RFC 9110 6.6.1)',
  async (serviceAheadMs) => {
    const fixture = createFixture({ serviceAheadMs })
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

/** Signed in, with so many requests of the month sent. */
async function sent(requests: number) {
  const { fixture, browser } = await signedIn()
  for (let request = 2; request < requests; request += 1) {
    if (request % 50 === 0) fixture.advance(61_000)
    await browser.spend(PATH)
  }
  return { fixture, browser }
}

const answer = (fixture: Fixture, status: number, body: unknown = { error: 'over' }) =>
  fixture.intercept(() => Promise.resolve(Response.json(body, { status })))

test.each([401, 403, 402, 200])(
  'a %i near the end of the month is suspected to be its end: the session stays, no token is refreshed (8.3)',
  async (status) => {
    const { fixture, browser } = await sent(95)
    answer(fixture, status)
    const tokens = fixture.tokenRequests().length
    const { body } = await browser.spend(PATH)
    expect(body.code).toBe('month_suspected')
    expect((await browser.session()).body.signed_in).toBe(true)
    expect(fixture.tokenRequests()).toHaveLength(tokens)
    expect((await browser.quota()).pauses).toEqual([expect.objectContaining({ code: 'month_suspected' })])
  },
)

test.each([
  [403, 'organization_refused'],
  [440, 'credential_refused'],
  [402, 'month_suspected'],
  [200, 'unexpected_reply'],
])('a %i at the beginning of the month means %s (5.5, 7)', async (status, code) => {
  const { fixture, browser } = await sent(3)
  answer(fixture, status)
  expect((await browser.spend(PATH)).body.code).toBe(code)
})

test('an error under a 200 replaces no copy, and may or may not count (4.4, 8.3)', async () => {
  const { fixture, browser } = await sent(3)
  const { low, high } = (await browser.quota()).month
  answer(fixture, 200)
  await browser.spend(PATH)
  expect((await browser.read<{ name: string }>(PATH)).body.name).toBeTruthy()
  expect((await browser.quota()).month).toMatchObject({ low, high: high + 1 })
})

test('a 403 to a token that has expired by our own clock: one refresh, and the read is sent once more (5.4, 5.5)', async () => {
  const { fixture, browser } = await sent(3)
  fixture.advance(3_570_000)
  let refusals = 0
  fixture.intercept((request, through) => {
    if (request.url.endsWith('/oauth2/token') && refusals === 0)
      return Promise.resolve(new Response('', { status: 503 }))
    if (request.url.endsWith(PATH) && refusals === 0) {
      refusals += 1
      return Promise.resolve(new Response('', { status: 403 }))
    }
    return through(request)
  })
  expect((await browser.spend(PATH)).status).toBe(200)
})

test('a 429 whose headers describe the other class is not judged by them, and they move its gauge (8.4.4)', async () => {
  const { fixture, browser } = await signedIn()
  for (let read = 0; read < 40; read += 1) await browser.spend(PATH)
  const before = (await browser.quota()).read
  refuse(fixture, { ...rate(fixture, 3, 20), 'X-RateLimit-Limit': '15' })
  expect((await browser.spend(PATH)).body.code).toBe('limit_unknown')
  const { read, update } = await browser.quota()
  expect([read.remaining, update.limit, update.remaining]).toEqual([before.remaining, 15, 3])
})

test('a later 429 does not shorten the pause of an earlier one (8.2)', async () => {
  const { fixture, browser } = await signedIn()
  fixture.intercept(async (request) => {
    // Both are in flight before the first is answered; the short pause comes last.
    await new Promise((resolve) => setTimeout(resolve, request.url.endsWith(PATH) ? 20 : 60))
    const wait = request.url.endsWith(PATH) ? '50' : '5'
    return new Response('{}', { status: 429, headers: { 'Retry-After': wait } })
  })
  await Promise.all([browser.spend(PATH), browser.spend('/rate_limit')])
  expect((await browser.spend(PATH)).body.retry_in_ms).toBe(50_000)
})

test('a success between two 429 without headers makes the second one the first of its kind again (8.4.3)', async () => {
  const { fixture, browser } = await signedIn()
  for (const _ of ['first', 'second']) {
    for (let read = 0; read < 40; read += 1) await browser.spend(PATH)
    refuse(fixture, {})
    expect((await browser.spend(PATH)).body).toMatchObject({ code: 'limit_unknown', retry_in_ms: 60_000 })
    fixture.intercept(undefined)
    fixture.advance(60_000)
  }
})
