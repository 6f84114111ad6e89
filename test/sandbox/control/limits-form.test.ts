import { expect, test } from 'vitest'
import { openControl, stateOf } from '../_control.ts'

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
