import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { announceSession, hold, otherTab } from '../_network.ts'
import { NAME, openHome, openPage, quotaOfPage, showAgain, signOut } from '../_page.tsx'

const settle = (ms = 30) => act(() => new Promise((resolve) => setTimeout(resolve, ms)))
const press = async (user: Awaited<ReturnType<typeof openPage>>['user'], name: string | RegExp) =>
  user.click(screen.getByRole('button', { name }))
const UNREPORTED = { name: 'Not signed out yet' }

test('sign-out ends the session, deletes the data, and is confirmed (8.3)', async () => {
  const { network, user } = await openPage('/organizations/1001?tab=1')
  await screen.findByText(NAME)
  await signOut(user)
  expect(await screen.findByText('You are signed out')).toBeVisible()
  expect(screen.queryByText(NAME)).toBeNull()
  expect(quotaOfPage()).toBeUndefined()
  expect(network.spent()).toBe(0)
  expect((await network.browser.session()).body.signed_in).toBe(false)
  expect(localStorage).toHaveLength(0)
})

test('from the press on the page shows no data, even before an answer (ASVS 14.3.1)', async () => {
  const { network, user } = await openHome()
  const open = hold(network)
  await signOut(user)
  expect(screen.getByText('Signing out…')).toBeVisible()
  expect(screen.queryByText(NAME)).toBeNull()
  expect(quotaOfPage()).toBeUndefined()
  open()
  expect(await screen.findByText('You are signed out')).toBeVisible()
  expect(network.count('DELETE', '/bff/session')).toBe(1)
})

test('an answer that comes after the sign-out brings nothing back (ASVS 14.3.1)', async () => {
  const { network, user } = await openHome()
  const answer = hold(network)
  await press(user, /^Refresh/)
  act(showAgain)
  await waitFor(() => expect(network.count('GET', '/bff/session')).toBe(2))
  network.gate = undefined
  await signOut(user)
  expect(await screen.findByText('You are signed out')).toBeVisible()
  answer()
  await settle()
  expect(screen.getByText('You are signed out')).toBeVisible()
  expect(screen.queryByText(NAME)).toBeNull()
  expect(quotaOfPage()).toBeUndefined()
})

test('a page that learns of the end before its sign-out is answered says the same (attack 30)', async () => {
  const { network, user } = await openHome()
  const answer = hold(network)
  act(showAgain)
  await waitFor(() => expect(network.count('GET', '/bff/session')).toBe(2))
  network.gate = undefined
  network.cut.add('DELETE /bff/session')
  await signOut(user)
  await screen.findByRole('heading', UNREPORTED)
  await network.browser.signOut()
  answer()
  expect(await screen.findByText('You are signed out')).toBeVisible()
})

test('a sign-out that does not reach the server hides the data and can be repeated (attack 29)', async () => {
  const { network, user } = await openHome()
  network.cut.add('DELETE /bff/session')
  await signOut(user)
  expect(await screen.findByRole('heading', UNREPORTED)).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  // The menu with the pressed button is gone (WCAG 2.4.3).
  await waitFor(() => expect(screen.getByRole('alert')).toHaveFocus())
  network.cut.clear()
  await press(user, 'Try again')
  expect(await screen.findByText('You are signed out')).toBeVisible()
  expect((await network.browser.session()).body.signed_in).toBe(false)
})

test('however long it is not confirmed, nothing of the session comes back (ASVS 14.3.1)', async () => {
  const { network, user } = await openHome()
  network.cut.add('DELETE /bff/session')
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await act(() => signOut(user))
  await screen.findByRole('heading', UNREPORTED)
  expect(document.title).toMatch(/^Not signed out yet/)
  await act(() => vi.advanceTimersByTimeAsync(20 * 60_000))
  expect(screen.getByRole('heading', UNREPORTED)).toBeVisible()
  expect(screen.queryByText(NAME)).toBeNull()
})

test('the page repeats it when the network is back (attack 29)', async () => {
  const { network, user } = await openHome()
  network.cut.add('DELETE /bff/session')
  await signOut(user)
  await screen.findByRole('heading', UNREPORTED)
  act(() => void dispatchEvent(new Event('online')))
  await waitFor(() => expect(network.count('DELETE', '/bff/session')).toBe(2))
  expect(await screen.findByRole('heading', UNREPORTED)).toBeVisible()
  network.cut.clear()
  act(() => void dispatchEvent(new Event('online')))
  expect(await screen.findByText('You are signed out')).toBeVisible()
  expect((await network.browser.session()).body.signed_in).toBe(false)
})

test('an unconfirmed sign-out does not end a later sign-in of another tab (attack 30)', async () => {
  const { network, user } = await openHome()
  network.cut.add('DELETE /bff/session')
  await signOut(user)
  await screen.findByRole('heading', UNREPORTED)
  network.cut.clear()
  await network.browser.signIn('2002', 'Cleo')
  announceSession()
  expect(await screen.findByRole('heading', { name: 'Meridian Shipping' })).toBeVisible()
  act(() => void dispatchEvent(new Event('online')))
  await settle()
  expect(network.count('DELETE', '/bff/session')).toBe(1)
})

test('every other tab loads anew after the sign-out, with its reason (attack 30)', async () => {
  const { user } = await openHome()
  const seen: unknown[] = []
  otherTab().addEventListener('message', ({ data }: MessageEvent) => seen.push(data))
  await signOut(user)
  await screen.findByText('You are signed out')
  await expect.poll(() => seen).toEqual(['leaving', 'done'])
})

test('a sign-out in another tab is shown here, and an answer that comes later brings nothing back', async () => {
  const { network, user } = await openHome()
  const answer = hold(network)
  await press(user, /^Refresh/)
  network.gate = undefined
  await network.browser.signOut()
  otherTab().say('done')
  expect(await screen.findByText('You are signed out')).toBeVisible()
  answer()
  await settle()
  expect(screen.queryByText(NAME)).toBeNull()
  expect(network.count('DELETE', '/bff/session')).toBe(0)
})

test('a tab that learns from the server first that another one signs out says the same (attack 30)', async () => {
  const { network } = await openHome()
  otherTab().say('leaving')
  await settle()
  expect(screen.getByText(NAME)).toBeVisible()
  await network.browser.signOut()
  act(showAgain)
  expect(await screen.findByText('You are signed out')).toBeVisible()
})
