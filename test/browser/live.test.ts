// Two processes over one SQLite file: a change in one browser reaches all others of its organization.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type EventReader, readEvents } from '../kit/events.ts'
import { IS_WHOLE } from '../_extent.ts'
import { endLater, openApp } from '../kit/cleanup.ts'
import { PAGE } from '../kit/service.ts'
import type { AppProcess } from '../kit/app-process.ts'

const CHANGES = IS_WHOLE ? 200 : 40
/** A read that is repeated within a second gets the last answer, so one browser makes few changes. */
const BROWSERS = 8
const PATHS = ['/api/rate_limit', '/api/organizations']
/** The plan has room for all requests (8.2). */
const BUSINESS_ID = 2002

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
endLater(() => rmSync(folder, { recursive: true, force: true }))
// The name of the cookie has the port of the public URL.
const STORE = {
  PLIMSOLL_STORE: `sqlite:${folder}/shared.db`,
  PLIMSOLL_PUBLIC_URL: 'http://localhost:3000',
}

const opening = openTwo()
async function openTwo() {
  const first = await openApp(STORE)
  const second = await openApp({
    ...STORE,
    PLIMSOLL_SERVICE_URL: first.sandboxUrl,
    PLIMSOLL_CLIENT_ID: 'an-app',
    PLIMSOLL_CLIENT_SECRET: 'a-secret',
  })
  const { state } = JSON.parse(readFileSync(`${folder}/sandbox.json`, 'utf8')) as {
    state: { api_keys: { value: string; organization_id: number }[] }
  }
  const key = state.api_keys.find(({ organization_id: id }) => id === BUSINESS_ID)?.value
  return { apps: [first, second] as const, key }
}

async function signIn({ url }: AppProcess, api_key: string | undefined) {
  const headers = { ...PAGE, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ api_key })
  const signedIn = await fetch(`${url}/bff/session`, { method: 'POST', headers, body })
  expect(signedIn.status).toBe(201)
  const Cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  return (path: string, method = 'GET', at = url) =>
    fetch(at + path, { method, headers: { ...PAGE, Cookie, 'X-Plimsoll-Spend': '1' } })
}
type Call = Awaited<ReturnType<typeof signIn>>

async function listen(call: Call) {
  const came: { version: number; atMs: number }[] = []
  const events: EventReader = readEvents((await call('/bff/events')).body, ({ data }) =>
    came.push({ version: data.version, atMs: performance.now() }),
  )
  endLater(events.leave)
  await expect.poll(() => came.length).toBe(1)
  return { came, events }
}

const versionOf = async (call: Call): Promise<number> => (await (await call('/bff/quota')).json()).version

const percentile = (sorted: readonly number[], part: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN)

test(`a browser at each of two processes sees ${CHANGES} changes in their order, and none is lost (8.3)`, async () => {
  const { apps, key } = await opening
  const listeners = [await listen(await signIn(apps[0], key)), await listen(await signIn(apps[1], key))]
  const browsers: Call[] = []
  for (let at = 0; at < BROWSERS; at += 1) browsers.push(await signIn(apps[at % 2] as AppProcess, key))
  const changes: { version: number; atMs: number }[] = []
  for (let at = 0; at < CHANGES; at += 1) {
    const call = browsers[at % BROWSERS] as Call
    const atMs = performance.now()
    const answer = await call(PATHS[Math.floor(at / BROWSERS) % PATHS.length] ?? '')
    expect([answer.status, answer.headers.get('X-Plimsoll-Spent')]).toEqual([200, '1'])
    changes.push({ version: await versionOf(call), atMs })
    // At another moment between two checks of the process each time.
    await wait(40 + ((at * 37) % 90))
  }
  const last = changes.at(-1)?.version ?? 0
  for (const { came } of listeners)
    await expect.poll(() => came.at(-1)?.version ?? 0).toBeGreaterThanOrEqual(last)

  // Includes the time at the service.
  const tookMs = listeners.flatMap(({ came }) =>
    changes.map(
      ({ version, atMs }) => (came.find((event) => event.version >= version)?.atMs ?? Infinity) - atMs,
    ),
  )
  const sorted = tookMs.toSorted((a, b) => a - b)
  expect(sorted).toHaveLength(2 * CHANGES)
  const [p50, p99, most] = [percentile(sorted, 0.5), percentile(sorted, 0.99), percentile(sorted, 1)]
  console.log(`${CHANGES} changes, seen at two processes: p50 ${p50} ms, p99 ${p99} ms, max ${most} ms`)
  expect(most).toBeLessThan(Infinity)
  for (const { came } of listeners) {
    const versions = came.map(({ version }) => version)
    expect(versions).toEqual(versions.toSorted((a, b) => a - b))
  }
})

test("a sign-out through one process ends the session's stream at the other (ASVS 7.4.1, attack 27)", async () => {
  const { apps, key } = await opening
  const call = await signIn(apps[0], key)
  const { events } = await listen(call)
  expect((await call('/bff/session', 'DELETE', apps[1].url)).status).toBe(204)
  await expect.poll(events.isClosed, { interval: 10 }).toBe(true)
  expect(events.received.at(-1)).toEqual({ event: 'session', data: { signed_in: false } })
})
