import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { answerWith, type Network, signedInNetwork } from '../_network.ts'
import { NAME, openHome, openPage } from '../_page.tsx'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Moves the clocks of page and server on, without a request of the page. */
function passTime(network: Network, ms: number): void {
  network.fixture.advance(ms)
  const [nowMs, startMs] = [Date.now() + ms, performance.now()]
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs + performance.now() - startMs)
}

/** Used every six days, but a session ends after 90 days in any case. */
async function inLastHours(hours: number): Promise<Network> {
  const network = await signedInNetwork()
  for (let days = 6; days < 90; days += 6) {
    network.fixture.advance(6 * DAY_MS)
    await network.browser.session()
  }
  network.fixture.advance(6 * DAY_MS - hours * HOUR_MS)
  return network
}

const line = (words: RegExp) => screen.findByText(words)
const sessionsAsked = (network: Network) => network.count('GET', '/bff/session')

test('a page that is always open asks by itself before the end that it knows, and goes on (8.3)', async () => {
  const { network } = await openHome()
  expect(screen.queryByText(/This session ends/)).toBeNull()
  passTime(network, 30 * DAY_MS - 5 * HOUR_MS)
  await expect.poll(() => sessionsAsked(network)).toBeGreaterThan(1)
  passTime(network, 6 * HOUR_MS)
  await waitFor(() => expect(screen.queryByText(/This session ends/)).toBeNull())
  expect(network.spent()).toBe(0)
})

/** Then the page says when its session ends. @returns when the server can be reached again */
async function passTimeAlone(network: Network, ms: number, words: RegExp): Promise<void> {
  network.cut.add('GET /bff/session')
  passTime(network, ms)
  expect(await line(words)).toBeVisible()
  network.cut.delete('GET /bff/session')
}

test('a page that could not ask extends its session by one free press (8.3)', async () => {
  const { network, user } = await openHome()
  await passTimeAlone(network, 30 * DAY_MS - 5 * HOUR_MS, /^This session ends in 5 hours\. Not extended/)
  await user.click(screen.getByRole('button', { name: 'Stay signed in · free' }))
  await waitFor(() => expect(screen.queryByText(/This session ends/)).toBeNull())
  expect(network.spent()).toBe(0)
})

test('without an answer the button stays, and the page says that nothing was extended', async () => {
  const { network, user } = await openPage('/ledger')
  await screen.findByRole('heading', { level: 1, name: 'Ledger' })
  await passTimeAlone(network, 30 * DAY_MS - HOUR_MS, /^This session ends in (60 minutes|1 hour)\./)
  network.cut.add('GET /bff/session')
  await user.click(screen.getByRole('button', { name: 'Stay signed in · free' }))
  expect(await line(/Not extended: the server cannot be reached\./)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Stay signed in · free' })).toHaveFocus()
})

test('if nothing extends the session, the page says so, and leads to the sign-in', async () => {
  const network = await inLastHours(10)
  const { user } = await openPage('/', network)
  expect(await line(/^This session ends in 10 hours, and cannot be extended\.$/)).toBeVisible()
  await user.click(screen.getByRole('link', { name: 'Sign in again' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Your organizations' })).toBeVisible()
  expect([network.count('DELETE', '/bff/session'), network.spent()]).toEqual([0, 0])
})

test('if a press extends nothing, the page says so', async () => {
  const network = await inLastHours(13)
  const { user } = await openHome(network)
  await passTimeAlone(network, 4 * HOUR_MS, /^This session ends in 9 hours\. Not extended/)
  await user.click(screen.getByRole('button', { name: 'Stay signed in · free' }))
  expect(await line(/^This session ends in 9 hours, and cannot be extended\.$/)).toBeVisible()
})

test('the read that the page offers extends a session that the service has not confirmed', async () => {
  const network = await signedInNetwork('none')
  answerWith(network, {}, 503)
  await network.browser.signIn()
  network.fixture.intercept(undefined)
  const { user } = await openPage('/', network)
  await user.click(await screen.findByRole('button', { name: /^Read it/ }))
  await screen.findByText(NAME)
  await waitFor(() => expect(sessionsAsked(network)).toBe(2))
  expect(screen.queryByText(/This session ends/)).toBeNull()
})
