import { expect, test } from 'vitest'
import { clockState, moveClock } from '../../../src/sandbox/control/clock-command.ts'
import { openControl } from '../_control.ts'
import { open, START_MS } from '../../kit/sandbox.ts'

test.each([
  [{ do: 'advance', ms: 1000 }, START_MS + 1000],
  [{ do: 'set', ms: 0 }, 0],
  [{ do: 'to_next_minute' }, START_MS - 250 + 60_000],
  [{ do: 'to_month_end' }, Date.UTC(2026, 11, 1)],
  [{ do: 'to_token_end' }, START_MS],
  [{ do: 'freeze' }, START_MS],
  [{ do: 'run' }, START_MS],
])('the command %j is accepted', (command, ms) => {
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

test('the state of the clock has the time in milliseconds and by RFC 3339', () => {
  const { sandbox } = open()
  sandbox.control.clock.advance(1000)
  expect(clockState({ state: sandbox.snapshot(), nowMs: 0 })).toEqual({
    now_ms: 0,
    now: '1970-01-01T00:00:00.000Z',
    frozen: false,
    offset_ms: 1000,
  })
})

test.each([
  ['seconds', 1000],
  ['minutes', 60_000],
  ['hours', 3_600_000],
  ['days', 86_400_000],
])('the clock advances by 3 %s', async (unit, ms) => {
  const { control, press } = openControl()
  const before = control.clock.nowMs()
  await press('/', { do: 'advance', amount: '3', unit })
  expect(control.clock.nowMs() - before).toBe(3 * ms)
})

test('a frozen clock is shown as frozen, and can be run', async () => {
  const { control, page } = openControl()
  expect(await page()).toMatch(/>running<.*value="freeze"/s)
  control.clock.freeze()
  expect(await page()).toMatch(/>frozen<.*value="run"/s)
})

test('the time on the page begins at the time of the sandbox, and runs', async () => {
  const { ask, control } = openControl()
  control.clock.set(Date.UTC(2026, 10, 21, 6, 7, 8, 90))
  const answer = await ask('/clock.css')
  expect(answer.headers.get('Content-Type')).toBe('text/css; charset=utf-8')
  expect(answer.headers.get('Cache-Control')).toBe('no-store')
  const style = await answer.text()
  expect(style).toContain('seconds 60000ms steps(60) -8090ms infinite')
  expect(style).toContain('minutes 3600000ms steps(60) -428090ms infinite')
  expect(style).toContain('hours 86400000ms steps(24) -22028090ms infinite')
})

test('a frozen clock has no animation', async () => {
  const { ask, control } = openControl()
  control.clock.freeze()
  expect(await (await ask('/clock.css')).text()).toBe('')
})
