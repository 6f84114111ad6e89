import { expect, test } from 'vitest'
import { createWorld, STANDARD } from '../_world.ts'

const PATH = `/organizations/${STANDARD}`
const HOUR_MS = 3_600_000

async function anHourLater() {
  const world = createWorld()
  const browser = world.browser()
  await browser.signIn()
  world.advance(HOUR_MS)
  return { world, browser, refreshes: () => world.tokenRequests().slice(1) }
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

test('nothing but a call refreshes: reloads, snapshots and a day of idling do not (5.4)', async () => {
  const { world, browser } = await anHourLater()
  world.advance(24 * HOUR_MS)
  await Promise.all([browser.session(), browser.quota(), browser.read(PATH)])
  expect(world.sent).toHaveLength(2)
})

test('each refresh sends the refresh token that came last (5.4.3)', async () => {
  const { world, browser, refreshes } = await anHourLater()
  for (let hour = 0; hour < 3; hour += 1) {
    expect((await browser.spend(PATH)).status).toBe(200)
    world.advance(HOUR_MS)
  }
  const sent = refreshes().map(({ body }) => new URLSearchParams(body).get('refresh_token'))
  expect(new Set(sent).size).toBe(3)
})

test('a token that is good for a while is not refreshed (5.4.2)', async () => {
  const { world, browser, refreshes } = await anHourLater()
  world.advance(-HOUR_MS / 2)
  await browser.spend(PATH)
  expect(refreshes()).toEqual([])
})

test('a grant that was withdrawn ends the session, once and cleanly (RFC 6749 5.2)', async () => {
  const { world, browser } = await anHourLater()
  world.intercept((request, through) =>
    request.url.endsWith('/oauth2/token')
      ? Promise.resolve(Response.json({ error: 'invalid_grant' }, { status: 400 }))
      : through(request),
  )
  const { status, body } = await browser.spend(PATH)
  expect([status, body.code]).toEqual([401, 'access_withdrawn'])
  expect(browser.cookies.size).toBe(0)
  expect(world.paid()).toHaveLength(1)
})

test.each([
  ["the operator's fault", 401, 'invalid_client', 502, 'client_rejected'],
  ['a fault of the service', 503, undefined, 502, 'upstream_failed'],
  ['too many requests', 429, undefined, 429, 'limit_unknown'],
  ['garbage', 200, undefined, 502, 'unexpected_reply'],
])(
  '%s at the refresh keeps the session, and the next press tries again (5.4)',
  async (_, answered, error, status, code) => {
    const { world, browser } = await anHourLater()
    world.intercept((request, through) =>
      request.url.endsWith('/oauth2/token')
        ? Promise.resolve(Response.json({ error }, { status: answered }))
        : through(request),
    )
    const answer = await browser.spend(PATH)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(world.paid()).toHaveLength(1)
    world.intercept(undefined)
    world.advance(60_000)
    expect((await browser.spend(PATH)).status).toBe(200)
  },
)

test('a token endpoint that says 429 is left alone for as long as it says, by every session (8)', async () => {
  const { world, browser } = await anHourLater()
  world.intercept((request, through) =>
    request.url.endsWith('/oauth2/token')
      ? Promise.resolve(new Response('', { status: 429, headers: { 'Retry-After': '20' } }))
      : through(request),
  )
  await browser.spend(PATH)
  const asked = world.tokenRequests().length
  const { body } = await browser.spend(PATH)
  expect([body.code, body.retry_in_ms]).toEqual(['limit_unknown', 20_000])
  expect(world.tokenRequests()).toHaveLength(asked)
  world.intercept(undefined)
  world.advance(20_000)
  expect((await browser.spend(PATH)).status).toBe(200)
})

test('a refresh that is refused in words that nobody reads ends the session, and is not sent again (7)', async () => {
  const { world, browser } = await anHourLater()
  world.intercept((request, through) =>
    request.url.endsWith('/oauth2/token')
      ? Promise.resolve(new Response('<h1>Bad Request</h1>', { status: 400 }))
      : through(request),
  )
  expect((await browser.spend(PATH)).body.code).toBe('access_withdrawn')
  expect((await browser.session()).body.signed_in).toBe(false)
})

test('while the old token is good, a token endpoint that is down stops nobody (5.4)', async () => {
  const { world, browser } = await anHourLater()
  world.advance(-20_000)
  world.intercept((request, through) =>
    request.url.endsWith('/oauth2/token')
      ? Promise.resolve(new Response('', { status: 500 }))
      : through(request),
  )
  expect((await browser.spend(PATH)).status).toBe(200)
})

test('a token that is refused before its time is refreshed once, and the read sent once more (5.5)', async () => {
  const world = createWorld()
  const browser = world.browser()
  await browser.signIn()
  let refusals = 0
  world.intercept((request, through) => {
    if (request.url.endsWith('/oauth2/token') || refusals > 0) return through(request)
    refusals += 1
    return Promise.resolve(new Response('{}', { status: 401 }))
  })
  const { status, headers } = await browser.spend(PATH)
  expect([status, headers.get('X-Plimsoll-Spent')]).toEqual([200, '2'])
  expect(world.tokenRequests()).toHaveLength(2)
})

test('a service that refuses every token is asked twice and no more (5.5)', async () => {
  const world = createWorld()
  const browser = world.browser()
  await browser.signIn()
  world.intercept((request, through) =>
    request.url.endsWith('/oauth2/token')
      ? through(request)
      : Promise.resolve(new Response('{}', { status: 401 })),
  )
  const { status, body } = await browser.spend(PATH)
  expect([status, body.code]).toEqual([401, 'credential_refused'])
  expect(world.paid()).toHaveLength(3)
})

test('tokens that the database could not take are kept until it can (5.4.4)', async () => {
  const { world, browser, refreshes } = await anHourLater()
  const { writeSession } = world.store
  const { Problem } = await import('../../src/contract/problem.ts')
  world.store.writeSession = () =>
    Promise.reject(new Problem('store_unavailable', { cause: new Error('disk full') }))
  expect((await browser.spend(PATH)).status).toBe(200)
  expect((await browser.spend(PATH)).status).toBe(200)
  world.store.writeSession = writeSession
  expect((await browser.spend(PATH)).status).toBe(200)
  expect(refreshes()).toHaveLength(1)
  // Now they are in the database: a bff that knows nothing of the failure uses them.
  const elsewhere = world.another()
  const same = elsewhere.browser()
  for (const [name, value] of browser.cookies) same.cookies.set(name, value)
  expect((await same.spend(PATH)).status).toBe(200)
  expect(elsewhere.tokenRequests()).toEqual([])
})

test('a refresh that another machine made just now is used, not undone (5.4.3)', async () => {
  const { world, browser } = await anHourLater()
  const elsewhere = world.another()
  const same = elsewhere.browser()
  for (const [name, value] of browser.cookies) same.cookies.set(name, value)
  // The other machine refreshes while ours is on its way to the token endpoint.
  const theirs: number[] = []
  world.intercept(async (request, through) => {
    if (request.url.endsWith('/oauth2/token')) theirs.push((await same.spend(PATH)).status)
    return through(request)
  })
  expect((await browser.spend(PATH)).status).toBe(200)
  expect(theirs).toEqual([200])
  expect((await browser.session()).body.signed_in).toBe(true)
})
