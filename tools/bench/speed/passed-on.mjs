// Requests passed on to the service: by nginx, express, Plimsoll, and the least that records.
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { MEASURED, cpuSeconds, freePort, start } from './process.mjs'
import { startProxy } from './nginx.mjs'
import { headersOf } from './headers.mjs'
import { openStore } from './open-store.mjs'
import { addSessions, startPlimsoll } from './plimsoll.mjs'
import { startRedis } from './redis.mjs'
import { compare, rounds } from './table.mjs'
import { load, writeScript } from './wrk.mjs'

/** More sessions than requests a second: one that asks twice in a second gets the first answer again. */
const SESSIONS = 8192
const PEER_SESSIONS = 64
const PATH = '/api/organizations/2002'
/** The least share of answers that were sent; the others joined a running request. */
const LEAST_SENT = 0.98

export async function startExpress(service) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const file = fileURLToPath(new URL('express-peer.mjs', import.meta.url))
  const running = await start(MEASURED, [process.execPath, file, String(port), service.url], {
    url: `${url}/sign-in`,
    env: { NODE_ENV: 'production' },
  })
  const cookies = []
  for (let nth = 0; nth < PEER_SESSIONS; nth += 1) {
    const { headers } = await fetch(`${url}/sign-in?nth=${nth}`)
    cookies.push(headers.get('set-cookie').split(';')[0])
  }
  return { ...running, url, cookies }
}

/** @param stored `copies` if the copy of the answer is stored too */
async function startRecording(service, storeUrl, stored = '') {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const file = fileURLToPath(new URL('recording-peer.mjs', import.meta.url))
  const program = [process.execPath, file, String(port), service.url, storeUrl, stored]
  return { ...(await start(MEASURED, program, { url, env: { NODE_ENV: 'production' } })), url }
}

/** The servers with a store, each with its own. */
function withStore(folder, service) {
  const plimsoll = (name, storeUrl) => startPlimsoll(folder, { name, storeUrl, serviceUrl: service.url })
  const recording = (_, storeUrl) => startRecording(service, storeUrl)
  const copying = (_, storeUrl) => startRecording(service, storeUrl, 'copies')
  return {
    'Plimsoll, SQLite': ['sqlite', plimsoll],
    'the least that records, SQLite': ['sqlite', recording],
    'the least that records and stores the copy, SQLite': ['sqlite', copying],
    'Plimsoll, Redis, everysec': ['redis', plimsoll],
    'the least that records and stores the copy, Redis, everysec': ['redis', copying],
  }
}

/** Each has its own Redis server, because a server reports the changes of all databases to all clients. */
async function makeStore(folder, kind) {
  mkdirSync(folder)
  if (kind === 'redis') return startRedis(folder)
  return { url: `sqlite:${join(folder, 'store.db')}`, async stop() {} }
}

async function startAll(folder, service) {
  const scriptOf = (name, requests) => writeScript(join(folder, `${name}.lua`), requests)
  const proxy = await startProxy(folder, service)
  const express = await startExpress(service)
  const all = {
    'nginx proxy_pass': { running: proxy, script: scriptOf('nginx', [{ path: PATH, headers: {} }]) },
    'express, express-session, http-proxy-middleware': {
      running: express,
      script: scriptOf(
        'express',
        express.cookies.map((cookie) => ({ path: PATH, headers: { Cookie: cookie } })),
      ),
    },
  }
  for (const [name, [kind, startOver]] of Object.entries(withStore(folder, service))) {
    const made = await makeStore(join(folder, `store-${Object.keys(all).length}`), kind)
    const store = await openStore(made.url)
    const cookies = await addSessions(store, SESSIONS, '{}')
    await store.close()
    const headers = (cookie) => ({ ...headersOf(cookie), 'X-Plimsoll-Spend': '1' })
    all[name] = {
      made,
      running: await startOver(name, made.url),
      script: scriptOf(
        name,
        cookies.map((cookie) => ({ path: PATH, headers: headers(cookie) })),
      ),
    }
  }
  return all
}

/** One load, with the CPU time for each request, and a check that all requests were sent. */
async function passOn({ running, script }, service, { connections, seconds }) {
  const [before, sentBefore] = [cpuSeconds(running.pid), await service.sent()]
  const result = await load(running.url, { script, connections, seconds })
  const sent = (await service.sent()) - sentBefore
  if (result.failed > 0 || sent < LEAST_SENT * result.answered)
    throw new Error(
      `${running.url}: of ${result.answered} answers ${result.failed} failed, ${sent} were sent`,
    )
  return { ...result, cpuUs: (1e6 * (cpuSeconds(running.pid) - before)) / result.answered }
}

/**
 * Requests that each server has answered before the measurement: a service that runs for days has compiled
 * its code.
 */
const WARM = 8000
const MOST_WARM_SECONDS = 6

async function warmUp(one, service, seconds) {
  const { answered, rate } = await passOn(one, service, { connections: 64, seconds })
  const missing = Math.min(MOST_WARM_SECONDS, Math.ceil((WARM - answered) / rate))
  if (missing > 0) await passOn(one, service, { connections: 64, seconds: missing })
}

export async function comparePassedOn(folder, service, { count, seconds }) {
  const all = await startAll(folder, service)
  const loadsOf = (connections) =>
    Object.fromEntries(
      Object.entries(all).map(([name, one]) => [name, () => passOn(one, service, { connections, seconds })]),
    )
  for (const one of Object.values(all)) await warmUp(one, service, seconds)
  const sections = []
  for (const connections of [64, 1]) {
    const results = await rounds(count, loadsOf(connections))
    sections.push({ connections, results, text: compare(results, Object.keys(results).slice(0, 2)) })
  }
  for (const { running, made } of Object.values(all)) {
    await running.stop()
    await made?.stop()
  }
  return sections
}
