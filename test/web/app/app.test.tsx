import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { navigate } from '../../../src/web/lib/router.ts'
import { gate, signedInNetwork } from '../_network.ts'
import { NAME, openPage } from '../_page.tsx'

test('a reload spends nothing (8.3)', async () => {
  const network = await signedInNetwork()
  for (let times = 0; times < 3; times++) {
    const { unmount } = await openPage('/', network)
    expect(await screen.findByText(NAME)).toBeVisible()
    unmount()
  }
  expect(network.spent()).toBe(0)
})

test('going to other addresses and back asks for nothing again (8.3)', async () => {
  const { network } = await openPage('/')
  await screen.findByText(NAME)
  for (const path of ['/organizations/1001', '/nowhere', '/', '/organizations/2002', '/'])
    act(() => navigate(path))
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(network.count('GET', '/api/organizations/1001')).toBe(1)
  expect(network.count('GET', '/bff/session')).toBe(1)
  expect(network.spent()).toBe(0)
})

test('without a session the sign-in is shown at the address that was asked for (5.3)', async () => {
  await openPage('/organizations/1001?tab=1#members', await signedInNetwork('none'))
  expect(await screen.findByRole('button', { name: 'Sign in · 1 request' })).toBeVisible()
  expect(location.pathname + location.search + location.hash).toBe('/organizations/1001?tab=1#members')
})

test('an unknown address is shown as such, sends no request, and offers the start page', async () => {
  const { network, user } = await openPage('/nothing/here')
  expect(screen.getByRole('heading', { name: 'There is nothing at this address' })).toBeVisible()
  expect(network.calls).toEqual([])
  await user.click(screen.getByRole('link', { name: 'Go to the start page' }))
  expect(await screen.findByText(NAME)).toBeVisible()
})

test('a server that cannot be reached is asked again when a person presses the button', async () => {
  const network = await signedInNetwork()
  network.cut.add('GET /bff/session')
  const { user } = await openPage('/', network)
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  expect(network.calls).toHaveLength(1)
  network.cut.clear()
  await user.click(screen.getByRole('button', { name: 'Try again · free' }))
  expect(await screen.findByText(NAME)).toBeVisible()
})

test('while the session is loaded the page shows that', async () => {
  const network = await signedInNetwork()
  network.gate = gate().closed
  await openPage('/', network)
  expect(screen.getByRole('status')).toHaveTextContent('Opening Plimsoll…')
})
