import { expect, test } from 'vitest'
import { changeTokenNote, readTokenNote } from '../../../src/bff/limits/note.ts'
import { transferLimits } from '../../../src/bff/limits/transfer.ts'
import { fold } from '../../../src/contract/gauge.ts'
import type { RequestClass } from '../../../src/contract/rate-limit.ts'
import { startApp, STANDARD } from '../../kit/app.ts'
import { createContext, START_MS } from '../_context.ts'

const PATH = `/organizations/${STANDARD}`

/** Signed in, with the minute used up just before the access token is to be refreshed. */
async function usedUp() {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn()
  fixture.advance(3_530_000)
  for (let left = 60; left > 0; left -= 1) await browser.spend(PATH)
  return { fixture, browser }
}

test('in a used-up minute neither the refresh nor the read is sent (5.4, 8.2)', async () => {
  const { fixture, browser } = await usedUp()
  const before = fixture.sent.length
  fixture.advance(45_000)
  const { body } = await browser.spend(PATH)
  expect(body.code).toBe('rate_limited')
  expect(fixture.sent).toHaveLength(before)
  fixture.advance(body.retry_in_ms ?? 0)
  expect((await browser.spend(PATH)).status).toBe(200)
})

test('after the reset one request with the new token is sent, the others wait for its answer (2.2)', async () => {
  const { fixture, browser } = await usedUp()
  fixture.advance(61_000)
  let inFlight = 0
  let most = 0
  fixture.intercept(async (request, through) => {
    if (request.url.endsWith('/oauth2/token')) return through(request)
    inFlight += 1
    most = Math.max(most, inFlight)
    await new Promise((resolve) => setTimeout(resolve, 5))
    const answer = await through(request)
    inFlight -= 1
    return answer
  })
  const answers = await Promise.all([browser.spend(PATH), browser.spend('/rate_limit')])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(most).toBe(1)
})

const pause = (inMs: number) =>
  ({ code: 'limit_unknown', reasons: [{ code: 'payment_asked' }], untilMs: START_MS + inMs }) as const
const observed = (name: RequestClass, remaining: number) => ({
  class: name,
  remaining,
  resetAtSeconds: START_MS / 1000 + 20,
  servedAtSeconds: START_MS / 1000,
  assumed: false,
  notes: [],
})

test('the new token gets the pauses of the old one, and one for each used-up window (8.2)', async () => {
  const { context } = createContext()
  const gauges = fold({}, [observed('read', 0), observed('update', 3)])
  await changeTokenNote(context, 'old', () => ({ gauges, pauses: { update: pause(5000) } }))
  await transferLimits(context, 'old', 'new')
  expect(await readTokenNote(context, 'new')).toEqual({
    gauges: {},
    pauses: {
      read: {
        code: 'rate_limited',
        reasons: [{ code: 'minute_used_up_before_refresh' }],
        untilMs: START_MS + 21_000,
      },
      update: pause(5000),
    },
  })
})

test.each([
  [30_000, 30_000],
  [5000, 21_000],
])(
  'of a pause of %d ms and a used-up window the later end is transferred: %d ms (8.2)',
  async (inMs, until) => {
    const { context } = createContext()
    const gauges = fold({}, [observed('read', 0)])
    await changeTokenNote(context, 'old', () => ({ gauges, pauses: { read: pause(inMs) } }))
    await transferLimits(context, 'old', 'new')
    expect((await readTokenNote(context, 'new')).pauses.read?.untilMs).toBe(START_MS + until)
  },
)

test('nothing is transferred if nothing is over the limit (8.2)', async () => {
  const { context } = createContext()
  const known = { gauges: {}, pauses: { read: pause(1) } }
  await changeTokenNote(context, 'new', () => known)
  await changeTokenNote(context, 'old', () => ({ gauges: fold({}, [observed('read', 1)]), pauses: {} }))
  await transferLimits(context, 'old', 'new')
  expect(await readTokenNote(context, 'new')).toEqual(known)
})

test("the token endpoint's report about the new token stays (5.4)", async () => {
  const { context } = createContext()
  const gauges = fold({}, [observed('read', 60)])
  await changeTokenNote(context, 'new', () => ({ gauges, pauses: {} }))
  await changeTokenNote(context, 'old', () => ({ gauges: {}, pauses: { read: pause(5000) } }))
  await transferLimits(context, 'old', 'new')
  expect(await readTokenNote(context, 'new')).toEqual({ gauges, pauses: { read: pause(5000) } })
})
