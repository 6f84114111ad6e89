import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import { isOfField, OneField } from '../../../src/web/sign-in/one-field.tsx'

const onProblem = vi.fn<(problem: Problem | undefined) => void>()
const open = (send: (typed: string) => Promise<void>) => {
  onProblem.mockClear()
  render(
    <OneField
      label="A field"
      input={{ id: 'a-field' }}
      initial=""
      hint={() => 'A hint.'}
      errorOf={(typed) => (typed === '' ? 'Empty.' : '')}
      button={{ kind: 'primary', label: 'Send', busy: 'Sending' }}
      send={send}
      note="What it costs."
      onProblem={onProblem}
    />,
  )
  return { user: userEvent.setup(), field: screen.getByLabelText('A field') }
}

test('an error is shown beside the field, which gets the focus, and nothing is sent', async () => {
  const send = vi.fn<() => Promise<void>>()
  const { user, field } = open(send)
  expect(screen.getByText('What it costs.')).toBeVisible()
  expect(field).toHaveAccessibleDescription('A hint.')
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(field).toHaveFocus()
  expect(field).toHaveAccessibleDescription('Empty.')
  expect(send).not.toHaveBeenCalled()
})

test('the form sends once while a request is under way, and again after a failure', async () => {
  let fail: (problem: Problem) => void = () => {}
  const send = vi.fn<() => Promise<void>>(() => new Promise((_, reject) => (fail = reject)))
  const { user, field } = open(send)
  await user.type(field, 'x')
  await user.dblClick(screen.getByRole('button', { name: 'Send' }))
  await user.click(screen.getByRole('button', { name: 'Sending' }))
  expect(send).toHaveBeenCalledOnce()
  const problem = new Problem('bff_unreachable')
  fail(problem)
  await user.click(await screen.findByRole('button', { name: 'Send' }))
  expect(send).toHaveBeenCalledTimes(2)
  expect(onProblem.mock.calls).toEqual([[undefined], [problem], [undefined]])
  expect(field).toHaveAttribute('aria-invalid', 'false')
})

test.each([
  ['key_rejected', true],
  ['invalid_organization_id', true],
  ['bff_unreachable', false],
  ['too_many_attempts', false],
] as const)('%s belongs to the field: %s', (code, is) => {
  expect(isOfField(new Problem(code))).toBe(is)
})
