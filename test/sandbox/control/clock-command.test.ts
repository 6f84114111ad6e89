import { expect, test } from 'vitest'
import { clockState, moveClock } from '../../../src/sandbox/control/clock-command.ts'
import { open, START_MS } from '../_sandbox.ts'

test.each([
  [{ do: 'advance', ms: 1000 }, START_MS + 1000],
  [{ do: 'set', ms: 0 }, 0],
  [{ do: 'to_next_minute' }, START_MS - 250 + 60_000],
  [{ do: 'to_month_end' }, Date.UTC(2026, 11, 1)],
  [{ do: 'to_token_end' }, START_MS],
  [{ do: 'freeze' }, START_MS],
  [{ do: 'run' }, START_MS],
])('%j', (command, ms) => {
  const { clock } = open().sandbox.control
  moveClock(clock, command)
  expect(clock.nowMs()).toBe(ms)
})

test.each([
  undefined,
  {},
  { do: 'advance' },
  { do: 'set', ms: '0' },
  { do: 'run', ms: 0 },
  { do: 'set', ms: 0, x: 0 },
])('%j is refused', (command) => {
  const { clock } = open().sandbox.control
  expect(() => moveClock(clock, command)).toThrow(Error)
  expect(clock.nowMs()).toBe(START_MS)
})

test('the state of the clock has milliseconds and RFC 3339', () => {
  const { sandbox } = open()
  sandbox.control.clock.advance(1000)
  expect(clockState({ state: sandbox.snapshot(), nowMs: 0 })).toEqual({
    now_ms: 0,
    now: '1970-01-01T00:00:00.000Z',
    frozen: false,
    offset_ms: 1000,
  })
})
