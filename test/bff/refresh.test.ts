import { expect, test } from 'vitest'
import { Problem } from '../../src/contract/problem.ts'
import { type Browser, createFixture, STANDARD, type Fixture } from '../_fixture.ts'

const PATH = `/organizations/${STANDARD}`
const HOUR_MS = 3_600_000

async function anHourLater() {
  const fixture = createFixture()
  const browser = fixture.browser()
  await browser.signIn()
  fixture.advance(HOUR_MS)
  return { fixture, browser, refreshes: () => fixture.tokenRequests().slice(1) }
}

test('ten parallel calls with an expired token make one refresh, and all succeed (5.4)', async () => {
  const { browser, refreshes } = await anHourLater()
  const paths = Array.from({ length: 10 }, (_, at) => [PATH, '/organizations', '/rate_limit'][at % 3] ?? '')
  const answers = await Promise.all(paths.map((path) => browser.spend(path)))
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200))
  expect(refreshes().map(({ body }) => new URLSearchParams(body).get('grant_type'))).toEqual([
    'refresh_token',
  ])
})

test('only a read on request refreshes: reloads, snapshots and an idle day do not (5.4)', async () => {
  const { fixture, browser } = await anHourLater()
  fixture.advance(24 * HOUR_MS)
  await Promise.all([browser.session(), browser.quota(), browser.read(PATH)])
  expect(fixture.sent).toHaveLength(2)
})

test('each refresh sends the refresh token that came last (5.4.3)', async () => {
  const { fixture, browser, refreshes } = await anHourLater()
  for (let hour = 0; hour < 3; hour += 1) {
    expect((await browser.spend(PATH)).status).toBe(200)
    fixture.advance(HOUR_MS)
  }
  const sent = refreshes().map(({ body }) => new URLSearchParams(body).get('refresh_token'))
  expect(new Set(sent).size).toBe(3)
})

test('a token that does not expire soon is not refreshed (5.4.2)', async () => {
  const { fixture, browser, refreshes } = await anHourLater()
  fixture.advance(-HOUR_MS / 2)
  await browser.spend(PATH)
  expect(refreshes()).toEqual([])
})

test('a revoked grant ends the session, and removes its cookie (RFC 6749 5.2)', async () => {
  const { fixture, browser } = await anHourLater()
  fixture.intercept((request, through) =>
    request.url.endsWith('/oauth2/token')
      ? Promise.resolve(Response.json({ error: 'invalid_grant' }, { status: 400 }))
      : through(request),
  )
  const { status, body } = await browser.spend(PATH)
  expect([status, body.code]).toEqual([401, 'access_withdrawn'])
  expect(browser.cookies.size).toBe(0)
  expect(fixture.paid()).toHaveLength(1)
})

test.each([
  ['an invalid client', 401, 'invalid_client', 502, 'client_rejected'],
  ['an error of the service', 503, undefined, 502, 'upstream_failed'],
  ['too many requests', 429, undefined, 429, 'limit_unknown'],
  ['garbage', 200, undefined, 502, 'unexpected_reply'],
])(
  '%s at the refresh leaves the session, and a later read refreshes again (5.4)',
  async (_, answered, error, status, code) => {
    const { fixture, browser } = await anHourLater()
    fixture.intercept((request, through) =>
      request.url.endsWith('/oauth2/token')
        ? Promise.resolve(Response.json({ error }, { status: answered }))
        : through(request),
    )
    const answer = await browser.spend(PATH)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(fixture.paid()).toHaveLength(1)
    fixture.intercept(undefined)
    fixture.advance(60_000)
    expect((await browser.spend(PATH)).status).toBe(200)
  },
)

test('a token endpoint that answers 429 gets no request until Retry-After has passed (8)', async () => {
  const { fixture, browser } = await anHourLater()
  fixture.intercept((request, through) =>
    request.url.endsWith('/oauth2/token')
      ? Promise.resolve(new Response('', { status: 429, headers: { 'Retry-After': '20' } }))
      : through(request),
  )
  await browser.spend(PATH)
  const asked = fixture.tokenRequests().length
  const { body } = await browser.spend(PATH)
  expect([body.code, body.retry_in_ms]).toEqual(['limit_unknown', 20_000])
  expect(fixture.tokenRequests()).toHaveLength(asked)
  fixture.intercept(undefined)
  fixture.advance(20_000)
  expect((await browser.spend(PATH)).status).toBe(200)
})

test('a refresh that is refused with an unreadable 400 ends the session, and is not sent again (7)', async () => {
  const { fixture, browser } = await anHourLater()
  fixture.intercept((request, through) =>
    request.url.endsWith('/oauth2/token')
      ? Promise.resolve(new Response('<h1>Bad Request</h1>', { status: 400 }))
      : through(request),
  )
  expect((await browser.spend(PATH)).body.code).toBe('access_withdrawn')
  expect((await browser.session()).body.signed_in).toBe(false)
})

test('while the old token is good, a read succeeds though the token endpoint fails (5.4)', async () => {
  const { fixture, browser } = await anHourLater()
  fixture.advance(-20_000)
  fixture.intercept((request, through) =>
    request.url.endsWith('/oauth2/token')
      ? Promise.resolve(new Response('', { status: 500 }))
      : through(request),
  )
  expect((await browser.spend(PATH)).status).toBe(200)
})

test('a token that is refused before it expires is refreshed once, and the read is sent once more (5.5)', async () => {
  const fixture = createFixture()
  const browser = fixture.browser()
  await browser.signIn()
  let refusals = 0
  fixture.intercept((request, through) => {
    if (request.url.endsWith('/oauth2/token') || refusals > 0) return through(request)
    refusals += 1
    return Promise.resolve(new Response('{}', { status: 401 }))
  })
  const { status, headers } = await browser.spend(PATH)
  expect([status, headers.get('X-Plimsoll-Spent')]).toEqual([200, '2'])
  expect(fixture.tokenRequests()).toHaveLength(2)
})

test('a service that refuses every token gets two reads and no more (5.5)', async () => {
  const fixture = createFixture()
  const browser = fixture.browser()
  await browser.signIn()
  fixture.intercept((request, through) =>
    request.url.endsWith('/oauth2/token')
      ? through(request)
      : Promise.resolve(new Response('{}', { status: 401 })),
  )
  const { status, body } = await browser.spend(PATH)
  expect([status, body.code]).toEqual([401, 'credential_refused'])
  expect(fixture.paid()).toHaveLength(3)
})

test('tokens that could not be saved are used until they can be (5.4.4)', async () => {
  const { fixture, browser, refreshes } = await anHourLater()
  await withoutStore(fixture, async () => {
    expect((await browser.spend(PATH)).status).toBe(200)
    expect((await browser.spend(PATH)).status).toBe(200)
  })
  expect((await browser.spend(PATH)).status).toBe(200)
  expect(refreshes()).toHaveLength(1)
  // Now they are in the store: another process uses them.
  const { other, same } = elsewhere(fixture, browser)
  expect((await same.spend(PATH)).status).toBe(200)
  expect(other.tokenRequests()).toEqual([])
})

test('a refresh that another process made just now is used, and the session stays (5.4.3)', async () => {
  const { fixture, browser } = await anHourLater()
  const { same } = elsewhere(fixture, browser)
  // The other process refreshes while our request is on its way to the token endpoint.
  const theirs: number[] = []
  fixture.intercept(async (request, through) => {
    if (request.url.endsWith('/oauth2/token')) theirs.push((await same.spend(PATH)).status)
    return through(request)
  })
  expect((await browser.spend(PATH)).status).toBe(200)
  expect(theirs).toEqual([200])
  expect((await browser.session()).body.signed_in).toBe(true)
})

/** Another bff on the same store, with the same cookies. */
function elsewhere(fixture: Fixture, browser: Browser) {
  const other = fixture.another()
  const same = other.browser()
  for (const [name, value] of browser.cookies) same.cookies.set(name, value)
  return { other, same }
}

/** Makes the store fail while `work` runs. */
async function withoutStore(fixture: Fixture, work: () => Promise<unknown>): Promise<void> {
  const { writeSession } = fixture.store
  fixture.store.writeSession = () =>
    Promise.reject(new Problem('store_unavailable', { cause: new Error('disk full') }))
  await work()
  fixture.store.writeSession = writeSession
}

test('tokens that could not be saved do not replace later ones of another process (5.4.4)', async () => {
  const { fixture, browser } = await anHourLater()
  await withoutStore(fixture, () => browser.spend(PATH))
  const { other, same } = elsewhere(fixture, browser)
  const later = { access_token: 'later', token_type: 'Bearer', expires_in: 3600, refresh_token: 'r' }
  other.intercept((request) =>
    Promise.resolve(Response.json(request.url.endsWith('/oauth2/token') ? later : { id: 1 })),
  )
  expect((await same.spend(PATH)).status).toBe(200)
  fixture.intercept(() => Promise.resolve(Response.json({ id: 1 })))
  expect((await browser.spend(PATH)).status).toBe(200)
  expect(fixture.sent.at(-1)?.headers.get('Authorization')).toBe('Bearer later')
})

test('a copy that is stored after tokens could not be saved stores the tokens too (5.4.4)', async () => {
  const { fixture, browser, refreshes } = await anHourLater()
  const { writeSession } = fixture.store
  fixture.store.writeSession = () => {
    // The first write, that of the tokens, fails; the next, that of the copy, does not.
    fixture.store.writeSession = writeSession
    return Promise.reject(new Problem('store_unavailable', { cause: new Error('disk full') }))
  }
  expect((await browser.spend(PATH)).status).toBe(200)
  const { other, same } = elsewhere(fixture, browser)
  expect((await same.spend(PATH)).status).toBe(200)
  expect([refreshes().length, other.tokenRequests().length]).toEqual([1, 0])
})

test('of two refreshes that could not be saved the last one counts (5.4.4)', async () => {
  const { fixture, browser, refreshes } = await anHourLater()
  await withoutStore(fixture, async () => {
    await browser.spend(PATH)
    fixture.advance(HOUR_MS)
    expect((await browser.spend(PATH)).status).toBe(200)
    expect((await browser.spend(PATH)).status).toBe(200)
  })
  expect((await browser.spend(PATH)).status).toBe(200)
  expect(refreshes()).toHaveLength(2)
})

test('two sessions that refresh at the same time get their own tokens (5.4)', async () => {
  const { fixture, browser, refreshes } = await anHourLater()
  const other = fixture.browser()
  await other.signIn(STANDARD, 'Ben')
  fixture.advance(HOUR_MS)
  const before = fixture.paid().length
  await Promise.all([browser.spend(PATH), other.spend(PATH)])
  const bearers = fixture
    .paid()
    .slice(before)
    .map(({ headers }) => headers.get('Authorization'))
  expect(new Set(bearers).size).toBe(2)
  const sent = refreshes().map(({ body }) => new URLSearchParams(body).get('refresh_token'))
  expect(new Set(sent.slice(-2)).size).toBe(2)
})
