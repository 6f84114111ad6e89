import { expect, test } from 'vitest'
import { FAULT_KINDS, OPERATIONS } from '../../../src/sandbox/state/injected-fault.ts'
import { openControl } from '../_control.ts'

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
