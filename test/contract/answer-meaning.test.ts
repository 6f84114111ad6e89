import { expect, test } from 'vitest'
import { createWorld, STANDARD, type World } from '../_world.ts'

const PATH = `/organizations/${STANDARD}`

/** Signed in, with so many requests of the month spent. */
async function spent(requests: number) {
  const world = createWorld()
  const browser = world.browser()
  await browser.signIn()
  for (let request = 2; request < requests; request += 1) {
    if (request % 50 === 0) world.advance(61_000)
    await browser.spend(PATH)
  }
  return { world, browser }
}

const refuse = (world: World, status: number, body: unknown = { error: 'over' }) =>
  world.intercept(() => Promise.resolve(Response.json(body, { status })))

test.each([
  [401, 'with another status'],
  [403, 'with another status'],
  [402, 'with another status'],
  [200, 'as an error under a 200'],
])(
  'a %i near the end of the month is suspected to be its end: nobody is signed out, nothing renewed (8.3)',
  async (status) => {
    const { world, browser } = await spent(95)
    refuse(world, status)
    const tokens = world.tokenRequests().length
    const { body } = await browser.spend(PATH)
    expect(body.code).toBe('month_suspected')
    expect((await browser.session()).body.signed_in).toBe(true)
    expect(world.tokenRequests()).toHaveLength(tokens)
    expect((await browser.quota()).pauses).toEqual([expect.objectContaining({ code: 'month_suspected' })])
  },
)

test.each([
  [403, 'organization_refused'],
  [440, 'credential_refused'],
  [402, 'month_suspected'],
  [200, 'unexpected_reply'],
])('a %i at the beginning of the month means %s (5.5, 7)', async (status, code) => {
  const { world, browser } = await spent(3)
  refuse(world, status)
  expect((await browser.spend(PATH)).body.code).toBe(code)
})

test('an error under a 200 replaces no copy, and surely counts for nothing (4.4, 8.3)', async () => {
  const { world, browser } = await spent(3)
  const { low, high } = (await browser.quota()).month
  refuse(world, 200)
  await browser.spend(PATH)
  expect((await browser.read<{ name: string }>(PATH)).body.name).toBeTruthy()
  expect((await browser.quota()).month).toMatchObject({ low, high: high + 1 })
})

test('a 403 to a token past its hour by our own clock is renewed once, and read once more (5.4, 5.5)', async () => {
  const { world, browser } = await spent(3)
  world.advance(3_570_000)
  let refusals = 0
  world.intercept((request, through) => {
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
