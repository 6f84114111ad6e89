import { describe, expect, test } from 'vitest'
import { openControl, stateOf } from '../_control.ts'
import { START_MS } from '../../kit/sandbox.ts'

describe('the clock has a button', () => {
  test.each([
    ['To the next minute', { do: 'to_next_minute' }, START_MS - 250 + 60_000],
    ["To the month's end", { do: 'to_month_end' }, Date.UTC(2026, 11, 1)],
    ["To the token's end", { do: 'to_token_end' }, START_MS],
    ['Advance', { do: 'advance', amount: '2', unit: 'hours' }, START_MS + 7_200_000],
    ['Set', { do: 'set', instant: '2027-02-03T04:05' }, Date.UTC(2027, 1, 3, 4, 5)],
  ])('%s', async (name, fields, ms) => {
    const opened = openControl()
    expect((await opened.page()).replaceAll('&#39;', "'")).toContain(name)
    const answer = await opened.press('/', fields)
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, './'])
    expect(opened.control.clock.nowMs()).toBe(ms)
  })

  test('Freeze, and then Run', async () => {
    const opened = openControl()
    expect(await opened.page()).toContain('value="freeze"')
    await opened.press('/', { do: 'freeze' })
    expect(await opened.page()).toContain('value="run"')
    await opened.press('/', { do: 'run' })
    expect(stateOf(opened).clock).toEqual({ offset_ms: 0 })
  })
})

test('forms add and clear faults, clear the log, and reset the sandbox', async () => {
  const opened = openControl()
  await opened.press('/', { do: 'fault', operation: 'token', kind: 'lost', times: '3' })
  await opened.press('/choices', { choice: 'deny', value: 'page' })
  expect(await opened.page()).toContain('Next 3 requests to /oauth2/token')
  await opened.press('/', { do: 'clear_faults' })
  expect(opened.control.faults()).toEqual([])
  await opened.send('/organizations')
  await opened.press('/', { do: 'clear_log' })
  expect(opened.control.requestLog()).toEqual([])
  expect(await opened.page()).toContain('1 of 84 choices')
  await opened.press('/', { do: 'reset' })
  expect(await opened.page()).toContain('All 84 choices are at their default.')
})

test.each([
  { do: 'nothing' },
  {},
  { do: 'advance', amount: '-1', unit: 'hours' },
  { do: 'advance', amount: '1', unit: 'constructor' },
  { do: 'advance', unit: 'hours' },
  { do: 'set', instant: 'never' },
  { do: 'fault', operation: 'token', kind: 'lost', times: '0' },
  { do: 'fault', operation: '<b>', kind: 'lost', times: '1' },
])('%o is refused with the reason, and changes nothing', async (fields: Record<string, string>) => {
  const opened = openControl()
  const before = stateOf(opened)
  const answer = await opened.press('/', fields)
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([400, 'text/html; charset=UTF-8'])
  expect(await answer.text()).not.toContain('<b>')
  expect(stateOf(opened)).toEqual(before)
})
