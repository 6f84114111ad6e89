import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { joinLive, type LiveConnection } from '../../../src/web/live/leader.ts'
import { FakeLocks } from '../_locks.ts'
import { stubFetch } from '../_network.ts'

type Controller = ReadableStreamDefaultController<Uint8Array>

let streams: { controller: Controller; isOpen: boolean }[] = []
const tabs: LiveConnection[] = []
beforeEach(() => {
  vi.stubGlobal('navigator', { locks: new FakeLocks() })
  streams = []
  stubFetch(async (_, { signal }) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const stream = { controller, isOpen: true }
        streams.push(stream)
        signal?.addEventListener('abort', () => {
          stream.isOpen = false
        })
      },
    })
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
  })
})
afterEach(() => {
  for (const tab of tabs.splice(0)) tab.stop()
})

/** Another tab that shows the session, and the events that it got. */
function openTab(session = 's1') {
  const seen: string[] = []
  const old = vi.fn<() => void>()
  const live = joinLive(
    session,
    {
      onEvent: ({ name, data }) => seen.push(`${name} ${data}`),
      onState: (state, retryInMs) => {
        const now = retryInMs > 0 ? `${state} ${Math.ceil(retryInMs / 1000)}` : state
        if (seen.at(-1) !== now) seen.push(now)
      },
      confirm: async () => true,
    },
    old,
  )
  tabs.push(live)
  return { live, seen, old }
}

const send = (data: string) =>
  streams.at(-1)?.controller.enqueue(new TextEncoder().encode(`event: quota\ndata: ${data}\n\n`))
const openStreams = () => streams.filter(({ isOpen }) => isOpen).length
/** Messages of other tabs arrive over the event loop. */
const settle = (ms = 50) => new Promise((resolve) => setTimeout(resolve, ms))

test('ten tabs have one stream, and each gets every event (B20)', async () => {
  const all = Array.from({ length: 10 }, () => openTab())
  await settle()
  expect(streams).toHaveLength(1)
  send('1')
  await settle()
  for (const { seen } of all) expect(seen).toContain('quota 1')
})

test('a later tab learns that the stream is live, and takes over when the first one leaves (B20)', async () => {
  const first = openTab()
  await settle()
  const [second, third] = [openTab(), openTab()]
  await settle()
  expect([second.seen, third.seen]).toEqual([['live'], ['live']])
  first.live.stop()
  await settle()
  expect([streams.length, openStreams()]).toEqual([2, 1])
  send('2')
  await settle()
  for (const { seen } of [second, third]) expect(seen.slice(-3)).toEqual(['connecting', 'live', 'quota 2'])
  expect(first.seen).toEqual(['connecting', 'live'])
})

test('a tab that joins a live one asks once for what it missed; the one with the stream does not (B20)', async () => {
  const first = openTab()
  await settle()
  send('1')
  await settle()
  const second = openTab()
  await settle()
  second.live.check()
  await settle()
  expect([first.old.mock.calls.length, second.old.mock.calls.length]).toEqual([0, 1])
})

test('a tab of another session has its own stream (attack 30)', async () => {
  const [one, other] = [openTab('s1'), openTab('s2')]
  await settle()
  expect(openStreams()).toBe(2)
  send('of s2')
  await settle()
  expect([one.seen.at(-1), other.seen.at(-1)]).toEqual(['live', 'quota of s2'])
})

test('a tab that opens while another one waits ends the wait, and both are live (B20)', async () => {
  const first = openTab()
  await settle()
  streams[0]?.controller.close()
  await settle()
  expect(first.seen.at(-1)).toMatch(/^not_live [12]$/)
  const second = openTab()
  await settle()
  expect([first.seen.at(-1), second.seen.at(-1), streams.length]).toEqual(['live', 'live', 2])
})

test('a check of any tab reaches the one that reads the stream, and a drop closes it', async () => {
  const [first, second] = [openTab(), openTab()]
  await settle()
  second.live.drop()
  await settle()
  expect(openStreams()).toBe(1)
  first.live.drop()
  await settle()
  expect([openStreams(), second.seen.at(-1)]).toEqual([0, expect.stringMatching(/^not_live [12]$/)])
  second.live.check()
  await settle()
  expect([openStreams(), second.seen.at(-1)]).toEqual([1, 'live'])
})

test('if the system stops the tab with the lock, exactly one other tab takes it (B20)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  const rounds = async (): Promise<void> => {
    for (let times = 0; times < 20; times++) await new Promise((resolve) => setImmediate(resolve))
  }
  const stopped = openTab()
  await rounds()
  // The stopped tab neither receives nor answers.
  const hold = vi.spyOn(BroadcastChannel.prototype, 'postMessage').mockImplementation(() => {})
  const second = openTab()
  await rounds()
  hold.mockRestore()
  await vi.advanceTimersByTimeAsync(4000)
  expect(streams).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1500)
  await rounds()
  expect([streams.length, openStreams(), second.seen.at(-1)]).toEqual([2, 1, 'live'])
  send('3')
  await rounds()
  expect([second.seen.at(-1), stopped.seen.at(-1)]).toEqual(['quota 3', 'quota 3'])
  second.live.stop()
  await rounds()
  expect([streams.length, openStreams(), stopped.seen.at(-1)]).toEqual([3, 1, 'live'])
})

test('an event that a stopped tab held up is not shown, and the quota is read again (B14)', async () => {
  openTab()
  const second = openTab()
  await settle()
  second.old.mockClear()
  vi.spyOn(Date, 'now').mockReturnValueOnce(Date.now() - 60_000)
  const channel = new BroadcastChannel('plimsoll.live.s1')
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no such argument
  channel.postMessage({ kind: 'event', name: 'quota', data: 'old', sentMs: Date.now() })
  await settle()
  channel.close()
  expect(second.old).toHaveBeenCalledTimes(1)
  expect(second.seen).not.toContain('quota old')
})

test.each([
  ['no locks', {}],
  [
    'locks that it refuses',
    { locks: { request: async () => Promise.reject(new DOMException('no', 'SecurityError')) } },
  ],
])('in a browser with %s each tab has its own stream', async (_, navigator) => {
  vi.stubGlobal('navigator', navigator)
  const [one, other] = [openTab(), openTab()]
  await settle()
  expect(openStreams()).toBe(2)
  expect([one.seen.at(-1), other.seen.at(-1)]).toEqual(['live', 'live'])
  one.live.stop()
  other.live.stop()
  expect(openStreams()).toBe(0)
})
