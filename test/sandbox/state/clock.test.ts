import { describe, expect, test } from 'vitest'
import { type ClockState, createClock, isInstant, LAST_INSTANT_MS } from '../../../src/sandbox/state/clock.ts'
import { open } from '../../kit/sandbox.ts'

function wound() {
  const outside = { ms: 1000 }
  const state: ClockState = { offset_ms: 0 }
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
    for (const ms of [-1, 0.5, Number.NaN, Infinity, LAST_INSTANT_MS + 1])
      expect([isInstant(ms), () => clock.set(ms)]).toEqual([false, expect.toSatisfy((set) => throws(set))])
    expect(clock.nowMs()).toBe(1000)
  })
})

const throws = (act: () => void): boolean => {
  try {
    act()
    return false
  } catch {
    return true
  }
}

test('Date, windows, tokens and months all follow the one clock (2.2, 5.4, 8.3)', async () => {
  const { sandbox, send, bearer, api } = open()
  const headers = await bearer()
  sandbox.control.clock.freeze()
  expect((await api(61, '/organizations/1001', headers)).status).toBe(429)
  sandbox.control.clock.toNextMinute()
  const after = await send('/organizations/1001', { headers })
  expect([after.status, after.headers.get('Date')]).toEqual([200, 'Sat, 21 Nov 2026 06:01:00 GMT'])
  sandbox.control.clock.toTokenEnd()
  expect((await send('/organizations/1001', { headers })).status).toBe(401)
  expect(sandbox.snapshot().months['1001']?.count).toBe(61)
  sandbox.control.clock.toMonthEnd()
  const month = await send('/plan?organization_id=1001')
  expect(month.headers.get('Date')).toBe('Tue, 01 Dec 2026 00:00:00 GMT')
})
