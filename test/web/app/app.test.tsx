import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { navigate } from '../../../src/web/lib/router.ts'
import { gate, signedInNetwork } from '../_network.ts'
import { NAME, openHome, openPage } from '../_page.tsx'
import type { MonthSnapshot, QuotaSnapshot } from '../../../src/contract/quota.ts'
import { Announcer } from '../../../src/web/month/verdict.tsx'
import { draw, received } from '../_month.tsx'

test('going to other addresses and back sends no further request (8.3)', async () => {
  const { network } = await openHome()
  for (const path of ['/organizations/1001', '/ledger', '/', '/organizations/2002', '/'])
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
  await waitFor(() =>
    expect(
      screen.getAllByRole('region').flatMap((region) => region.getAttribute('aria-labelledby') ?? []),
    ).toEqual(['month', 'minute', 'organization']),
  )
  // The title is set after the screen is drawn.
  await waitFor(() => expect(document.title).toBe('Harbour Rope Works · Plimsoll'))
})

test('the verdict is announced when it turns bad, once, and when it is good again (D4, 8.3)', async () => {
  vi.useFakeTimers()
  const { show } = draw(<Announcer />)
  const receive = (changes: Partial<MonthSnapshot>, rest: Partial<QuotaSnapshot> = {}) =>
    act(async () => {
      show(
        received(
          { organization: { low: 3, high: 3, reading_age_ms: 0 }, allowance_per_day: 8, ...changes },
          rest,
        ),
      )
      await vi.advanceTimersByTimeAsync(0)
    })
  const status = screen.getByRole('status')
  await receive({})
  expect(status).toBeEmptyDOMElement()
  await receive({}, { pauses: [{ code: 'rate_limited', ends_in_ms: 30_000, reasons: [] }] })
  expect(status).toHaveTextContent('Paused: 30 sec.')
  await act(() => vi.advanceTimersByTimeAsync(9000))
  expect(status).toHaveTextContent('Paused: 30 sec.')
  await act(() => vi.advanceTimersByTimeAsync(22_000))
  expect(status).toHaveTextContent('You can use 8 a day until it resets on')
  await receive({ low: 100, high: 100 })
  expect(status).toHaveTextContent(/^Used up until/)
  // Whoever reads the page later gets no former words.
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(status).toBeEmptyDOMElement()
})
