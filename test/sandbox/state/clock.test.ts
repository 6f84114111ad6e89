import { describe, expect, test } from 'vitest'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import { createClock, LAST_INSTANT_MS } from '../../../src/sandbox/state/context.ts'
import type { SandboxState } from '../../../src/sandbox/state/state.ts'
import { open, rate, START_MS } from '../../kit/sandbox.ts'

function wound() {
  const outside = { ms: 1000 }
  const state: SandboxState['clock'] = { offset_ms: 0 }
  return {
    outside,
    state,
    clock: createClock(
      () => state,
      () => outside.ms,
    ),
  }
}

describe('the clock', () => {
  test('runs with the time that is passed in, and keeps its distance after an advance', () => {
    const { clock, outside } = wound()
    clock.advance(500)
    outside.ms += 10
    expect(clock.nowMs()).toBe(1510)
    clock.set(100)
    outside.ms += 10
    expect(clock.nowMs()).toBe(110)
  })

  test('stands still while it is frozen, can be set, and runs on from there', () => {
    const { clock, outside } = wound()
    clock.freeze()
    outside.ms += 1_000_000
    expect(clock.nowMs()).toBe(1000)
    clock.advance(60_000)
    expect(clock.nowMs()).toBe(61_000)
    clock.run()
    outside.ms += 1
    expect(clock.nowMs()).toBe(61_001)
  })

  test('goes to no instant that a date cannot express', () => {
    const { clock } = wound()
    for (const ms of [-1, 0.5, Number.NaN, Infinity, LAST_INSTANT_MS + 1]) {
      expect(() => clock.set(ms)).toThrow(Error)
    }
    expect(clock.nowMs()).toBe(1000)
  })
})

test('Date, windows, tokens and months all follow the one clock (2.2, 5.4, 8.3)', async () => {
  const { sandbox, send, bearer, api } = open()
  const headers = await bearer()
  sandbox.control.moveClock({ do: 'freeze' })
  expect((await api(61, '/organizations/1001', headers)).status).toBe(429)
  sandbox.control.moveClock({ do: 'to_next_minute' })
  const after = await send('/organizations/1001', { headers })
  expect([after.status, after.headers.get('Date')]).toEqual([200, 'Sat, 21 Nov 2026 06:01:00 GMT'])
  sandbox.control.moveClock({ do: 'to_token_end' })
  expect((await send('/organizations/1001', { headers })).status).toBe(401)
  expect(sandbox.snapshot().months['1001']?.count).toBe(61)
  sandbox.control.moveClock({ do: 'to_month_end' })
  const month = await send('/plan?organization_id=1001')
  expect(month.headers.get('Date')).toBe('Tue, 01 Dec 2026 00:00:00 GMT')
})

const NOW = Math.floor(START_MS / 1000)

test.each<[Choices['skew'], number | undefined]>([
  ['none', 0],
  ['plus_5_minutes', 300],
  ['minus_5_minutes', -300],
  ['plus_1_day', 86_400],
  ['no_date', undefined],
])('a clock that is %s reports its own time in Date, header and record (U82)', async (skew, aheadSeconds) => {
  const { api, key } = open({ choices: { skew } })
  const answer = await api(1, '/rate_limit', key())
  const date = answer.headers.get('Date')
  expect(date === null ? undefined : Date.parse(date) / 1000 - NOW).toBe(aheadSeconds)
  const reset = NOW + 60 + (aheadSeconds ?? 0)
  expect([rate(answer).reset, (await answer.json()).get.reset]).toEqual([reset, reset])
})

test('all lifetimes end by the right time (U82)', async () => {
  const { send, bearer, clock } = open({ choices: { skew: 'plus_1_day' } })
  const headers = await bearer()
  const status = async () => (await send('/organizations', { headers })).status
  expect(await status()).toBe(200)
  clock.ms += 3_600_000
  expect(await status()).toBe(401)
})

test('the seconds that are left are the same by any clock, and a reset of 0 stays 0 (U55, U57, U82)', async () => {
  const left = open({ choices: { skew: 'plus_1_day', resetunit: 'seconds_left' } })
  expect(rate(await left.api(1, '/organizations', left.key())).reset).toBe(60)
  const zero = open({ choices: { skew: 'plus_1_day', window: 'idle_reset_zero' } })
  expect(rate(await zero.send('/nothing')).reset).toBe(0)
})

test.each([
  ['refused_from_3600', 3_599_999, 3_600_000],
  ['refused_after_3600', 3_600_000, 3_600_001],
  ['tolerance_15_seconds', 3_614_999, 3_615_000],
] as const)(
  'boundary %s: a token is served at an age of %d ms and refused at %d (U29, 5.4.2)',
  async (boundary, last, over) => {
    const opened = open({ choices: { boundary } })
    const headers = await opened.bearer()
    opened.clock.ms += last
    expect((await opened.send('/organizations', { headers })).status).toBe(200)
    opened.clock.ms += over - last
    expect((await opened.send('/organizations', { headers })).status).toBe(401)
  },
)
