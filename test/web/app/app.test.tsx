import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { navigate } from '../../../src/web/lib/router.ts'
import { gate, signedInNetwork } from '../_network.ts'
import { NAME, openHome, openPage } from '../_page.tsx'
import type { QuotaSnapshot } from '../../../src/contract/quota.ts'
import { Announcer, limitStatesOf, sentencesFor } from '../../../src/web/alerts/announcer.tsx'
import { draw } from '../_month.tsx'
import { snapshot, window_ } from '../_snapshot.ts'

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
  expect(
    screen.getAllByRole('region').flatMap((region) => region.getAttribute('aria-labelledby') ?? []),
  ).toEqual(['month', 'minute', 'organization'])
  // The title is set after the screen is drawn.
  await waitFor(() => expect(document.title).toBe('Harbour Rope Works · Plimsoll'))
})

test('every page is at its address, and costs nothing to open (8.3)', async () => {
  const { network } = await openHome()
  for (const [path, heading] of [
    ['/ledger', 'Ledger'],
    ['/months', 'Last 12 months'],
    ['/sessions', 'Your sessions'],
  ] as const) {
    act(() => navigate(path))
    expect(await screen.findByRole('heading', { level: 1, name: heading })).toHaveFocus()
    expect(screen.getByRole('banner').querySelector('[aria-current=page]')).toHaveAttribute('href', path)
  }
  expect(network.spent()).toBe(0)
})

const at = (changes: Partial<QuotaSnapshot>, elapsedMs = 0) => limitStatesOf(snapshot(changes), elapsedMs)
const none = { read: window_({ remaining: 0 }) }
const of = (changes: object) => at({ month: { ...snapshot().month, ...changes } })
const SUSPECTED = of({ suspected: { age_ms: 0, reasons: [] } })
const OVER = of({ low: 100, high: 100 })
const KNOWN = { read: window_(), update: window_({ limit: 15, remaining: 15 }) }
const AGAIN = ['Requests are available again this month.']

test.each([
  [at({}), at({ read: window_({ remaining: 36 }) }), []],
  [at({}), at({ read: window_({ remaining: 12 }) }), ['Read requests are running low this minute.']],
  [at({}), at(none), ['No read requests are left this minute.']],
  [at(none), at(none, 22_000), ['Read requests are available again.']],
  [of({ low: 79, high: 79 }), of({ low: 80, high: 80 }), ['Requests are running low this month.']],
  [of({ low: 80, high: 80 }), OVER, ['No requests are left this month.']],
  [of({}), SUSPECTED, ['No requests are left this month.']],
  [SUSPECTED, of({}), AGAIN],
  [OVER, of({}), AGAIN],
  [OVER, SUSPECTED, []],
  [
    at(KNOWN),
    at({ ...KNOWN, read: window_({ limit: 600, remaining: 599 }) }),
    ['The limits per minute have changed.'],
  ],
  [at({}), at(KNOWN), []],
])(
  'change %# of the limits is announced only if it is one, and so is its end (D4, B28, 8.3)',
  (before, after, words) => {
    expect(sentencesFor(before, after)).toEqual(words)
  },
)

test('a pause is announced by itself only if no other sentence says why, also when it ends (D4)', () => {
  const pause = { code: 'rate_limited', ends_in_ms: 30_000, reasons: [] } as const
  const paused = { ...none, pauses: [pause] }
  expect(sentencesFor(at({}), at({ pauses: [pause] }))).toEqual(['Paused: a limit is reached.'])
  expect(sentencesFor(at({ pauses: [pause] }), at({}))).toEqual(['You can send requests again.'])
  // The minute has been reset, but the pause goes on.
  expect(sentencesFor(at(paused), at(paused, 22_000))).toEqual([])
  expect(sentencesFor(at(paused, 22_000), at(paused, 30_000))).toEqual(['You can send requests again.'])
})

test('at most one sentence is announced in ten seconds (D4)', async () => {
  vi.useFakeTimers()
  const { show } = draw(<Announcer />)
  const receive = (changes: Partial<QuotaSnapshot>) =>
    act(async () => {
      show({ snapshot: snapshot(changes), atMs: Date.now(), wallMs: 0 })
      await vi.advanceTimersByTimeAsync(0)
    })
  const status = screen.getByRole('status')
  await receive({})
  expect(status).toBeEmptyDOMElement()
  const used = window_({ remaining: 0, reset_in_ms: 60_000 })
  await receive({ read: used })
  expect(status).toHaveTextContent('No read requests are left this minute.')
  await receive({ read: used, update: window_({ limit: 15, remaining: 0, reset_in_ms: 60_000 }) })
  await act(() => vi.advanceTimersByTimeAsync(9000))
  expect(status).toHaveTextContent('No read requests are left this minute.')
  await act(() => vi.advanceTimersByTimeAsync(2000))
  expect(status).toHaveTextContent('No update requests are left this minute.')
})
