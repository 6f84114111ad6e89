import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import { createQueryClient } from '../../../src/web/lib/query.ts'
import { useUi } from '../../../src/web/lib/ui.ts'
import { Follow } from '../../../src/web/quota/follow.ts'
import { LiveWord } from '../../../src/web/quota/live-word.tsx'
import { joinLive } from '../../../src/web/quota/live.ts'
import { openQuota, QUOTA_KEY, type QuotaOf, type ReceivedQuota } from '../../../src/web/quota/query.ts'
import { FakeLocks } from '../_locks.ts'
import { noteServerTime } from '../../../src/web/lib/clock.ts'
import { announceSession, type Network, signedInNetwork, signInByKey, stubFetch } from '../_network.ts'
import { openPage, quotaOfPage, signOut } from '../_page.tsx'
import { snapshot } from '../_snapshot.ts'

type Controller = ReadableStreamDefaultController<Uint8Array>
interface OpenStream {
  path: string
  controller: Controller
  isOpen: boolean
}

const setLocks = (value: unknown) => Object.defineProperty(navigator, 'locks', { value, configurable: true })
beforeEach(() => void setLocks(new FakeLocks()))

let streams: OpenStream[] = []
const leaves: (() => void)[] = []
afterEach(() => {
  for (const leave of leaves.splice(0)) leave()
})

/** Answers with streams that stay open. */
function serve(): void {
  streams = []
  stubFetch(async (path, { signal }) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const stream = { path, controller, isOpen: true }
        streams.push(stream)
        signal?.addEventListener('abort', () => {
          stream.isOpen = false
        })
      },
    })
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
  })
}
const openStreams = () => streams.filter(({ isOpen }) => isOpen).map(({ path }) => path)
const send = (version: number, path = '/bff/events') =>
  streams
    .findLast((stream) => stream.isOpen && stream.path === path)
    ?.controller.enqueue(
      new TextEncoder().encode(`event: quota\ndata: ${JSON.stringify(snapshot({ version }))}\n\n`),
    )

const OWN: QuotaOf = { session: 's1' }

/** A tab that shows this. Tabs of one process share a window: each is told by itself that it is seen. */
function openTab(of: QuotaOf = OWN) {
  const client = createQueryClient(() => {})
  openQuota(client, of)
  const added = vi.spyOn(document, 'addEventListener')
  const leave = joinLive(client, of)
  const [, listener] = added.mock.calls.find(([name]) => name === 'visibilitychange') ?? []
  added.mockRestore()
  leaves.push(leave)
  return {
    leave,
    show: () => (listener as () => void)(),
    version: () => client.getQueryData<ReceivedQuota>(QUOTA_KEY)?.snapshot.version,
    client,
  }
}
/** Messages of other tabs arrive over the event loop. */
const settle = (ms = 150) => new Promise((resolve) => setTimeout(resolve, ms))

test('ten tabs have one stream, and each gets every event (B20)', async () => {
  serve()
  const all = Array.from({ length: 10 }, () => openTab())
  await settle()
  expect(openStreams()).toEqual(['/bff/events'])
  send(1)
  await settle()
  expect(all.map(({ version }) => version())).toEqual(all.map(() => 1))
  expect(useUi.getState().live).toBe('live')
})

test('a tab that asked just before a change and listens just after it gets the change (B20)', async () => {
  serve()
  const first = openTab()
  await settle()
  send(7)
  await expect.poll(first.version).toBe(7)
  const late = openTab()
  await expect.poll(late.version).toBe(7)
  expect(openStreams()).toHaveLength(1)
})

test('the tab that a person looks at takes the stream, and another one when it leaves (B20)', async () => {
  serve()
  const [first, second, third] = [openTab(), openTab(), openTab()]
  await settle()
  second.show()
  await settle()
  expect([streams.length, openStreams().length, streams[0]?.isOpen]).toEqual([2, 1, false])
  second.show()
  second.leave()
  await settle()
  expect([streams.length, openStreams().length]).toEqual([3, 1])
  send(3)
  await settle()
  expect([first.version(), second.version(), third.version()]).toEqual([3, undefined, 3])
})

test('if the system stops the tab with the stream, the others are not live after 40 s and take it (B20)', async () => {
  serve()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  const rounds = async (): Promise<void> => {
    for (let times = 0; times < 20; times++) await new Promise((resolve) => setImmediate(resolve))
  }
  openTab()
  await rounds()
  const others = [openTab(), openTab()]
  await rounds()
  const states: string[] = []
  const unsubscribe = useUi.subscribe(({ live }) => states.push(live))
  // Comments keep the reader's own connection, but the stopped tab passes nothing on.
  const post = vi.spyOn(BroadcastChannel.prototype, 'postMessage').mockImplementation(() => {})
  for (let passedMs = 0; passedMs < 35_000; passedMs += 5000) {
    streams[0]?.controller.enqueue(new TextEncoder().encode(':\n\n'))
    await vi.advanceTimersByTimeAsync(5000)
  }
  expect(streams).toHaveLength(1)
  post.mockRestore()
  vi.spyOn(useUi, 'setState')
  await vi.advanceTimersByTimeAsync(10_000)
  await rounds()
  unsubscribe()
  expect(states).toContain('not_live')
  expect([streams.length > 1, openStreams().length, useUi.getState().live]).toEqual([true, 1, 'live'])
  send(3)
  await rounds()
  expect(others.map(({ version }) => version())).toEqual([3, 3])
})

test.each([
  ['no locks', undefined],
  ['locks that it refuses', { request: async () => Promise.reject(new DOMException('no', 'SecurityError')) }],
])('a browser with %s has one stream too, whichever tabs come and go (B20)', async (_, locks) => {
  setLocks(locks)
  serve()
  const tabs = [openTab(), openTab(), openTab()]
  await expect.poll(openStreams).toHaveLength(1)
  await settle()
  send(1)
  await expect.poll(() => tabs.map(({ version }) => version())).toEqual([1, 1, 1])
  for (const tab of tabs.slice(0, 2)) {
    tab.leave()
    await settle()
    await expect.poll(openStreams).toHaveLength(1)
  }
})

test('one tab reads what all tabs show, the newest three things at most (B20)', async () => {
  serve()
  const links = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((link) => ({ link }))
  const own = openTab()
  await settle()
  const tabs = []
  for (const link of links) {
    tabs.push(openTab(link))
    await settle(20)
  }
  expect(openStreams()).toEqual(['/bff/events', '/watch/events/f', '/watch/events/g'])
  send(5)
  send(8, '/watch/events/g')
  await settle()
  expect([own.version(), tabs.at(-1)?.version(), tabs.at(-2)?.version()]).toEqual([5, 8, undefined])
  tabs[0]?.show()
  await settle()
  expect(openStreams()).toHaveLength(3)
  expect(openStreams()).toContain('/watch/events/a')
  for (const tab of tabs.slice(1)) tab.leave()
  await settle()
  expect(openStreams().toSorted()).toEqual(['/bff/events', '/watch/events/a'])
})

test('a computer that wakes up without a network is not live since the last sign of life (B20)', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-25T23:00:00Z') })
  serve()
  openTab()
  await expect.poll(() => useUi.getState().live).toBe('live')
  vi.setSystemTime('2026-11-25T23:10:00Z')
  streams[0]?.controller.enqueue(new TextEncoder().encode(':\n\n'))
  await settle()
  vi.setSystemTime('2026-11-26T08:00:00Z')
  dispatchEvent(new Event('offline'))
  await expect.poll(() => useUi.getState().live).toBe('not_live')
  expect(new Date(useUi.getState().notLiveSinceMs).toISOString()).toBe('2026-11-25T23:10:00.000Z')
})

let page: Awaited<ReturnType<typeof openPage>> | undefined
afterEach(() => {
  page?.unmount()
  page = undefined
})

/** With its stream over the real bff. */
async function openLive(network?: Network) {
  const joined = network ?? (await signedInNetwork('api_key'))
  joined.isLive = true
  page = await openPage('/', joined)
  expect(await screen.findByText('Live')).toBeVisible()
  // The chart is loaded late, and asks for the days and the counts.
  await screen.findByRole('figure')
  // Waits until the page has sent its first requests.
  for (let calls = 0; calls !== joined.calls.length; await settle(150)) calls = joined.calls.length
  return { ...page, network: joined, before: joined.calls.length }
}

const version = () => quotaOfPage()?.snapshot.version ?? 0
const high = () => quotaOfPage()?.snapshot.month.high ?? 0

test('the page shows what another browser of the organization does, without a request (B20)', async () => {
  const { network, before } = await openLive()
  const [shown, used] = [version(), high()]
  const other = network.fixture.browser()
  await signInByKey(network.fixture, other)
  await other.spend('/organizations')
  await waitFor(() => expect(high()).toBe(used + 2))
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
  await waitFor(() => expect(quotaOfPage()?.snapshot.month.plan).toBe('business'))
})

test('after the sign-out no stream is open, and late events are dropped (ASVS 14.3.1)', async () => {
  const { network, user } = await openLive()
  await signOut(user)
  expect(await screen.findByText('You are signed out')).toBeVisible()
  await expect.poll(() => network.fixture.bff.openStreams()).toBe(0)
  const opened = network.count('GET', '/bff/events')
  await act(() => settle(300))
  expect(quotaOfPage()).toBeUndefined()
  expect(network.count('GET', '/bff/events')).toBe(opened)
})

test('a page in the browser’s memory holds no stream, and opens one when it is shown again (attack 31)', async () => {
  const { network } = await openLive()
  const opened = network.count('GET', '/bff/events')
  const persisted = (name: string) => Object.assign(new Event(name), { persisted: true })
  act(() => void dispatchEvent(persisted('pagehide')))
  await expect.poll(() => network.fixture.bff.openStreams()).toBe(0)
  await act(() => settle())
  expect(network.count('GET', '/bff/events')).toBe(opened)
  act(() => void dispatchEvent(persisted('pageshow')))
  await waitFor(() => expect(network.count('GET', '/bff/events')).toBe(opened + 1))
})

test('a snapshot that cannot be read makes the page not live, and the former one stays', async () => {
  const { network } = await openLive()
  await waitFor(() => expect(quotaOfPage()).toBeDefined())
  const known = quotaOfPage()
  const { parse: own } = JSON
  const parse = vi
    .spyOn(JSON, 'parse')
    .mockImplementation((text: string) => own(text.includes('"pauses"') ? text.slice(1) : text))
  await network.browser.spend('/organizations')
  expect(await screen.findByText(/^Not live since/)).toBeVisible()
  parse.mockRestore()
  expect(quotaOfPage()).toBe(known)
})

test('a word says if the page is live, and if not, since when, however often it tries (B20)', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-25T05:02:00Z') })
  useUi.setState({ live: 'connecting' })
  const { container } = render(<LiveWord />)
  expect(container).toHaveTextContent('Connecting')
  act(() => useUi.setState({ live: 'not_live', notLiveSinceMs: Date.now() }))
  expect(container).toHaveTextContent(/^Not live since 2:02 PM$/)
  vi.setSystemTime('2026-11-25T23:00:00Z')
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(container).toHaveTextContent(/^Not live since Nov 25, 2:02 PM/)
  // By the server's time, where this browser's clock is wrong.
  noteServerTime(new Response('', { headers: { Date: new Date(Date.now() - 10_800_000).toUTCString() } }))
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(container).toHaveTextContent(/^Not live since Nov 25, 11:02 AM/)
  noteServerTime(new Response('', { headers: { Date: new Date().toUTCString() } }))
  act(() => useUi.setState({ live: 'live' }))
  expect(container).toHaveTextContent(/^Live$/)
})

test('while the code of the stream cannot be loaded, the page is not live since the first try (B20)', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-25T05:02:00Z') })
  useUi.setState({ live: 'connecting' })
  const client = createQueryClient(() => {})
  serve()
  openQuota(client, OWN)
  const query = client.getQueryCache().build(client, { queryKey: ['live'] })
  const change = (state: Parameters<typeof query.setState>[0]) =>
    act(async () => {
      query.setState(state)
      await settle(20)
    })
  const failed = { status: 'error', error: new Problem('bff_unreachable') } as const
  query.setState(failed)
  render(
    <QueryClientProvider client={client}>
      <Follow of={OWN} />
    </QueryClientProvider>,
  )
  expect(useUi.getState()).toMatchObject({ live: 'not_live', notLiveSinceMs: Date.now() })
  vi.setSystemTime('2026-11-25T05:02:30Z')
  await change({ status: 'pending', error: null })
  await change(failed)
  expect(useUi.getState().notLiveSinceMs).toBe(Date.now() - 30_000)
})

test('a page without a network is not live since then, and live again with it (B20)', async () => {
  const { network } = await openLive()
  network.isLive = false
  act(() => void dispatchEvent(new Event('offline')))
  await screen.findByText(/^Not live since/)
  const { notLiveSinceMs: since } = useUi.getState()
  expect(Math.abs(Date.now() - since)).toBeLessThan(5000)
  await act(() => settle(2500))
  expect(useUi.getState().notLiveSinceMs).toBe(since)
  network.isLive = true
  act(() => void dispatchEvent(new Event('online')))
  expect(await screen.findByText('Live')).toBeVisible()
  expect(network.spent()).toBe(0)
})
