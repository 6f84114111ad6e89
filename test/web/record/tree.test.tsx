import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { JsonView } from '../../../src/web/record/view.tsx'

const draw = (value: unknown) => render(<JsonView text={JSON.stringify(value)} />)

test('a branch is shown and hidden by its name, also by keyboard, and says what it contains', () => {
  draw({ settings: { zone: 'UTC', day: 1 } })
  const name = screen.getByRole('button', { name: 'Settings', expanded: true })
  fireEvent.click(name)
  expect(name).toHaveAttribute('aria-expanded', 'false')
  expect(screen.queryByText('UTC')).toBeNull()
  expect(screen.getByText('2 fields')).toBeVisible()
})

test('a closed branch is not rendered', () => {
  const { container } = draw({ a: { b: { c: { d: { e: 'inside' } } } } })
  expect(container).not.toHaveTextContent('inside')
  fireEvent.click(screen.getByRole('button', { name: 'D', expanded: false }))
  expect(container).toHaveTextContent('inside')
})

test('known members come first, and no other field hides the organization’s members (2.3)', () => {
  const { container } = draw({
    ...Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`field_${at}`, at])),
    members: [
      { id: 'ada', name: 'Ada' },
      { id: 'ben', name: 'Ben' },
    ],
    plan: 'standard',
  })
  expect([...container.querySelectorAll('dt bdi')].slice(0, 2).map((name) => name.textContent)).toEqual([
    'Plan',
    'Members',
  ])
  expect(screen.getByText('Standard')).toBeVisible()
  expect(screen.getByText('Ada')).toBeVisible()
})

test.each([
  ['plan', { tier: 1 }],
  ['plan', 'gold'],
  ['plan', 'constructor'],
  ['owner', [null]],
  ['members', 3],
  ['created_at', 1e9],
  ['updated_at', false],
])('a known member %s may be %j (4.4)', (name, value) => {
  const { container } = draw({ [name]: value })
  expect(container.textContent).not.toMatch(/undefined|NaN|\[object|function/)
})

test('items of a list are called by their number and their name', () => {
  draw({ projects: [{ name: 'Kittiwake', tasks: [{ a: 1 }] }, 7] })
  expect(screen.getByRole('button', { name: '1 · Kittiwake' })).toBeVisible()
})
