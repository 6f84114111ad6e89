import { expect, test } from 'vitest'
import { open, START_MS } from '../../kit/sandbox.ts'

test('the next minute is the next reset of an open window, or a minute from now (2.2)', async () => {
  const { sandbox, clock, send, key } = open()
  const { control } = sandbox
  control.clock.freeze()
  control.clock.toNextMinute()
  expect(control.clock.nowMs()).toBe(START_MS - 250 + 60_000)
  await send('/organizations', { headers: key() })
  control.clock.advance(10_400)
  await send('/organizations', { headers: key(2002) })
  control.clock.toNextMinute()
  expect(control.clock.nowMs()).toBe(START_MS - 250 + 120_000)
  control.clock.toNextMinute()
  expect(control.clock.nowMs()).toBe(START_MS - 250 + 130_000)
  expect(clock.ms).toBe(START_MS)
})

test("the token's end is the next end of an active token, and without one the clock stays (5.4)", async () => {
  const { sandbox, bearer, clock, send } = open()
  const { control } = sandbox
  control.clock.toTokenEnd()
  expect(control.clock.nowMs()).toBe(START_MS)
  await bearer()
  clock.ms += 1000
  const headers = await bearer()
  control.clock.toTokenEnd()
  expect(control.clock.nowMs()).toBe(START_MS + 3_600_000)
  expect((await send('/organizations/1001', { headers })).status).toBe(200)
  control.clock.toTokenEnd()
  expect((await send('/organizations/1001', { headers })).status).toBe(401)
})

test("the month's end is 00:00 on the first of a month, in the chosen zone (8.3)", () => {
  for (const [tz, end] of [
    ['utc', '2026-12-01T00:00:00.000Z'],
    ['asia_tokyo', '2026-11-30T15:00:00.000Z'],
    ['america_new_york', '2026-12-01T05:00:00.000Z'],
  ] as const) {
    const { control } = open({ choices: { tz } }).sandbox
    control.clock.toMonthEnd()
    expect(new Date(control.clock.nowMs()).toISOString()).toBe(end)
  }
})

test.each([
  ['refused_from_3600', 3_600_000],
  ['refused_after_3600', 3_600_001],
  ['tolerance_15_seconds', 3_615_000],
] as const)("the token's end under %s is the first instant at which it is refused", async (boundary, ms) => {
  const { sandbox, bearer, send } = open({ choices: { boundary } })
  const headers = await bearer()
  sandbox.control.clock.toTokenEnd()
  expect(sandbox.control.clock.nowMs()).toBe(START_MS + ms)
  expect((await send('/organizations/1001', { headers })).status).toBe(401)
})
