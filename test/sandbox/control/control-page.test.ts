import { describe, expect, test } from 'vitest'
import { START_MS } from '../../kit/sandbox.ts'
import { openControl, stateOf } from '../_control.ts'

describe('the clock has a button', () => {
  test.each([
    ['To the next minute', { do: 'to_next_minute' }, START_MS - 250 + 60_000],
    ["To the month's end", { do: 'to_month_end' }, Date.UTC(2026, 11, 1)],
    ["To the token's end", { do: 'to_token_end' }, START_MS],
    ['Advance', { do: 'advance', amount: '3', unit: 'seconds' }, START_MS + 3000],
    ['Advance', { do: 'advance', amount: '3', unit: 'minutes' }, START_MS + 180_000],
    ['Advance', { do: 'advance', amount: '3', unit: 'hours' }, START_MS + 10_800_000],
    ['Advance', { do: 'advance', amount: '3', unit: 'days' }, START_MS + 259_200_000],
    ['Set', { do: 'set', instant: '2027-02-03T04:05' }, Date.UTC(2027, 1, 3, 4, 5)],
  ])('%s', async (name, fields, ms) => {
    const opened = openControl()
    expect((await opened.page()).replaceAll('&#39;', "'")).toContain(name)
    const answer = await opened.press('/', fields)
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, './'])
    expect(opened.control.clock.nowMs()).toBe(ms)
  })
})

test('forms clear the log and reset the sandbox', async () => {
  const opened = openControl()
  await opened.press('/choices', { choice: 'deny', value: 'page' })
  await opened.send('/organizations')
  await opened.press('/', { do: 'clear_log' })
  expect(opened.control.requestLog()).toEqual([])
  expect(await opened.page()).toContain('1 of 84 choices')
  await opened.press('/', { do: 'reset' })
  expect(await opened.page()).toContain('All 84 choices are at their default.')
})

test.each([
  { do: 'nothing' },
  { do: 'advance', amount: '-1', unit: 'hours' },
  { do: 'advance', amount: '1', unit: 'constructor' },
  { do: 'set', instant: 'never' },
  { do: 'fault', operation: '<b>', kind: 'lost', times: '1' },
])('%o is refused with the reason, and changes nothing', async (fields: Record<string, string>) => {
  const opened = openControl()
  const before = stateOf(opened)
  const answer = await opened.press('/', fields)
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([400, 'text/html; charset=UTF-8'])
  expect(await answer.text()).not.toContain('<b>')
  expect(stateOf(opened)).toEqual(before)
})

test('both pages link to each other and the app, need no script, and send forms with the csrf token', async () => {
  const { page } = openControl()
  for (const [path, current] of [
    ['/', './'],
    ['/choices', './choices'],
  ] as const) {
    const text = await page(path)
    for (const link of ['./', './choices']) expect(text).toContain(`href="${link}"`)
    expect(text).toContain(`href="${current}" aria-current="page"`)
    expect(text).not.toMatch(/<script|javascript:|\son\w+=/i)
    expect(text.match(/<h1/g)).toHaveLength(1)
    expect(text).toContain('<a href="http://localhost:3000/">Open Plimsoll</a>')
    const forms = text.match(/<form method="post".*?<\/form>/gs) ?? []
    expect(forms.length).toBeGreaterThan(2)
    for (const form of forms) expect(form).toMatch(/name="csrf_token" value="[\w-]{43}"/)
  }
})

test('each fault has a button that removes it, unless requests have used it up', async () => {
  const { control, press } = openControl()
  for (const kind of ['lost', 'reset']) control.addFault({ operation: 'token', kind })
  const answer = await press('/', { do: 'remove_fault', at: '0', fault: 'token lost' })
  expect([answer.status, answer.headers.get('Location')]).toEqual([303, './#faults'])
  expect(control.faults()).toMatchObject([{ kind: 'reset' }])
  for (const [at, fault] of [
    ['0', 'token lost'],
    ['1', 'token reset'],
    ['-1', 'token reset'],
  ] as const)
    expect((await press('/', { do: 'remove_fault', at, fault })).status).toBe(400)
  expect(control.faults()).toHaveLength(1)
})

const UNCHANGED = {
  organization_id: '1001',
  month_used: '0',
  read_used: '0',
  update_used: '0',
  per_month: '100',
  read_per_minute: '60',
  update_per_minute: '15',
  api_keys: '1',
  oauth_applications: '1',
}

test('a saved form stores only limits that differ from the plan', async () => {
  const opened = openControl()
  const before = stateOf(opened)
  const answer = await opened.press('/', { do: 'limits', ...UNCHANGED })
  expect([answer.status, answer.headers.get('Location')]).toEqual([303, './#limits'])
  expect(stateOf(opened)).toEqual(before)
  await opened.press('/', {
    do: 'limits',
    ...UNCHANGED,
    read_per_minute: '2',
    per_month: '',
    month_used: '7',
  })
  expect(opened.control.limits()).toEqual({ 1001: { read_per_minute: 2, per_month: null } })
  expect(opened.control.usage()[1001]).toMatchObject({ month: 7, read: 0 })
  expect(await opened.page()).toMatch(/limits changed.*7<\/strong> used, no limit/s)
  await opened.press('/', { do: 'plan_limits', organization_id: '1001' })
  expect(opened.control.limits()).toEqual({})
})

test('buttons use up the month or the minute, and reset the counts (8.4.3)', async () => {
  const opened = openControl()
  const press = (action: string) => opened.press('/', { do: action, organization_id: '1001' })
  const rule = async () => {
    await opened.send('/organizations', { headers: opened.key() })
    return opened.control.requestLog().at(-1)?.rule
  }
  await press('use_up_month')
  expect(await rule()).toBe('month_over')
  expect(await opened.page()).toMatch(/<strong>0<\/strong> of 100 left/)
  await press('reset_counts')
  await press('use_up_minute')
  expect(await rule()).toBe('minute_over')
  await press('reset_counts')
  expect(await rule()).toBe('served')
})

test.each([
  { organization_id: '9' },
  { organization_id: '' },
  { read_used: '-1', read_per_minute: '3' },
  { month_used: '10001', per_month: '' },
  { read_per_minute: 'many' },
])('%o is refused, and changes nothing', async (fields: Record<string, string>) => {
  const opened = openControl()
  const before = stateOf(opened)
  expect((await opened.press('/', { do: 'limits', ...UNCHANGED, ...fields })).status).toBe(400)
  expect(stateOf(opened)).toEqual(before)
})
