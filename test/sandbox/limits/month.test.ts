import { expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { countMonth, isMonthOver, monthOf } from '../../../src/sandbox/limits/month.ts'
import { createContextAt } from '../../../src/sandbox/state/context.ts'
import { firstState } from '../../../src/sandbox/state/state.ts'
import { rate, seed, START_MS } from '../../kit/sandbox.ts'
import { bearerOf, each, start } from '../_start.ts'

const DECEMBER_MS = Date.UTC(2026, 11, 1)
const HOUR_MS = 3_600_000

/** Works without the rest of the sandbox. @returns the actions at an instant */
function monthWith(choices: Partial<Choices>, id = 1001) {
  const state = firstState(seed())
  Object.assign(state.choices, choices)
  const at = createContextAt({ random: () => 'r', state, basePath: '', apiKeyHeader: '' })
  const organization = state.organizations.find((known) => known.id === id)!
  return (nowMs: number) => ({
    isOver: isMonthOver(at(nowMs), organization),
    used: monthOf(at(nowMs), organization).count,
    count: () => countMonth(at(nowMs), organization),
  })
}

test('the month counts all keys, tokens, reads and updates, also those answered 404 and 405 (S90, 8.3)', async () => {
  const { bearer, key, status, sandbox, month } = start()
  sandbox.control.changeUsage({ 1001: { month: 96 } })
  const token = await bearer()
  expect([
    await status('/organizations/2002', token),
    await status('/nothing', token, 'POST'),
    await status('/organizations', key(), 'DELETE'),
    await status('/rate_limit', token),
  ]).toEqual([404, 404, 405, 200])
  for (const headers of [token, key()])
    for (const method of ['GET', 'POST']) expect(await status('/organizations', headers, method)).toBe(429)
  expect(month()).toBe(100)
})

test('a clock that is set back finds its month as it left it, in December as in November (S92, 8.3)', async () => {
  const { sandbox, left, month } = start()
  const at = (ms: number) => sandbox.control.moveClock({ do: 'set', ms })
  sandbox.control.applyPreset({ name: 'month_used_up' })
  at(DECEMBER_MS)
  await left()
  at(DECEMBER_MS - HOUR_MS)
  expect([await left(), sandbox.control.usage()[1001]?.month]).toEqual([60, 100])
  at(DECEMBER_MS + HOUR_MS)
  expect(sandbox.control.usage()[1001]?.month).toBe(1)
  await left()
  expect(month()).toBe(2)
})

/** The first instants of thirteen months from February 2028 on, which has 29 days. */
const MONTHS: Record<Choices['tz'], (nth: number) => number> = {
  utc: (nth) => Date.UTC(2028, 1 + nth, 1),
  asia_tokyo: (nth) => Date.UTC(2028, 1 + nth, 1) - 9 * HOUR_MS,
  // Summer time lasts from 12 March to 5 November.
  america_new_york: (nth) => Date.UTC(2028, 1 + nth, 1, nth >= 2 && nth <= 9 ? 4 : 5),
  // This is Europe/London. Summer time lasts from 26 March to 29 October.
  organization: (nth) => Date.UTC(2028, 1 + nth, 1) - (nth >= 2 && nth <= 8 ? HOUR_MS : 0),
}

test.each(Object.entries(MONTHS))(
  'in the zone %s each of twelve months refuses the 101st request (S92, S93, U68, 8.3)',
  (tz, firstInstant) => {
    const at = monthWith({ tz: tz as Choices['tz'] })
    for (let nth = 0; nth < 12; nth += 1) {
      const [startMs, endMs] = [firstInstant(nth), firstInstant(nth + 1)]
      for (let request = 0; request < 100; request += 1) {
        const { isOver, count } = at(startMs + Math.floor(((endMs - startMs) * request) / 100))
        expect(isOver).toBe(false)
        count()
      }
      expect(at(endMs - 1)).toMatchObject({ isOver: true, used: 100 })
      expect(at(endMs)).toMatchObject({ isOver: false, used: 0 })
    }
  },
)

test('on Business 100000 requests over a year are all served (S91, 8.3)', () => {
  const at = monthWith({}, 2002)
  const [startMs, endMs] = [Date.UTC(2027, 0, 1), Date.UTC(2028, 0, 1)]
  let [refused, months] = [0, 0]
  for (let request = 0; request < 100_000; request += 1) {
    const { isOver, used, count } = at(startMs + Math.floor(((endMs - startMs) * request) / 100_000))
    if (isOver) refused += 1
    if (used === 0) months += 1
    count()
  }
  expect([refused, months]).toEqual([0, 12])
})

test('a change of the zone keeps the count of the month and moves its end (U68)', async () => {
  const { left, sandbox } = start()
  await left()
  sandbox.control.changeChoices({ tz: 'asia_tokyo' })
  await left()
  const { months } = sandbox.snapshot()
  expect(months[1001]).toMatchObject({ count: 2, ends_at_ms: DECEMBER_MS - 9 * HOUR_MS })
})

each('monthly', {
  status_429: [429, 'too_many_requests', null],
  status_403: [403, 'monthly_limit_exceeded', null],
  status_402: [402, 'monthly_limit_exceeded', null],
  error_200: [200, 'monthly_limit_exceeded', null],
  status_401: [401, 'monthly_limit_exceeded', 'Bearer realm="api", error="monthly_limit_exceeded"'],
})('status, error and challenge over the month (U66, RFC 6750 3)', async ({ sandbox, send, key }) => {
  sandbox.control.changeUsage({ 1001: { month: 100 } })
  const refused = await send('/organizations', { headers: key() })
  expect(rate(refused).remaining).toBe(60)
  expect(sandbox.control.requestLog()).toMatchObject([{ rule: 'month_over', cost: { month: 0 } }])
  return [refused.status, (await refused.json()).error, refused.headers.get('WWW-Authenticate')]
})

test('the limit of the month can be changed or removed at run time (S75, 8)', async () => {
  const { status, key, sandbox } = start()
  const read = () => status('/organizations', key())
  sandbox.control.changeLimits({ 1001: { per_month: 2 } })
  expect([await read(), await read(), await read()]).toEqual([200, 200, 429])
  sandbox.control.changeLimits({ 1001: { per_month: null } })
  expect(await read()).toBe(200)
})

test('a clock that is set back to an earlier month counts in that month (8.3)', async () => {
  const { left, clock, month } = start()
  clock.ms = DECEMBER_MS
  for (let nth = 0; nth < 3; nth += 1) await left()
  clock.ms = START_MS
  await left()
  expect(month()).toBe(1)
})

each('failcount', { valid_credential: [1, 2], all: [1, 3], only_2xx: [0, 1] })(
  'what a 404 costs, and a success, a 404 and an expired token together (U62)',
  async ({ status, tokens, later, sandbox, month }) => {
    const headers = bearerOf((await tokens()).access_token)
    for (const path of ['/organizations', '/nothing']) await status(path, headers)
    const cost = sandbox.control.requestLog().at(-1)?.cost.month
    later(3600)
    expect(await status('/organizations', headers)).toBe(401)
    return [cost, month()]
  },
)

test('the month counts each request of another client with the same key once (U71, 8.3)', async () => {
  const { left, month, later } = start({ choices: { shared: 'yes' } })
  await left()
  expect(month()).toBe(1)
  later(30)
  const remaining = await left()
  expect(month()).toBe(60 - remaining)
  await left()
  expect(month()).toBe(60 - remaining + 1)
})

/** @returns the count on the plan page of 1001 */
const shown = async ({ visit }: ReturnType<typeof start>) =>
  Number(/<strong>(\d+)<\/strong>/.exec((await visit('/plan?organization_id=1001')).html)?.[1])

each('lag', { live: [3, 5, 5, 5], delayed_40_minutes: [0, 0, 3, 5], cached_per_load: [3, 3, 5, 5] })(
  'the plan page after 3 requests, 2 more 20 minutes later, and each half-hour after that (U69)',
  async (there) => {
    const { api, key, later } = there
    await api(3, '/organizations', key())
    const first = await shown(there)
    later(20 * 60)
    await api(2, '/organizations', key())
    const seen = [first, await shown(there)]
    for (let nth = 0; nth < 2; nth += 1) {
      later(30 * 60)
      seen.push(await shown(there))
    }
    return seen
  },
)

test('the plan page shows the plan, the monthly access count and its reset (S91, S94, 8.3)', async () => {
  const { api, key, visit } = start()
  await api(37, '/organizations', key())
  const { html } = await visit('/plan?organization_id=1001')
  for (const text of ['monthly access count', '1 December 2026', '>standard<']) expect(html).toContain(text)
  expect(html).toMatch(/<strong>37<\/strong>\s*of 100 requests/)
  const business = await visit('/plan?organization_id=2002', 'cleo')
  expect(business.html).toMatch(/<strong>0<\/strong>\s*requests, unlimited/)
})
