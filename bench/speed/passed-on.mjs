// Requests that are passed on to the service: by nginx, by express, and by Plimsoll with all that it does for one.
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { MEASURED, cpuSeconds, freePort, start } from './process.mjs'
import { startProxy } from './nginx.mjs'
import { headersOf } from './headers.mjs'
import { openStore } from './open-store.mjs'
import { addSessions, startPlimsoll } from './plimsoll.mjs'
import { compare, rounds } from './table.mjs'
import { load, writeScript } from './wrk.mjs'

/** More than are asked for in a second: a session that asks twice in one is answered from the first answer. */
const SESSIONS = 16_384
const PEER_SESSIONS = 64
const PATH = '/api/organizations/2002'
/** Of all answers; the others asked for what was running. */
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

/** What can be passed on, and how each is asked. */
async function startAll(folder, service, redisUrl) {
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
  const stores = {
    SQLite: `sqlite:${join(folder, 'passed-on.db')}`,
    ...(redisUrl && { 'Redis, everysec': redisUrl }),
  }
  for (const [name, storeUrl] of Object.entries(stores)) {
    const store = await openStore(storeUrl)
    const cookies = await addSessions(store, SESSIONS, '{}')
    await store.close()
    const headers = (cookie) => ({ ...headersOf(cookie), 'X-Plimsoll-Spend': '1' })
    all[`Plimsoll, ${name}`] = {
      running: await startPlimsoll(folder, { name: `passed-on ${name}`, storeUrl, serviceUrl: service.url }),
      script: scriptOf(
        name,
        cookies.map((cookie) => ({ path: PATH, headers: headers(cookie) })),
      ),
    }
  }
  return all
}

/** One load, with what the process has used of its core for each request, and a proof that all was sent. */
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

export async function comparePassedOn(folder, service, { redisUrl, count, seconds }) {
  const all = await startAll(folder, service, redisUrl)
  const sections = []
  for (const connections of [64, 1]) {
    const loads = Object.fromEntries(
      Object.entries(all).map(([name, one]) => [name, () => passOn(one, service, { connections, seconds })]),
    )
    await rounds(1, loads)
    const results = await rounds(count, loads)
    sections.push({ connections, results, text: compare(results, Object.keys(results).slice(0, 2)) })
  }
  for (const { running } of Object.values(all)) await running.stop()
  return sections
}
