import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { type Network, signedInNetwork } from '../_network.ts'
import { openHome, openPage, showAgain } from '../_page.tsx'
import { SESSION } from '../_month.tsx'
import { sessionQuery } from '../../../src/web/session/own.tsx'

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

test('a page extends its session when a person comes back to it, and asks by itself before the end (8.3)', async () => {
  const { network } = await openHome()
  passTime(network, 30 * DAY_MS - 5 * HOUR_MS)
  act(showAgain)
  await expect.poll(() => sessionsAsked(network)).toBeGreaterThan(1)
  await waitFor(() => expect(screen.queryByText(/This session ends/)).toBeNull())
  expect(network.spent()).toBe(0)
  expect(sessionQuery(SESSION).refetchInterval).toBe(6 * HOUR_MS)
})

test('a page that could not ask says when its session ends', async () => {
  const { network } = await openHome()
  network.cut.add('GET /bff/session')
  passTime(network, 30 * DAY_MS - 5 * HOUR_MS)
  act(showAgain)
  expect(await line(/^This session ends in 5 hours\.$/)).toBeVisible()
})

test('if nothing extends the session, the page says so, and leads to the sign-in', async () => {
  const network = await inLastHours(10)
  const { user } = await openPage('/', network)
  expect(await line(/^This session ends in 10 hours\.$/)).toBeVisible()
  await user.click(screen.getByRole('link', { name: 'Sign in again' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Your organizations' })).toBeVisible()
  expect([network.count('DELETE', '/bff/session'), network.spent()]).toEqual([0, 0])
})
