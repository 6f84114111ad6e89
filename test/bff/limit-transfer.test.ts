import { expect, test } from 'vitest'
import { createWorld, STANDARD } from '../_world.ts'

const PATH = `/organizations/${STANDARD}`

/** Signed in, with the minute used up just before the access token is to be renewed. */
async function usedUp() {
  const world = createWorld()
  const browser = world.browser()
  await browser.signIn()
  world.advance(3_530_000)
  for (let left = 60; left > 0; left -= 1) await browser.spend(PATH)
  return { world, browser }
}

test('a used-up minute is not renewed away: neither the token nor the read is sent (5.4, 8.2)', async () => {
  const { world, browser } = await usedUp()
  const before = world.sent.length
  world.advance(45_000)
  const { body } = await browser.spend(PATH)
  expect(body.code).toBe('rate_limited')
  expect(world.sent).toHaveLength(before)
  world.advance(body.retry_in_ms ?? 0)
  expect((await browser.spend(PATH)).status).toBe(200)
})

test('after the reset one request finds out whether it is one, the others wait for its answer (2.2)', async () => {
  const { world, browser } = await usedUp()
  world.advance(61_000)
  let underWay = 0
  let most = 0
  world.intercept(async (request, through) => {
    if (request.url.endsWith('/oauth2/token')) return through(request)
    underWay += 1
    most = Math.max(most, underWay)
    await new Promise((resolve) => setTimeout(resolve, 5))
    const answer = await through(request)
    underWay -= 1
    return answer
  })
  const answers = await Promise.all([browser.spend(PATH), browser.spend('/rate_limit')])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(most).toBe(1)
})
