import { expect, test } from 'vitest'
import { createClock } from '../../../src/sandbox/state/context.ts'
import { LAST_TO_SET_MS } from '../../../src/sandbox/state/parse.ts'
import type { SandboxState } from '../../../src/sandbox/state/state.ts'
import { rate, START_MS } from '../../kit/sandbox.ts'
import { bearerOf, each, start } from '../_start.ts'

test('the clock runs with the time that is passed in, stands still while frozen, and runs on from there', () => {
  const outside = { ms: 1000 }
  const state: SandboxState['clock'] = { offset_ms: 0 }
  const clock = createClock(
    () => state,
    () => outside.ms,
  )
  const after = (ms: number) => {
    outside.ms += ms
    return clock.nowMs()
  }
  clock.advance(500)
  expect(after(10)).toBe(1510)
  clock.set(100)
  expect(after(10)).toBe(110)
  // It goes to no instant that a date cannot express.
  for (const ms of [-1, 0.5, Number.NaN, Infinity, LAST_TO_SET_MS + 1])
    expect(() => clock.set(ms)).toThrow(Error)
  clock.freeze()
  expect(after(1_000_000)).toBe(110)
  clock.advance(60_000)
  expect(after(1)).toBe(60_110)
  clock.run()
  expect(after(1)).toBe(60_111)
})

const NOW = Math.floor(START_MS / 1000)

each('skew', {
  none: 0,
  plus_5_minutes: 300,
  minus_5_minutes: -300,
  plus_1_day: 86_400,
  no_date: undefined,
})(
  'Date, header and record are ahead, and lifetimes are right (U82)',
  async ({ api, key, tokens, readWith, later }, skew) => {
    const answer = await api(1, '/rate_limit', key())
    const date = answer.headers.get('Date')
    const ahead = date === null ? undefined : Date.parse(date) / 1000 - NOW
    const reset = NOW + 60 + (ahead ?? 0)
    expect([skew, rate(answer).reset, (await answer.json()).get.reset]).toEqual([skew, reset, reset])
    const { access_token } = await tokens()
    later(3600, -1)
    expect(await readWith(access_token)).toBe(200)
    later(0, 1)
    expect(await readWith(access_token)).toBe(401)
    return ahead
  },
)

test('the seconds that are left are the same by any clock, and a reset of 0 stays 0 (U55, U57, U82)', async () => {
  const left = start({ choices: { skew: 'plus_1_day', resetunit: 'seconds_left' } })
  expect(rate(await left.api(1, '/organizations', left.key())).reset).toBe(60)
  const zero = start({ choices: { skew: 'plus_1_day', window: 'idle_reset_zero' } })
  expect(rate(await zero.send('/nothing')).reset).toBe(0)
})

each('boundary', {
  refused_from_3600: 3_600_000,
  refused_after_3600: 3_600_001,
  tolerance_15_seconds: 3_615_000,
})(
  'the age in ms at which a token is first refused (S27, S65, U29, 5.4.2)',
  async ({ sandbox, tokens, readWith }) => {
    const { access_token } = await tokens()
    const { control } = sandbox
    control.moveClock({ do: 'freeze' })
    control.moveClock({ do: 'to_token_end' })
    const end = control.nowMs()
    expect(await readWith(access_token)).toBe(401)
    control.moveClock({ do: 'set', ms: end - 1 })
    expect(await readWith(access_token)).toBe(200)
    return end - START_MS
  },
)

test('the next minute is the next reset of an open window, or a minute from now (2.2)', async () => {
  const { sandbox, clock, left, key } = start()
  const { control } = sandbox
  const seen: number[] = []
  const goToNext = () => {
    control.moveClock({ do: 'to_next_minute' })
    seen.push(control.nowMs() - (START_MS - 250))
  }
  control.moveClock({ do: 'freeze' })
  goToNext()
  await left()
  control.moveClock({ do: 'advance', ms: 10_400 })
  await left(key(2002))
  goToNext()
  goToNext()
  expect([seen, clock.ms]).toEqual([[60_000, 120_000, 130_000], START_MS])
})

test("the token's end is the next end of an active token, and without one the clock stays (5.4)", async () => {
  const { sandbox, tokens, later, status } = start()
  const { control } = sandbox
  control.moveClock({ do: 'to_token_end' })
  expect(control.nowMs()).toBe(START_MS)
  await tokens()
  later(1)
  const headers = bearerOf((await tokens()).access_token)
  control.moveClock({ do: 'to_token_end' })
  expect(control.nowMs()).toBe(START_MS + 3_600_000)
  expect(await status('/organizations/1001', headers)).toBe(200)
  control.moveClock({ do: 'to_token_end' })
  expect(await status('/organizations/1001', headers)).toBe(401)
})

each('tz', {
  utc: '2026-12-01T00:00:00.000Z',
  asia_tokyo: '2026-11-30T15:00:00.000Z',
  america_new_york: '2026-12-01T05:00:00.000Z',
  organization: '2026-12-01T00:00:00.000Z',
})("the month's end is 00:00 on the first of a month (U68, 8.3)", ({ sandbox }) => {
  sandbox.control.moveClock({ do: 'to_month_end' })
  return new Date(sandbox.control.nowMs()).toISOString()
})
