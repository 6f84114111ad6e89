// Tests of event streams: the first event is not buffered, browsers that go leave nothing, a stop ends them.
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { nameApiKey } from '../../../src/bff/core/server-key.ts'
import { getEvents } from '../../../src/bff/events/events.ts'
import { openStored } from '../../kit/stored-session.ts'
import { closeServer, type Connection, LIMITS } from '../../../src/serve/http/listener.ts'
import { createContext } from '../../bff/_context.ts'
import { closeAll, connectionsOf, dial, listenAnywhere } from '../_sockets.ts'
import { BUSINESS, startApp } from '../../kit/app.ts'

afterEach(closeAll)

/** The handler alone behind a listener, with its state in memory. */
async function openHandler({
  speed = 1,
  silentMs = LIMITS.silentMs,
  waits = (ms: number) => wait(ms / speed),
} = {}) {
  const made = createContext()
  const context = { ...made.context, wait: waits }
  const name = await nameApiKey(context, 'a key')
  const credential = { method: 'api_key', apiKey: 'a key', name } as const
  const { cookie } = await openStored(context, { credential, proven: true })
  let watchers = 0
  const { watch } = context.store
  context.store.watch = async (...asked) => {
    const end = await watch(...asked)
    watchers += 1
    return () => {
      end()
      watchers -= 1
    }
  }
  const fetch = (asked: Request, connection?: Connection): Promise<Response> =>
    getEvents({ ...context, disconnect: () => void connection?.outgoing.destroy() }, asked)
  const opened = await listenAnywhere(fetch, { ...LIMITS, silentMs })
  const change = (note: unknown = {}) => context.store.changeNote(`token ${name}`, () => note, Infinity)
  const left = () => [watchers, context.memory.streams.size, context.memory.background.size]
  return { ...opened, context, cookie, change, left }
}

const requestOf = (cookie: string) =>
  `GET /bff/events HTTP/1.1\r\nHost: a\r\nSec-Fetch-Site: same-origin\r\nCookie: ${cookie}\r\n\r\n`

/** A connection with an open stream, and the data that it received. */
const openStream = (port: number, cookie: string) => dial(port, requestOf(cookie))

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

test('the first event is there though nothing follows, and so is each later one (HTML 9.2)', async () => {
  const waiting: (() => void)[] = []
  // No comment follows that would flush the buffer: time passes for one tick at a time.
  const tick = () => waiting.splice(0).forEach((end) => end())
  const { port, cookie, change } = await openHandler({
    waits: () => new Promise<void>((resolve) => void waiting.push(resolve)),
  })
  const { text, socket } = openStream(port, cookie)
  const events = () => text().match(/^event: quota\ndata: \{.*\}\n/gm)?.length
  await expect.poll(events, { interval: 2 }).toBe(1)
  for (let later = 2; later <= 10; later += 1) {
    await change()
    tick()
    await expect.poll(events, { interval: 2 }).toBe(later)
  }
  expect(text()).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*transfer-encoding: chunked\r\n/i)
  expect(text()).not.toMatch(/^:$/m)
  socket.destroy()
})

test('a browser of HTTP/1.0 gets the events without chunks (RFC 9112 6.1)', async () => {
  const { port, cookie } = await openHandler()
  const old = dial(port, requestOf(cookie).replace('HTTP/1.1', 'HTTP/1.0'))
  await expect.poll(old.text).toMatch(/\r\n\r\nevent: quota\ndata: /)
  expect(old.text()).not.toMatch(/transfer-encoding/i)
  old.socket.destroy()
})

test('five hundred streams whose browsers go, at any time, leave no watcher, timer or entry (attack 71)', async () => {
  const { port, cookie, change, left, server } = await openHandler()
  const before = timers()
  for (let round = 0; round < 25; round += 1) {
    const opened = Array.from({ length: 20 }, () => openStream(port, cookie))
    const isThere = () => opened.every(({ text }) => text().includes('quota'))
    // In every fourth round they go while they wait for it.
    await expect.poll(() => round % 4 === 0 || isThere()).toBe(true)
    if (round % 4 === 2) await change()
    for (const { socket } of opened) {
      if (round % 2 === 0) socket.destroy()
      else socket.resetAndDestroy()
    }
    await expect.poll(left).toEqual([0, 0, 0])
  }
  await expect.poll(timers).toBeLessThanOrEqual(before)
  await expect.poll(() => connectionsOf(server)).toBe(0)
})

test('a browser that reads nothing is cut, and holds neither memory nor a connection (attack 71)', async () => {
  const { context, port, server, cookie, change, left } = await openHandler({ speed: 250 })
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.pause()
  socket.write(requestOf(cookie))
  await expect.poll(() => context.memory.streams.size).toBe(1)
  // The events fill what the system has for the connection, and then wait.
  const reasons = Array.from({ length: 8000 }, () => ({ code: 'payment_asked' }))
  const pause = { code: 'rate_limited', reasons, untilMs: context.now() + 60_000 }
  const note = { format: 3, value: { gauges: {}, pauses: { read: pause } } }
  for (let changes = 0; left()[1] !== 0 && changes < 2000; changes += 1) {
    await change(note)
    await wait(2)
  }
  await expect.poll(() => connectionsOf(server)).toBe(0)
  expect(left()).toEqual([0, 0, 0])
})

test('for a browser that reads nothing only one event waits, and others get each of theirs (attack 71)', async () => {
  const { context, port, server, cookie, change } = await openHandler({ speed: 5 })
  const answers: ServerResponse[] = []
  server.prependListener('request', (_, outgoing) => answers.push(outgoing))
  const stuck = connect(port, '127.0.0.1').on('error', () => {})
  stuck.pause()
  stuck.write(requestOf(cookie))
  await expect.poll(() => answers.length).toBe(1)
  const { text, socket } = openStream(port, cookie)
  await expect.poll(text).toContain('event: quota')
  const reasons = Array.from({ length: 30_000 }, () => ({ code: 'payment_asked' }))
  const eventBytes = JSON.stringify(reasons).length
  let most = 0
  for (let nth = 1; nth <= 10; nth += 1) {
    const untilMs = context.now() + 60_000 + nth
    await change({
      format: 3,
      value: { gauges: {}, pauses: { read: { code: 'rate_limited', reasons, untilMs } } },
    })
    await expect.poll(() => text().length, { interval: 5 }).toBeGreaterThan(nth * eventBytes)
    most = Math.max(most, answers[0]?.writableLength ?? 0)
  }
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThan(1.1 * eventBytes)
  stuck.destroy()
  socket.destroy()
})

test('a stop ends open streams, and closes their connections at once (RFC 9112 9.6, attack 73)', async () => {
  const fixture = startApp()
  const browser = fixture.browser()
  await browser.signIn(BUSINESS, 'Cleo')
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const { server, port } = await listenAnywhere(fixture.bff.fetch)
  const opened = Array.from({ length: 5 }, () => openStream(port, cookie))
  await expect.poll(() => opened.every(({ text }) => text().includes('quota'))).toBe(true)
  // If they stayed open until then, so would the test.
  await Promise.all([closeServer(server, 86_400_000), fixture.bff.drain()])
  for (const { text, socket } of opened) {
    await expect.poll(() => socket.closed || socket.readableEnded).toBe(true)
    expect(text()).toMatch(/\n\n\r\n0\r\n\r\n$/)
  }
})

test('an open stream is not silent for the listener (attack 71)', async () => {
  const { port, cookie } = await openHandler({ speed: 20, silentMs: LIMITS.silentMs / 20 })
  const { text, socket } = openStream(port, cookie)
  await wait((2 * LIMITS.silentMs) / 20)
  expect(socket.readyState).toBe('open')
  expect(text()).toMatch(/^:$/m)
  socket.destroy()
})
