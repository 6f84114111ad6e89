import { describe, expect, test } from 'vitest'
import { FAULT_KINDS, OPERATIONS } from '../../../src/sandbox/state/injected-fault.ts'
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

  test('Freeze, and then Run', async () => {
    const opened = openControl()
    expect(await opened.page()).toMatch(/>running<.*value="freeze"/s)
    await opened.press('/', { do: 'freeze' })
    expect(await opened.page()).toMatch(/>frozen<.*value="run"/s)
    await opened.press('/', { do: 'run' })
    expect(stateOf(opened).clock).toEqual({ offset_ms: 0 })
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

test('only an application like Plimsoll gets a link', async () => {
  const opened = openControl()
  const [application] = opened.seed.applications
  for (const redirect_uri of [
    'javascript:alert(1)//callback',
    'com.example:/callback',
    'https://a.example/b',
  ]) {
    opened.control.seed({ applications: [{ ...application, redirect_uri }] })
    expect(await opened.page()).not.toContain('Open Plimsoll')
  }
})

test('the time on the page begins at the time of the sandbox, and runs unless the clock is frozen', async () => {
  const { ask, control } = openControl()
  control.clock.set(Date.UTC(2026, 10, 21, 6, 7, 8, 90))
  const answer = await ask('/clock.css')
  expect(answer.headers.get('Content-Type')).toBe('text/css; charset=utf-8')
  expect(answer.headers.get('Cache-Control')).toBe('no-store')
  const style = await answer.text()
  expect(style).toContain('seconds 60000ms steps(60) -8090ms infinite')
  expect(style).toContain('minutes 3600000ms steps(60) -428090ms infinite')
  expect(style).toContain('hours 86400000ms steps(24) -22028090ms infinite')
  control.clock.freeze()
  expect(await (await ask('/clock.css')).text()).toBe('')
})

test('the form offers every operation and every kind of fault', async () => {
  const page = await openControl().page()
  for (const value of [...OPERATIONS, ...Object.keys(FAULT_KINDS)])
    expect(page).toContain(`<option value="${value}"`)
})

test('an added fault is listed with its meaning, and cleared with a button', async () => {
  const { control, page, press } = openControl()
  expect(await page()).not.toContain('clear_faults')
  await press('/', { do: 'fault', operation: 'token', kind: 'truncate', times: '2' })
  expect(await page()).toContain('Next 2 requests to /oauth2/token, the token endpoint: takes effect')
  await press('/', { do: 'clear_faults' })
  expect(control.faults()).toEqual([])
})

test('a delay has a time, a status has a number, and other kinds have neither', async () => {
  const { control, page, press } = openControl()
  const fields = { do: 'fault', operation: 'any', times: '1', ms: '300', status: '418' }
  for (const kind of ['delay', 'status', 'html', 'reset']) await press('/', { ...fields, kind })
  const fault = { operation: 'any', times: 1 }
  expect(control.faults()).toEqual([
    { ...fault, kind: 'delay', ms: 300 },
    { ...fault, kind: 'status', status: 418 },
    { ...fault, kind: 'html', status: 418 },
    { ...fault, kind: 'reset' },
  ])
  expect(await page()).toMatch(/300 ms.*status 418/s)
  expect((await press('/', { ...fields, kind: 'delay', ms: 'soon' })).status).toBe(400)
  await press('/', { ...fields, kind: 'delay', ms: '' })
  expect(control.faults().at(-1)).toEqual({ ...fault, kind: 'delay' })
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

test('the limits of another organization stay', async () => {
  const opened = openControl()
  opened.control.changeLimits({ 2002: { api_keys: 3 } })
  await opened.press('/', { do: 'limits', ...UNCHANGED, api_keys: '2' })
  expect(opened.control.limits()).toEqual({ 1001: { api_keys: 2 }, 2002: { api_keys: 3 } })
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
