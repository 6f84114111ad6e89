import { expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { countMonth, isMonthOver, monthOf } from '../../../src/sandbox/limits/month.ts'
import { createContextAt } from '../../../src/sandbox/state/context.ts'
import { firstState } from '../../../src/sandbox/state/state.ts'
import { open, rate, seed, START_MS } from '../../kit/sandbox.ts'

type Opened = ReturnType<typeof open>
const DECEMBER_MS = Date.UTC(2026, 11, 1)
const HOUR_MS = 3_600_000

/** Works without the rest of the sandbox. @returns the actions at an instant */
function monthWith(choices: Partial<Choices>) {
  const state = firstState(seed())
  Object.assign(state.choices, choices)
  const at = createContextAt({ random: () => 'r', state, basePath: '' })
  const organization = (id: string) => state.organizations.find((known) => String(known.id) === id)!
  return (nowMs: number) => ({
    isOver: (id: string) => isMonthOver(at(nowMs), organization(id)),
    used: (id: string) => monthOf(at(nowMs), organization(id)).count,
    count: (id: string) => countMonth(at(nowMs), organization(id)),
  })
}

/** Reads until this number was served. The clock advances by a minute whenever one is used up. */
async function spend({ api, key, clock }: Opened, times: number) {
  for (let left = times; left > 0; left -= 50) {
    await api(Math.min(50, left), '/organizations', key())
    clock.ms += 60_000
  }
}
const count = (opened: Opened, id: string) => opened.sandbox.snapshot().months[id]?.count

test('on Standard the 100th request of a month is served, the 101st answers 429 (S92, 8.3) (S102, 8.4)', async () => {
  const opened = open()
  await spend(opened, 99)
  const headers = opened.key()
  expect((await opened.send('/organizations', { headers })).status).toBe(200)
  const refused = await opened.send('/organizations', { headers })
  expect(refused.status).toBe(429)
  expect(rate(refused)).toEqual({ limit: 60, remaining: 59, reset: Math.floor(opened.clock.ms / 1000) + 60 })
  expect(count(opened, '1001')).toBe(100)
})

test('the month counts all keys, tokens, reads and updates of an organization (S90, 8.3)', async () => {
  const opened = open()
  await spend(opened, 96)
  const bearer = await opened.bearer()
  await opened.send('/organizations/2002', { headers: bearer })
  await opened.send('/nothing', { headers: bearer, method: 'POST' })
  await opened.send('/organizations', { headers: opened.key(), method: 'DELETE' })
  expect((await opened.send('/rate_limit', { headers: bearer })).status).toBe(200)
  for (const headers of [bearer, opened.key()])
    for (const method of ['GET', 'POST'])
      expect((await opened.send('/organizations', { headers, method })).status).toBe(429)
  expect(count(opened, '1001')).toBe(100)
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
  'in the zone %s each of twelve months refuses the 101st request (S92, 8.3) (S93, 8.3) (U68)',
  (tz, firstInstant) => {
    const at = monthWith({ tz: tz as Choices['tz'] })
    for (let nth = 0; nth < 12; nth += 1) {
      const [startMs, endMs] = [firstInstant(nth), firstInstant(nth + 1)]
      expect(at(startMs).isOver('1001')).toBe(false)
      for (let request = 1; request <= 100; request += 1) {
        const context = at(startMs + Math.floor(((endMs - startMs) * (request - 1)) / 100))
        expect(context.isOver('1001')).toBe(false)
        context.count('1001')
      }
      expect([at(endMs - 1).isOver('1001'), at(endMs - 1).used('1001')]).toEqual([true, 100])
      expect([at(endMs).isOver('1001'), at(endMs).used('1001')]).toEqual([false, 0])
    }
  },
)

test('on Business 100000 requests over a year are all served (S91, 8.3)', () => {
  const at = monthWith({})
  const [startMs, endMs] = [Date.UTC(2027, 0, 1), Date.UTC(2028, 0, 1)]
  let refused = 0
  let sum = 0
  for (let request = 0; request < 100_000; request += 1) {
    const context = at(startMs + Math.floor(((endMs - startMs) * request) / 100_000))
    if (context.isOver('2002')) refused += 1
    context.count('2002')
    if (context.used('2002') === 1) sum += 1
  }
  expect([refused, sum]).toEqual([0, 12])
})

test('a change of the zone keeps the count of the month and moves its end (U68)', async () => {
  const opened = open()
  await spend(opened, 3)
  opened.sandbox.control.changeChoices({ tz: 'asia_tokyo' })
  await spend(opened, 1)
  expect(opened.sandbox.snapshot().months['1001']).toMatchObject({
    count: 4,
    ends_at_ms: DECEMBER_MS - 9 * HOUR_MS,
  })
})

test.each<[Choices['monthly'], number, string]>([
  ['status_429', 429, 'too_many_requests'],
  ['status_403', 403, 'monthly_limit_exceeded'],
  ['status_402', 402, 'monthly_limit_exceeded'],
  ['error_200', 200, 'monthly_limit_exceeded'],
  ['status_401', 401, 'monthly_limit_exceeded'],
])('over the month, the choice %s answers %i %s (U66)', async (monthly, status, error) => {
  const opened = open({ choices: { monthly } })
  await spend(opened, 100)
  const refused = await opened.send('/organizations', { headers: opened.key() })
  expect([refused.status, rate(refused).remaining]).toEqual([status, 60])
  expect(await refused.json()).toMatchObject({ error })
  expect(refused.headers.has('WWW-Authenticate')).toBe(status === 401)
  expect(opened.sandbox.control.requestLog().at(-1)).toMatchObject({ rule: 'month_over', cost: { month: 0 } })
})

test('the limit of the month can be changed or removed at run time (S75, 8)', async () => {
  const opened = open()
  const status = async () => (await opened.send('/organizations', { headers: opened.key() })).status
  opened.sandbox.control.changeLimits({ 1001: { per_month: 2 } })
  expect([await status(), await status(), await status()]).toEqual([200, 200, 429])
  opened.sandbox.control.changeLimits({ 1001: { per_month: null } })
  expect(await status()).toBe(200)
})

test('a clock that is set back to an earlier month counts in that month (8.3)', async () => {
  const opened = open()
  opened.clock.ms = DECEMBER_MS
  await spend(opened, 3)
  opened.clock.ms = START_MS
  await spend(opened, 1)
  expect(count(opened, '1001')).toBe(1)
})
