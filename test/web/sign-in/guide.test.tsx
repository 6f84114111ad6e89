import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { signedInNetwork } from '../_network.ts'
import { openPage } from '../_page.tsx'

const REDIRECT_URI = 'http://localhost:3000/callback'

test('the sign-in page leads to the guide, which says what to register, at no request (5.2)', async () => {
  const { network, user } = await openPage('/', await signedInNetwork('none'))
  await user.click(await screen.findByRole('link', { name: 'Set-up guide for administrators' }))
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Set-up guide for administrators' }),
  ).toHaveFocus()
  expect(document.title).toBe('Set-up guide for administrators · Plimsoll')
  expect(screen.getByLabelText(/redirect URI/)).toHaveValue(REDIRECT_URI)
  expect(screen.getByText('plimsoll-test')).toBeVisible()
  const copy = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await user.click(screen.getByRole('button', { name: 'Copy' }))
  expect(await screen.findByText('Copied')).toBeVisible()
  expect(copy).toHaveBeenCalledWith(REDIRECT_URI)
  await user.click(screen.getByRole('link', { name: 'Back to the sign-in' }))
  expect(await screen.findByRole('button', { name: 'Sign in · 1–2 requests' })).toBeVisible()
  expect([network.spent(), network.count('GET', '/bff/session')]).toEqual([0, 1])
})

test('an administrator reads what a plan limits, and that Plimsoll needs its only application (8.1, 8.3)', async () => {
  await openPage('/guide', await signedInNetwork('none'))
  const card = await screen.findByText(/allows 1 application: if you have one already/)
  expect(card).toHaveTextContent('the 100 requests a month')
})

test('a browser that cannot copy shows the text to select', async () => {
  const { user } = await openPage('/guide', await signedInNetwork('none'))
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('refused'))
  await user.click(await screen.findByRole('button', { name: 'Copy' }))
  expect(await screen.findByText(/Select the text, and copy it yourself/)).toBeVisible()
})

test('a signed-in person can read the guide too, and go back to the organization', async () => {
  await openPage('/guide', await signedInNetwork())
  expect(await screen.findByRole('link', { name: 'Back to quota and organization' })).toBeVisible()
  expect(screen.getByLabelText(/redirect URI/)).toHaveValue(location.origin + '/callback')
})
