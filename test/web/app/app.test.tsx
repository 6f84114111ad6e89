import { act, render, screen, waitFor } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, test } from 'vitest'
import { Guide, loadSignedIn, signedInScreen } from '../../../src/web/app/lazy-screens.ts'
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

test('going to other addresses and back sends no further request (8.3)', async () => {
  const { network } = await openPage('/')
  await screen.findByText(NAME)
  for (const path of ['/organizations/1001', '/nowhere', '/', '/organizations/2002', '/'])
    act(() => navigate(path))
  expect(await screen.findByText(NAME)).toBeVisible()
  expect(network.count('GET', '/api/organizations/1001')).toBe(1)
  expect(network.count('GET', '/bff/session')).toBe(1)
  expect(network.spent()).toBe(0)
})

test('without a session every address shows the sign-in (5.3)', async () => {
  await openPage('/organizations/1001?tab=1#members', await signedInNetwork('none'))
  expect(await screen.findByRole('button', { name: 'Sign in · 1–2 requests' })).toBeVisible()
  expect(location.pathname + location.search + location.hash).toBe('/organizations/1001?tab=1#members')
})

test('an unknown address says so, sends no request, and offers the start page', async () => {
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

test('the page says so while it loads the session', async () => {
  const network = await signedInNetwork()
  network.gate = gate().closed
  await openPage('/', network)
  expect(screen.getByRole('status')).toHaveTextContent('Opening Plimsoll…')
})

test('the page has a name, and everything is on one screen', async () => {
  await openPage('/')
  expect(await screen.findByRole('heading', { level: 1, name: 'Quota and organization' })).toBeInTheDocument()
  expect(
    screen.getAllByRole('region').flatMap((region) => region.getAttribute('aria-labelledby') ?? []),
  ).toEqual(['month', 'minute', 'organization'])
  // The title is set after the screen is drawn.
  await waitFor(() => expect(document.title).toBe('Harbour Rope Works · Plimsoll'))
})

test('the session’s organization has its own address', async () => {
  await openPage('/organizations/1001')
  expect(await screen.findByRole('heading', { name: 'Harbour Rope Works' })).toBeVisible()
})

test('every page is at its address, and costs nothing to open (8.3)', async () => {
  const { network } = await openPage('/')
  expect(await screen.findByText(NAME)).toBeVisible()
  for (const [path, heading] of [
    ['/ledger', 'Ledger'],
    ['/learnt', 'How limits are counted'],
    ['/sessions', 'Your sessions'],
  ] as const) {
    act(() => navigate(path))
    expect(await screen.findByRole('heading', { level: 1, name: heading })).toHaveFocus()
    expect(screen.getByRole('banner').querySelector('[aria-current=page]')).toHaveAttribute('href', path)
  }
  expect(network.spent()).toBe(0)
})

test('the signed-in screen is drawn without a fallback once it is loaded', async () => {
  const before = signedInScreen()
  await loadSignedIn()
  expect(signedInScreen()).not.toBe(before)
  expect(signedInScreen().name).toBe('SignedInScreen')
})

test('the guide is loaded when it is shown', async () => {
  render(
    <Suspense fallback="later">
      <Guide application={undefined} />
    </Suspense>,
  )
  expect(screen.getByText('later')).toBeVisible()
  expect(await screen.findByRole('heading', { level: 1 })).toBeVisible()
})
