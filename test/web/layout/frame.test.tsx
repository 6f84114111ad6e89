import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { signedInNetwork } from '../_network.ts'
import { NAME, openPage } from '../_page.tsx'

test('a side page has a title, leads back, and tries again at no request', async () => {
  const network = await signedInNetwork()
  network.cut.add('GET /bff/evidence')
  const { user } = await openPage('/learnt', network)
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  expect(document.title).toBe('How limits are counted · Plimsoll')
  network.cut.clear()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText(/open questions: we assume the worst case/)).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
  await user.click(screen.getByRole('link', { name: 'Back to quota and organization' }))
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(network.spent()).toBe(0)
})
