import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import { OrganizationButton } from '../../../src/web/sign-in/organization-button.tsx'

test('many presses open once, and after a failure it is reported and can be pressed again', async () => {
  const user = userEvent.setup()
  const reports: (string | undefined)[] = []
  let fail: (error: Error) => void = () => {}
  const open = vi.fn<() => Promise<void>>(
    () =>
      new Promise((_, reject) => {
        fail = reject
      }),
  )
  render(
    <OrganizationButton
      busyLabel="Going"
      open={open}
      onProblem={(problem) => reports.push(problem && problem.code)}
    >
      Harbour
    </OrganizationButton>,
  )
  await user.dblClick(screen.getByRole('button', { name: 'Harbour' }))
  expect(open).toHaveBeenCalledOnce()
  expect(screen.getByRole('button', { name: 'Going', busy: true })).toHaveFocus()
  fail(new Problem('bff_unreachable'))
  await user.click(await screen.findByRole('button', { name: 'Harbour', busy: false }))
  expect(open).toHaveBeenCalledTimes(2)
  expect(reports).toEqual([undefined, 'bff_unreachable', undefined])
})
