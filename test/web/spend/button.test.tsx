import { act, fireEvent, screen, within, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { answerWith, gate, hold, refuseOnce, signedInNetwork } from '../_network.ts'
import { NAME, openHome, openPage, showAgain } from '../_page.tsx'
import type { MonthSnapshot, QuotaSnapshot } from '../../../src/contract/quota.ts'
import { SpendButton } from '../../../src/web/spend/button.tsx'
import type { Paid } from '../../../src/web/spend/paid.ts'
import { draw, received } from '../_month.tsx'

const refresh = () => screen.findByRole('button', { name: /Refresh/ })
const organization = () => screen.findByRole('region', { name: 'Organization' })

/** After a read that was answered 429 with these headers. */
async function openPaused(headers: Record<string, string>) {
  const network = await signedInNetwork()
  await refuseOnce(network, headers)
  const spent = network.spent()
  return { ...(await openPage('/', network)), spentSince: () => network.spent() - spent }
}

test('fast presses cost one request (8.3)', async () => {
  const { network } = await openPage('/')
  const button = await refresh()
  await screen.findByText(NAME)
  await screen.findByText('59 of 60 left')
  const answer = hold(network)
  act(() => {
    for (let times = 0; times < 5; times++) button.click()
  })
  await waitFor(() => expect(button).toHaveTextContent('Reading… · uses 1 of at most 99'))
  expect(button).toHaveAttribute('aria-busy', 'true')
  fireEvent.click(button)
  answer()
  expect(await screen.findByText('cost 1 request')).toBeVisible()
  expect(network.spent()).toBe(1)
})

test.each<[string, Record<string, string>, string]>([
  ['a used-up minute', { 'Retry-After': '20' }, '20 sec'],
  ['an unknown limit', { 'X-RateLimit-Limit': '60' }, '60 sec'],
])('%s holds the button back, with the wait and the reason (7)', async (_, headers, wait) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { spentSince, user } = await openPaused(headers)
  const card = await organization()
  const button = await within(card).findByRole('button', { name: `Refresh · in ${wait}` })
  expect(button).toHaveAccessibleDescription(new RegExp(`^Possible again in ${wait}\\.`))
  expect(button).toHaveAttribute('aria-disabled', 'true')
  await user.click(button)
  expect(spentSince()).toBe(0)
})

test('while the month is only suspected a person may try once more (B36)', async () => {
  const { network, spentSince, user } = await openPaused({})
  // A press within 5 s of another request is not sent while the month seems to be used up.
  network.fixture.advance(5000)
  await user.click(
    (await screen.findAllByRole('button', { name: 'Refresh · up to 1 request, may be refused' }))[0]!,
  )
  expect(await refresh()).toHaveAttribute('aria-disabled', 'false')
  expect(spentSince()).toBe(1)
})

test('a try that is refused while the month seems to be used up is shown, not only heard (B36, D1)', async () => {
  const { network, spentSince, user } = await openPaused({})
  network.fixture.advance(5000)
  answerWith(network, {}, 429)
  for (let tries = 0; tries < 2; tries += 1)
    await user.click((await screen.findAllByRole('button', { name: /^Refresh · up to 1 request/ }))[0]!)
  expect(await screen.findByRole('alert')).toHaveTextContent('The requests of this month seem to be used up')
  expect(spentSince()).toBe(1)
  // Until another person's success shows that they are not.
  network.fixture.intercept(undefined)
  network.fixture.advance(60_000)
  await network.browser.spend('/organizations/1001')
  act(showAgain)
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})

test('a refused key leads to a new sign-in, and its session stays (5.1, 7)', async () => {
  const { network, user } = await openPage('/', await signedInNetwork('api_key'))
  answerWith(network, {}, 401)
  await user.click(await refresh())
  const alert = await screen.findByRole('alert')
  await user.click(within(alert).getByRole('button', { name: 'Sign in again' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Your organizations' })).toBeVisible()
  expect(location.pathname).toBe('/organizations')
})

test('a press that takes a request reserved for sign-ins says so (C31)', async () => {
  const { network, user } = await openHome()
  await network.browser.request('POST', '/bff/readings', { json: { count: 98 } })
  act(showAgain)
  const kept = 'One of the last requests of the month, kept for signing in.'
  await waitFor(() => expect(screen.getAllByText(kept)).toHaveLength(2))
  const button = await refresh()
  expect(button).toHaveAccessibleDescription(/kept for signing in/)
  const paid = network.spent()
  network.fixture.advance(5000)
  await user.click(button)
  await expect.poll(() => network.spent()).toBe(paid + 1)
})

test('when the pause ends the button is back, the quota is read once more, and nothing is spent (B26)', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { network, spentSince } = await openPaused({ 'Retry-After': '20' })
  await within(await organization()).findByRole('button', { name: 'Refresh · in 20 sec' })
  const reads = network.count('GET', '/bff/quota')
  network.fixture.advance(22_000)
  await act(() => vi.advanceTimersByTimeAsync(22_000))
  expect(await refresh()).toHaveAttribute('aria-disabled', 'false')
  expect(network.count('GET', '/bff/quota')).toBe(reads + 1)
  expect(spentSince()).toBe(0)
})

test('when the pause after an own press ends, the button is back, and no notice comes (B26, B34)', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { network } = await openHome()
  network.fixture.intercept(async () => new Response('', { status: 429, headers: { 'Retry-After': '20' } }))
  fireEvent.click(await refresh())
  await within(await organization()).findByRole('button', { name: 'Refresh · in 20 sec' })
  network.fixture.advance(22_000)
  await act(() => vi.advanceTimersByTimeAsync(22_000))
  expect(await refresh()).toHaveAttribute('aria-disabled', 'false')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a press that fails is reported once, keeps what is shown, and is not repeated (B34)', async () => {
  const { network, user } = await openHome()
  network.fixture.intercept(() => Promise.reject(new DOMException('late', 'TimeoutError')))
  await user.click(await refresh())
  expect(await screen.findByRole('alert')).toHaveTextContent('The service takes too long to answer')
  expect(screen.getByText(NAME)).toBeVisible()
  expect(network.spent()).toBe(1)
  network.fixture.intercept(undefined)
  await user.click(screen.getByRole('button', { name: /^Try again ·/ }))
  expect(await screen.findByText('cost 1 request')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a press of an offline browser is reported once, at the button, and not sent later (7, 8.3)', async () => {
  const { network, user } = await openHome()
  network.cut.add('GET /api/organizations/1001').add('GET /bff/quota').add('GET /bff/events')
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => void dispatchEvent(new Event('offline')))
  await user.click(await refresh())
  expect(await screen.findByText('Not sent: this browser was offline.')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
  network.cut.clear()
  onLine.mockReturnValue(true)
  act(() => void dispatchEvent(new Event('online')))
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)))
  // It still says what the press did.
  expect(screen.getByText('Not sent: this browser was offline.')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
  expect([network.count('GET', '/api/organizations/1001'), network.spent()]).toEqual([2, 0])
})

test('a press that was sent, and lost with the network, is not said to be unsent (7, 8.3)', async () => {
  const { network, user } = await openHome()
  const slow = gate()
  network.gate = slow.closed
  await user.click(await refresh())
  network.cut.add('GET /api/organizations/1001')
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  slow.open()
  expect(await screen.findByRole('alert')).toHaveTextContent('Plimsoll itself cannot be reached')
  expect(screen.queryByText(/^Not sent/)).toBeNull()
})

const SPEND: Paid = {
  run: () => {},
  busy: false,
  problem: null,
  isUnsent: false,
  pressedAtMs: Date.now(),
  answer: undefined,
  press: 'read',
}
const reading = (low: number, high = low) => ({ organization: { low, high, reading_age_ms: 0 } })
const PACE = { allowance_per_day: 8, forecast: { state: 'on_pace', early: false } } as const
const SUSPECTED = { suspected: { age_ms: 0, reasons: [] } }
const DUE = { refresh: { due_in_ms: 0, counts: 'unknown' } } as const

interface Drawn {
  rest?: Partial<QuotaSnapshot>
  spend?: Partial<Paid>
  primary?: boolean
}
function button(month: Partial<MonthSnapshot>, { rest, spend, primary = true }: Drawn = {}) {
  const of = { ...SPEND, ...spend }
  draw(<SpendButton label="Refresh" spend={of} primary={primary} />, received(month, rest))
  return screen.getByRole('button')
}
const ON_TRACK = { ...reading(45), ...PACE }

test.each<[Partial<MonthSnapshot>, string, Partial<Paid>?]>([
  [ON_TRACK, 'Refresh · uses 1–2 of 55'],
  [{}, 'Refresh · uses 1–2 of at most 97'],
  [{ ...reading(92), ...PACE }, 'Refresh · uses 1–2 of 8'],
  [reading(41, 45), 'Refresh · uses 1–2 of 55–59'],
  // While the month turns, what is left is of two months.
  [{ ...reading(0, 71), may_have_reset: true }, 'Refresh · uses 1–2 requests'],
  [{ limit: undefined as never }, 'Refresh · uses 1–2 requests'],
  [{ ...reading(92), ...PACE }, 'Reading… · uses 1–2 of 8', { busy: true }],
  [reading(100), 'Refresh · up to 2 requests, may be refused'],
  [SUSPECTED, 'Refresh · up to 2 requests, may be refused'],
])('in the month %o the button says %j (8.3, C32)', (month, words, spend) => {
  expect(button(month, { rest: DUE, ...(spend && { spend }) })).toHaveTextContent(words)
})

test('without a limit a press of one request says that it uses one (8.3)', () => {
  expect(button({ limit: undefined as never })).toHaveTextContent('Refresh · uses 1 request')
})

test('before the first snapshot the button has the highest usual price, and is not the main one', () => {
  draw(<SpendButton label="Refresh" spend={SPEND} primary />)
  expect(screen.getByRole('button')).toHaveTextContent('Refresh · uses 1–2 requests')
  expect(screen.getByRole('button')).not.toHaveAttribute('data-kind')
})
