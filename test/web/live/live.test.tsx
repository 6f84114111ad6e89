import { act, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useUi } from '../../../src/web/lib/ui.ts'
import { LiveWord } from '../../../src/web/live/word.tsx'
import { FakeLocks } from '../_locks.ts'
import { announceSession, type Network, signedInNetwork, signInByKey } from '../_network.ts'
import { openPage, signOut } from '../_page.tsx'

let page: Awaited<ReturnType<typeof openPage>> | undefined
beforeEach(() => Object.defineProperty(navigator, 'locks', { value: new FakeLocks(), configurable: true }))
afterEach(() => page?.unmount())

/** With its stream over the real bff. */
async function openLive(network?: Network) {
  const joined = network ?? (await signedInNetwork('api_key'))
  joined.isLive = true
  page = await openPage('/', joined)
  expect(await screen.findByText('Live')).toBeVisible()
  // The chart is loaded late, and asks for the days and the counts.
  await screen.findByRole('figure')
  // Waits until the page has sent its first requests.
  for (let calls = 0; calls !== joined.calls.length; await new Promise((later) => setTimeout(later, 150)))
    calls = joined.calls.length
  return { ...page, network: joined, before: joined.calls.length }
}

const version = () => useUi.getState().quota?.snapshot.version ?? 0

test('the page shows what another browser of the organization does, without a request (B20)', async () => {
  const { network, before } = await openLive()
  const other = network.fixture.browser()
  await signInByKey(network.fixture, other)
  await waitFor(() => expect(useUi.getState().quota?.snapshot.month.high).toBeGreaterThanOrEqual(1))
  const [shown, used] = [version(), useUi.getState().quota?.snapshot.month.high ?? 0]
  await other.spend('/organizations')
  await waitFor(() => expect(useUi.getState().quota?.snapshot.month.high).toBe(used + 1))
  expect(version()).toBeGreaterThan(shown)
  expect(network.calls).toHaveLength(before)
})

test('a session that replaces another gets its own stream, and the old stream ends (attack 30)', async () => {
  const { network } = await openLive()
  const opened = network.count('GET', '/bff/events')
  await signInByKey(network.fixture, network.browser, 2002)
  announceSession()
  await waitFor(() => expect(network.count('GET', '/bff/events')).toBe(opened + 1))
  expect(await screen.findByText('Live')).toBeVisible()
  await waitFor(() => expect(useUi.getState().quota?.snapshot.month.plan).toBe('business'))
})

test('after the sign-out no stream is open, and late events are dropped (ASVS 14.3.1)', async () => {
  const { network, user } = await openLive()
  await signOut(user)
  expect(await screen.findByText('You are signed out')).toBeVisible()
  const opened = network.count('GET', '/bff/events')
  await act(() => new Promise((resolve) => setTimeout(resolve, 300)))
  expect(useUi.getState().quota).toBeUndefined()
  expect(network.count('GET', '/bff/events')).toBe(opened)
})

test('a page in the browser’s memory holds no stream, and opens one when it is shown again (attack 31)', async () => {
  const { network } = await openLive()
  const opened = network.count('GET', '/bff/events')
  const persisted = (name: string) => Object.assign(new Event(name), { persisted: true })
  act(() => void dispatchEvent(persisted('pagehide')))
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)))
  expect(network.count('GET', '/bff/events')).toBe(opened)
  act(() => void dispatchEvent(persisted('pageshow')))
  await waitFor(() => expect(network.count('GET', '/bff/events')).toBe(opened + 1))
})

test('a snapshot that cannot be read is reported, and the former one stays', async () => {
  const { network } = await openLive()
  await waitFor(() => expect(useUi.getState().quota).toBeDefined())
  const known = useUi.getState().quota
  const { parse: own } = JSON
  const parse = vi
    .spyOn(JSON, 'parse')
    .mockImplementation((text: string) => (text.includes('"pauses"') ? { version: 'none' } : own(text)))
  await network.browser.spend('/organizations')
  await waitFor(() => expect(useUi.getState().quotaProblem).toMatchObject({ code: 'unexpected_reply' }))
  parse.mockRestore()
  expect(useUi.getState().quota).toBe(known)
})

test('a word says if the page is live, and if not, since when and when it tries again (B20)', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-25T05:02:00Z') })
  useUi.setState({ live: 'connecting' })
  const { container } = render(<LiveWord />)
  expect(container).toHaveTextContent('Connecting')
  const notLive = { live: 'not_live', notLiveSinceMs: Date.now() } as const
  act(() => useUi.setState({ ...notLive, liveRetryAtMs: performance.now() + 8000 }))
  expect(container).toHaveTextContent(/^Not live since 2:02 PM retry in 8 sec$/)
  await act(() => vi.advanceTimersByTimeAsync(3000))
  expect(container).toHaveTextContent(/^Not live since 2:02 PM retry in 5 sec$/)
  await act(() => vi.advanceTimersByTimeAsync(6000))
  expect(container).toHaveTextContent(/^Not live since 2:02 PM trying again$/)
  vi.setSystemTime('2026-11-25T23:00:00Z')
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(container).toHaveTextContent(/^Not live since Nov 25, 2:02 PM/)
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => void dispatchEvent(new Event('offline')))
  expect(container).toHaveTextContent(/^Offline$/)
  act(() => useUi.setState({ live: 'live' }))
  expect(container).toHaveTextContent(/^Live$/)
})

test('while attempts fail, the page says since when it has not been live, not since the last one', async () => {
  const { network } = await openLive()
  network.isLive = false
  act(() => void dispatchEvent(new Event('offline')))
  await screen.findByText(/^retry in /)
  const { notLiveSinceMs: since, liveRetryAtMs: first } = useUi.getState()
  expect(Math.abs(Date.now() - since)).toBeLessThan(5000)
  act(() => void dispatchEvent(new Event('online')))
  await waitFor(() => expect(useUi.getState().liveRetryAtMs).toBeGreaterThan(first))
  expect(useUi.getState().notLiveSinceMs).toBe(since)
})
