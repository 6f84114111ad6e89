// A planned stop as a process: running requests are finished, and their results are stored.
import { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { aPartOf, IS_WHOLE } from '../_extent.ts'
import { wholeTest } from '../_whole.ts'
import { readEvents } from '../kit/events.ts'
import { endLater, openApp } from '../kit/cleanup.ts'
import { ask, callerWith, openTokenService, PAGE, signIn } from '../kit/service.ts'
import { type AppProcess, freePort } from '../kit/app-process.ts'

/** Refresh tokens are valid once, refreshes are slow, and the first access token expires soon. */
async function openRotatingService(refreshMs: number) {
  let issued = 0
  const { service, settings } = await openTokenService(async (path, _, { body }) => {
    if (!path.endsWith('/oauth2/token')) return { body: '{"id": 7}' }
    const sent = new URLSearchParams(body).get('refresh_token')
    if (sent !== null && sent !== `rt-${issued}`) return { status: 400, body: '{"error":"invalid_grant"}' }
    issued += 1
    const [access_token, refresh_token] = [`at-${issued}`, `rt-${issued}`]
    if (sent !== null) await wait(refreshMs)
    const expires_in = sent === null ? 1 : 3600
    return { body: JSON.stringify({ token_type: 'Bearer', access_token, refresh_token, expires_in }) }
  })
  const refreshes = () => service.asked.filter(({ body }) => body.includes('refresh_token')).length
  return { service, settings, refreshes }
}

const signInByKey = async ({ url, sandboxState }: AppProcess) =>
  fetch(`${url}/bff/session`, {
    method: 'POST',
    headers: { ...PAGE, 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: (await sandboxState()).api_keys[0]?.value }),
  })

/** A client that the machine kept silent for so long may find its connection closed, and asks again (RFC 9112 9.5). */
const SILENT_MS = 500

/** Asks without a pause, and counts the statuses and errors. */
async function askUntil(over: AbortSignal, counts: Map<unknown, number>, ask: () => Promise<unknown>) {
  let lastAskedAtMs = performance.now()
  while (!over.aborted) {
    const askedAtMs = performance.now()
    const outcome = await ask().catch(({ code }) => code)
    const wasSilent = performance.now() - lastAskedAtMs >= SILENT_MS
    lastAskedAtMs = askedAtMs
    if (outcome === 'ECONNRESET' && wasSilent) continue
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    if (outcome === 'ECONNREFUSED') await wait(20)
  }
}

interface Binding {
  binding: (name: 'tcp_wrap') => {
    TCP: new (type: number) => { bind: (host: string, port: number) => number; fd: number; close: () => void }
    constants: { SERVER: number }
  }
}

/** An open socket as systemd passes it. Node would also accept its connections. */
async function openSocket() {
  const { TCP, constants } = (process as unknown as Binding).binding('tcp_wrap')
  const [socket, port] = [new TCP(constants.SERVER), await freePort()]
  expect(socket.bind('127.0.0.1', port)).toBe(0)
  endLater(() => socket.close())
  return { port: String(port), fd: socket.fd }
}

const CLIENTS: [string, boolean, boolean?][] = [
  ['connections carry one request each', false],
  ['connections are used again', true],
  ['socket systemd keeps open', true, true],
]
test.each(aPartOf(CLIENTS, ([, isUsedAgain]) => isUsedAgain))(
  'SIGTERM loses no request of clients whose %s (attack 73)',
  async (_, keepAlive, isKept) => {
    const { port, fd } = isKept ? await openSocket() : {}
    const running = await openApp(port === undefined ? {} : { PLIMSOLL_PORT: port }, [], fd)
    const cookies = (await signInByKey(running)).headers.getSetCookie()
    const headers = { ...PAGE, Cookie: cookies.map((line) => line.split(';')[0]).join('; ') }
    const counts = new Map<unknown, number>()
    const over = new AbortController()
    const clients = Array.from({ length: 6 }, () => {
      const agent = new Agent({ keepAlive, maxSockets: 1 })
      return askUntil(over.signal, counts, () => ask(`${running.url}/bff/quota`, { agent, headers }))
    })
    for (let stops = 0; stops < (IS_WHOLE ? 4 : 1); stops += 1) {
      const before = counts.get(200) ?? 0
      await expect.poll(() => counts.get(200)).toBeGreaterThan(before + 100)
      running.child().kill('SIGTERM')
      expect(await running.ended()).toBe(0)
      await running.restart()
    }
    over.abort()
    await Promise.all(clients)
    expect(new Set(counts.keys())).toEqual(new Set(isKept ? [200] : [200, 'ECONNREFUSED']))
    expect(running.output()).not.toMatch(/store_failed|store_unavailable/)
  },
)

describe('SIGTERM during a refresh', () => {
  const BROWSERS: [string, boolean][] = [
    ['whose browser waits', false],
    ['whose browser has gone', true],
  ]
  test.each(aPartOf(BROWSERS, ([, isGone]) => isGone))(
    '%s loses no token: the session works after the restart (5.4, attack 73)',
    async (_, isGone) => {
      const { service, settings, refreshes } = await openRotatingService(3000)
      const running = await openApp(settings)
      const { call } = await signIn(running, '7')
      const browser = new AbortController()
      const reading = call('/api/organizations/7', '1', browser.signal).then(
        ({ status }) => status,
        () => 'gone',
      )
      await expect.poll(refreshes).toBe(1)
      if (isGone) browser.abort()
      running.child().kill('SIGTERM')
      expect(await running.ended()).toBe(0)
      expect(await reading).toBe(isGone ? 'gone' : 200)
      await running.restart()
      expect((await call('/api/organizations/7', '1')).status).toBe(200)
      expect(refreshes()).toBe(1)
      expect(service.asked.at(-1)?.authorization).toBe('Bearer at-2')
    },
  )
})

test('the embedded sandbox answers the requests that it got before the stop (8.3)', async () => {
  const running = await openApp()
  const call = callerWith(running.url, await signInByKey(running))
  const control = running.sandboxUrl.replace(/\d+$/, (port) => String(Number(port) + 1))
  const fault = await fetch(`${control}/faults`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ operation: 'organizations', kind: 'delay', ms: 2000 }),
  })
  expect(fault.ok).toBe(true)
  const startedMs = performance.now()
  const reading = call('/api/organizations', '1')
  // The sandbox deletes the fault when its request arrives.
  await expect.poll(async () => (await fetch(`${control}/faults`)).json()).toEqual([])
  running.child().kill('SIGINT')
  expect((await reading).status).toBe(200)
  expect(performance.now() - startedMs).toBeGreaterThan(1900)
  expect(await running.ended()).toBe(0)
})

const isReady = ({ operationsUrl }: AppProcess): Promise<boolean> =>
  fetch(`${operationsUrl}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

wholeTest(
  'a stop takes ten seconds with a request that hangs, and a second signal ends it at once (attack 73)',
  async () => {
    const { service, settings } = await openTokenService((path) =>
      path.endsWith('/oauth2/token') ? undefined : { body: '{"id": 7}' },
    )
    for (const [signals, code] of [
      [['SIGTERM'], 0],
      [['SIGTERM', 'SIGTERM'], 1],
    ] as const) {
      const running = await openApp(settings)
      const before = service.asked.length
      const hanging = signIn(running, '7').catch(() => 'cut')
      await expect.poll(() => service.asked.length).toBe(before + 1)
      for (const signal of signals) {
        running.child().kill(signal)
        // If two signals arrive together, a process handles only one.
        await expect.poll(() => isReady(running)).toBe(false)
      }
      expect(await running.ended()).toBe(code)
      expect(await hanging).toBe('cut')
    }
  },
)

test('SIGTERM ends open streams, and the process at once (attack 73)', async () => {
  const running = await openApp()
  const call = callerWith(running.url, await signInByKey(running))
  const opened = await Promise.all(Array.from({ length: 20 }, () => call('/bff/events')))
  const streams = opened.map(({ body }) => readEvents(body))
  await expect.poll(() => streams.every(({ received }) => received.length === 1)).toBe(true)
  running.child().kill('SIGTERM')
  expect(await running.ended()).toBe(0)
  await expect.poll(() => streams.every(({ isClosed }) => isClosed())).toBe(true)
})

wholeTest('a log without a reader stops no request (attack 75)', async () => {
  const running = await openApp()
  const { stderr, stdout } = running.child()
  stderr?.destroy()
  stdout?.destroy()
  for (let asked = 0; asked < 50; asked += 1)
    expect((await fetch(`${running.url}/bff/quota`, { headers: PAGE })).status).toBe(401)
})
