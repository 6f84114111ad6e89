import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ReadingForm } from '../../../src/web/readings/form.tsx'
import { gate, signedInNetwork } from '../_network.ts'
import { draw } from '../_month.tsx'

async function open() {
  const network = await signedInNetwork()
  const saved: string[] = []
  const { user } = draw(<ReadingForm readings={[]} onSaved={async (sentence) => void saved.push(sentence)} />)
  return { network, saved, user, field: screen.getByLabelText('Monthly access count') }
}

test('fast presses store one reading, and the field is empty afterwards (C17)', async () => {
  const { network, saved, user, field } = await open()
  const slow = gate()
  network.gate = slow.closed
  await user.type(field, '32{Enter}{Enter}')
  const button = screen.getByRole('button', { name: 'Save · free' })
  await user.click(button)
  expect(button).toHaveAttribute('aria-busy', 'true')
  slow.open()
  await waitFor(() => expect(saved).toEqual(['Saved: 32 this month.']))
  expect(field).toHaveValue('')
  expect(network.count('POST', '/bff/readings')).toBe(1)
})

test('an error disappears with the next valid number (C19)', async () => {
  const { saved, user, field } = await open()
  await user.type(field, 'x{Enter}')
  expect(field).toHaveAttribute('aria-invalid', 'true')
  await user.clear(field)
  await user.type(field, '7{Enter}')
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(field).toHaveAttribute('aria-invalid', 'false')
})

test('a number lower than a reading that the page does not know can only be a reset (C19)', async () => {
  const { network, saved, user, field } = await open()
  await network.browser.request('POST', '/bff/readings', { json: { count: 32 } })
  await user.type(field, '4{Enter}')
  expect(await screen.findByText(/4 is lower than a number that was read before/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Correct the earlier one' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'The month was reset' }))
  await waitFor(() => expect(saved).toHaveLength(1))
})
