import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { navigate } from '../../src/web/router.ts'
import { NOBODY } from './_bff.ts'
import { openPage } from './_page.tsx'

test('a reload spends nothing (8.3)', async () => {
  for (let times = 0; times < 3; times++) {
    const { bff, unmount } = openPage('/')
    expect(await screen.findByText('Harbour')).toBeVisible()
    expect(bff.spent()).toBe(0)
    unmount()
  }
})

test('going to and fro asks for nothing again (8.3)', async () => {
  const { bff } = openPage('/')
  await screen.findByText('Harbour')
  for (const path of ['/organizations/1001', '/nowhere', '/', '/organizations/2002', '/'])
    act(() => navigate(path))
  expect(await screen.findByText('Harbour')).toBeVisible()
  expect(bff.count('GET', '/api/organizations/1001')).toBe(1)
  expect(bff.count('GET', '/bff/session')).toBe(1)
  expect(bff.spent()).toBe(0)
})

test('nobody sees the sign-in at the address that was asked for', async () => {
  openPage('/organizations/1001?tab=1#members', { session: NOBODY })
  expect(await screen.findByRole('button', { name: 'Sign in · 1 request' })).toBeVisible()
  expect(location.pathname + location.search + location.hash).toBe('/organizations/1001?tab=1#members')
})

test('an address with nothing behind it says so, asks for nothing, and leads on', async () => {
  const { bff, user } = openPage('/nothing/here')
  expect(screen.getByRole('heading', { name: 'There is nothing at this address' })).toBeVisible()
  expect(bff.calls).toEqual([])
  await user.click(screen.getByRole('link', { name: 'Go to the start page' }))
  expect(await screen.findByText('Harbour')).toBeVisible()
})

test('a server that cannot be reached is told, and asked again when a person says so', async () => {
  const { bff, user } = openPage('/', { failures: { 'GET /bff/session': 'unreachable' } })
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  expect(bff.calls).toHaveLength(1)
  bff.failures = {}
  await user.click(screen.getByRole('button', { name: 'Try again · free' }))
  expect(await screen.findByText('Harbour')).toBeVisible()
})

test('while it is asked who is signed in the page says so', () => {
  openPage('/', { gate: new Promise(() => {}) })
  expect(screen.getByRole('status')).toHaveTextContent('Asking who is signed in…')
})
