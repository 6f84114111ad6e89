// A session look-up by the number of stored sessions: alone, and as GET /bff/session of the app.
import { join } from 'node:path'
import { fillSessions as fillSqlite } from '../_fill-sqlite.mjs'
import { load as loadModule } from '../_load.mjs'
import { headersOf } from '../speed/headers.mjs'
import { RECORD } from '../speed/nginx.mjs'
import { COOKIES, startPlimsoll } from '../speed/plimsoll.mjs'
import { cpuSeconds } from '../speed/process.mjs'
import { load, writeScript } from '../speed/wrk.mjs'
import { fillSessions as fillRedis } from './fill-redis.mjs'
import { timesOf } from './growth.mjs'
import { openStores } from './stores.mjs'

const { createMemory } = await loadModule('bff/core/context.ts')
const { EventStreams } = await loadModule('bff/events/streams.ts')
const { OpenedRecords } = await loadModule('bff/session/cache.ts')
const { loadSession, parseSessionCookie, storeSession } = await loadModule('bff/session/record.ts')

export const SESSIONS = [100, 10_000, 100_000]
const HOUR_MS = 3_600_000
const FIRST = 2002

/**
 * Creates sessions as a sign-in does, the nth for the nth organization. @returns `[id, session]`, cookie and
 * path of each
 */
export async function makeSessions(count, { record = RECORD, organizations = 1 } = {}) {
  const made = []
  const writeSession = async (id, session) => void made.push([id, session])
  const context = { cookies: COOKIES, store: { writeSession }, now: () => Date.now(), measure() {} }
  const asked = []
  for (let nth = 0; nth < count; nth += 1) {
    const organizationId = `${FIRST + (nth % organizations)}`
    const tokens = {
      accessToken: `access-token-${nth}`.padEnd(43, 'x'),
      refreshToken: `refresh-token-${nth}`.padEnd(43, 'x'),
      staleAtMs: Date.now() + HOUR_MS,
      expiresAtMs: Date.now() + HOUR_MS,
    }
    const path = `/organizations/${organizationId}`
    const copies = { [path]: { text: record, atMs: Date.now() } }
    const credential = { method: 'oauth', organizationId, tokens }
    const { value } = await storeSession(context, { credential, proven: true, copies })
    asked.push({ value, path: `/api${path}`, headers: headersOf(`${COOKIES.session}=${value}`) })
  }
  return { rows: made, asked }
}

const newMemory = () => createMemory({ openedRecords: new OpenedRecords(), streams: new EventStreams() })

/** Reads, decrypts and parses a session that this process does not have in memory. */
const lookUp = (asked, rows) => ({
  async run({ store, size }) {
    const nth = Math.floor(Math.random() * size)
    const context = { store, memory: newMemory(), now: () => Date.now() }
    const found = await loadSession(context, parseSessionCookie(asked[nth].value))
    if (typeof found === 'string') throw new Error('no session')
    return nth
  },
  // The same session is stored already: nothing is written, but the store removes it from its memory.
  after: ({ store }, nth) => store.writeSession(...rows[nth], 0),
})

/** A sweep when no session has ended: its time is that of the search. */
const sweep = { run: ({ store }) => store.sweep(Date.now()) }

/** GET /bff/session, for every session in turn. */
async function askApp(folder, { name, url, asked, service, seconds }) {
  const requests = asked.map(({ headers }) => ({ path: '/bff/session', headers }))
  const script = writeScript(join(folder, 'sessions.lua'), requests)
  const app = await startPlimsoll(folder, { name, storeUrl: url, serviceUrl: service.url })
  await load(app.url, { script, connections: 64, seconds: 1 })
  const before = cpuSeconds(app.pid)
  const { rate, answered, failed } = await load(app.url, { script, connections: 64, seconds })
  if (failed > 0) throw new Error(`${name}: ${failed} failed`)
  const cpuUs = (1e6 * (cpuSeconds(app.pid) - before)) / answered
  await app.stop()
  return { rate, cpuUs }
}

/** @returns by store: ms of a look-up and of a sweep by size, the app's rates by size, a session's bytes */
export async function measureSessions(folder, service, { sizes = SESSIONS, seconds = 2 } = {}) {
  const { rows, asked } = await makeSessions(sizes.at(-1))
  const rowsOf = (size) => rows.slice(0, size)
  const { stores, close } = await openStores(folder, {
    name: 'sessions',
    sizes,
    fill: { SQLite: fillSqlite, Redis: fillRedis },
    rowsOf,
  })
  const results = {}
  for (const [name, ofSizes] of Object.entries(stores)) {
    const lookUps = await timesOf(lookUp(asked, rows), ofSizes, 500)
    const sweeps = await timesOf(sweep, ofSizes, 6)
    const apps = []
    for (const { size, url } of [ofSizes[0], ofSizes.at(-1)])
      apps.push(
        await askApp(folder, {
          name: `${name} ${String(size)}`,
          url,
          asked: asked.slice(0, size),
          service,
          seconds,
        }),
      )
    const { bytes, size } = ofSizes.at(-1)
    results[name] = { lookUps, sweeps, apps, bytesOfASession: bytes / size }
  }
  await close()
  return results
}
