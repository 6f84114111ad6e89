import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { signedInNetwork } from '../_network.ts'
import { NAME, openPage } from '../_page.tsx'

test('the header shows who is signed in and how, and always offers the sign-out (requirement 42)', async () => {
  await openPage('/')
  const header = await screen.findByRole('banner')
  expect(header).toHaveTextContent('Organization 1001')
  expect(header).toHaveTextContent('OAuth')
  expect(screen.getByRole('button', { name: 'Sign out' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Plimsoll' })).toHaveAttribute('href', '/')
})

test('with an API key the header names no organization (5.1)', async () => {
  await openPage('/', await signedInNetwork('api_key'))
  const header = await screen.findByRole('banner')
  expect(header).toHaveTextContent('API key')
  expect(header).not.toHaveTextContent('Organization')
})

test('fast presses of the sign-out button end the session once', async () => {
  const { network, user } = await openPage('/')
  await user.dblClick(await screen.findByRole('button', { name: 'Sign out' }))
  expect(await screen.findByText('You are signed out')).toBeVisible()
  expect(network.count('DELETE', '/bff/session')).toBe(1)
})

test('a side page has a title, leads back, and tries again at no request', async () => {
  const network = await signedInNetwork()
  network.cut.add('GET /bff/evidence')
  const { user } = await openPage('/learnt', network)
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  expect(document.title).toBe('What we learnt about the service · Plimsoll')
  network.cut.clear()
  await user.click(screen.getByRole('button', { name: 'Try again · free' }))
  expect(await screen.findByText('In which time zone is the month reset?')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
  await user.click(screen.getByRole('link', { name: 'Back to quota and organization' }))
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(network.spent()).toBe(0)
})
