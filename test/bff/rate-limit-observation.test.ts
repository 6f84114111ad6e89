import { expect, test } from 'vitest'
import { createWorld, STANDARD, type World } from '../_world.ts'

const PATH = `/organizations/${STANDARD}`

async function signedIn() {
  const world = createWorld()
  const browser = world.browser()
  await browser.signIn()
  return { world, browser }
}

const refuse = (world: World, headers: Record<string, string>) =>
  world.intercept(() =>
    Promise.resolve(
      new Response('{}', { status: 429, headers: { Date: new Date(world.now()).toUTCString(), ...headers } }),
    ),
  )
const rate = (world: World, remaining: number, inSeconds: number) => ({
  'X-RateLimit-Limit': '60',
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(Math.floor(world.now() / 1000) + inSeconds),
})

test('a 429 with nothing left is of the minute: nothing is sent until the reset, then it is (8.2)', async () => {
  const { world, browser } = await signedIn()
  refuse(world, rate(world, 0, 20))
  const { body, headers } = await browser.spend(PATH)
  expect(body).toMatchObject({ code: 'rate_limited', retry_in_ms: 21_000 })
  expect(headers.get('X-Plimsoll-Spent')).toBe('1')
  world.intercept(undefined)
  const sent = world.sent.length
  world.advance(20_999)
  expect((await browser.spend(PATH)).body.code).toBe('rate_limited')
  expect(world.sent).toHaveLength(sent)
  world.advance(1)
  expect((await browser.spend(PATH)).status).toBe(200)
})

test('a 429 with requests left is suspected to be of the month, and a person may try once more (8.3)', async () => {
  const { world, browser } = await signedIn()
  refuse(world, rate(world, 58, 20))
  const { body } = await browser.spend(PATH)
  expect(body.code).toBe('month_suspected')
  expect(body.reasons).toEqual([expect.stringMatching(/left/)])
  const [pause] = (await browser.quota()).pauses
  expect(pause).toMatchObject({ code: 'month_suspected', reasons: body.reasons })
  // Ten days to the first of the next month, where it comes first: on Kiritimati.
  expect(pause?.ends_in_ms).toBe(Date.UTC(2026, 10, 30, 10) - world.now())
  world.intercept(undefined)
  expect((await browser.spend(PATH)).status).toBe(200)
  expect((await browser.quota()).pauses).toEqual([])
})

test('a 429 that says nothing stops the class for a minute, and a second one is suspected to be of the month (8.4.3)', async () => {
  const { world, browser } = await signedIn()
  for (let read = 0; read < 40; read += 1) await browser.spend(PATH)
  refuse(world, {})
  expect((await browser.spend(PATH)).body).toMatchObject({ code: 'limit_unknown', retry_in_ms: 60_000 })
  const sent = world.sent.length
  expect((await browser.spend(PATH)).body.code).toBe('limit_unknown')
  expect(world.sent).toHaveLength(sent)
  world.advance(60_000)
  expect((await browser.spend(PATH)).body.code).toBe('month_suspected')
})

test('a 429 is never sent again by itself (8.4.3)', async () => {
  const { world, browser } = await signedIn()
  for (const headers of [
    {},
    rate(world, 0, 20),
    rate(world, 58, 20),
    { 'Retry-After': '1' },
    { 'Retry-After': '86400' },
  ]) {
    world.advance(120_000)
    refuse(world, headers)
    const before = world.sent.length
    await browser.spend(PATH)
    expect(world.sent).toHaveLength(before + 1)
  }
})

test('a pause is made longer by what comes later, never shorter, and outlives a restart (8.2)', async () => {
  const { world, browser } = await signedIn()
  refuse(world, { 'Retry-After': '50' })
  await browser.spend(PATH)
  const restarted = world.another()
  const same = restarted.browser()
  for (const [name, value] of browser.cookies) same.cookies.set(name, value)
  expect((await same.spend(PATH)).body).toMatchObject({ code: 'rate_limited', retry_in_ms: 50_000 })
  expect(restarted.sent).toEqual([])
})

test('broken headers move no gauge and break nothing (8.4)', async () => {
  const { world, browser } = await signedIn()
  const before = (await browser.quota()).read
  for (const value of ['NaN', '-', '1e3', '٣', '99999999999999999999', '60, 15', ' ']) {
    world.intercept(() => {
      const headers = new Headers({ Date: new Date(world.now()).toUTCString() })
      for (const name of ['Limit', 'Remaining', 'Reset']) {
        try {
          headers.set(`X-RateLimit-${name}`, value)
        } catch {
          // What no header can carry cannot arrive either.
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
  'a service clock that is off by %s ms changes no wait (RFC 9110 6.6.1)',
  async (serviceAheadMs) => {
    const world = createWorld({ serviceAheadMs })
    const browser = world.browser()
    await browser.signIn()
    for (let read = 1; read < 60; read += 1) await browser.spend(PATH)
    expect((await browser.quota()).month.high).toBe(61)
    const { code, retry_in_ms: wait = 0 } = (await browser.spend(PATH)).body
    expect(code).toBe('rate_limited')
    expect(Math.abs(wait - 60_500)).toBeLessThanOrEqual(1500)
    world.advance(wait)
    expect((await browser.spend(PATH)).status).toBe(200)
    expect(world.paid()).toHaveLength(61)
  },
)
