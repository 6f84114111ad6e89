import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { signedInNetwork } from '../_network.ts'
import { openPage } from '../_page.tsx'

test('the header shows who is signed in and how, and always offers the sign-out (requirement 42)', async () => {
  await openPage('/')
  const header = await screen.findByRole('banner')
  expect(header).toHaveTextContent('Organization 1001')
  expect(header).toHaveTextContent('OAuth')
  expect(screen.getByRole('button', { name: 'Sign out' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Plimsoll' })).toHaveAttribute('href', '/')
})

test('with an API key no organization is claimed (5.1)', async () => {
  await openPage('/', await signedInNetwork('api_key'))
  const header = await screen.findByRole('banner')
  expect(header).toHaveTextContent('API key')
  expect(header).not.toHaveTextContent('Organization')
})

test('fast presses of sign-out end the session once', async () => {
  const { network, user } = await openPage('/')
  await user.dblClick(await screen.findByRole('button', { name: 'Sign out' }))
  expect(await screen.findByText('You are signed out')).toBeVisible()
  expect(network.count('DELETE', '/bff/session')).toBe(1)
})
