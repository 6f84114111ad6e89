import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { JsonView } from '../../../src/web/record/view.tsx'

test('what is typed filters the record, and the number of matches is announced', async () => {
  const user = userEvent.setup()
  render(<JsonView text='{"name":"Harbour","plan":"standard","settings":{"zone":"UTC","day":"Monday"}}' />)
  const search = screen.getByRole('searchbox', { name: 'Search in this record' })
  await user.type(search, 'MON')
  expect(await screen.findByText('1 match')).toHaveRole('status')
  expect(screen.queryByText('Harbour')).toBeNull()
  expect(screen.queryByText('Plan')).toBeNull()
  expect(screen.queryByText('UTC')).toBeNull()
  expect(screen.getByText('Mon', { selector: 'mark' })).toBeVisible()
  await user.clear(search)
  expect(await screen.findByText('Harbour')).toBeVisible()
  expect(screen.queryByText('1 match')).toBeNull()
})

test('where nothing is found the page shows that', async () => {
  const user = userEvent.setup()
  render(<JsonView text='{"name":"Harbour"}' />)
  await user.type(screen.getByRole('searchbox'), 'constructor')
  expect(await screen.findByText('0 matches')).toBeVisible()
})
