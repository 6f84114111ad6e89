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
  expect(await page()).toMatch(/the next 2 of\s*<code>token<\/code>:\s*<code>truncate<\/code>, takes effect/)
  await press('/', { do: 'clear_faults' })
  expect(control.faults()).toEqual([])
})
