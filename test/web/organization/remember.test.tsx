import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { lastOrganizations } from '../../../src/web/session/last-organizations.ts'
import { signedInNetwork } from '../_network.ts'
import { NAME, openPage, signOut } from '../_page.tsx'

test('the browser remembers the organization and its name for free, until a sign-out (8.3)', async () => {
  const { network, user } = await openPage('/')
  await screen.findByText(NAME)
  await expect.poll(lastOrganizations).toEqual([{ id: '1001', name: 'Harbour Rope Works' }])
  expect(Object.keys(localStorage)).toEqual(['plimsoll.organizations'])
  expect(network.spent()).toBe(0)
  await signOut(user)
  await screen.findByText('You are signed out')
  expect(localStorage).toHaveLength(0)
})

test('after a session has ended by itself, one press signs in to its organization again', async () => {
  const network = await signedInNetwork()
  const { unmount } = await openPage('/', network)
  await screen.findByText(NAME)
  unmount()
  await network.browser.signOut()
  await openPage('/', network)
  expect(
    await screen.findByRole('button', { name: 'Harbour Rope Works (1001) · 1–2 requests' }),
  ).toBeVisible()
})

test('an API key names no organization, so the browser remembers none (5.1)', async () => {
  await openPage('/', await signedInNetwork('api_key'))
  await screen.findByText(NAME)
  expect(lastOrganizations()).toEqual([])
})
