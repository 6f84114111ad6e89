// The built app in production mode, over a store with so many sessions.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { load } from '../_load.mjs'
import { MEASURED, freePort, start } from './process.mjs'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const { storeSession } = await load('bff/session/record.ts')
const { cookieNames } = await load('bff/http/cookie.ts')

const HOUR_MS = 3_600_000
const TOGETHER = 500
// The names of the cookies have its port, and the sessions are stored before an app has one.
const PUBLIC_URL = 'http://localhost:3000'
export const COOKIES = cookieNames(PUBLIC_URL)

/** Each has its own token and a copy of the record, in organization 2002. @returns their cookies */
export async function addSessions(store, count, record) {
  const context = { cookies: COOKIES, store, now: () => Date.now(), measure() {} }
  const copies = { '/organizations/2002': { text: record, atMs: Date.now() } }
  const add = async (nth) => {
    const tokens = {
      accessToken: `access-token-${nth}`.padEnd(43, 'x'),
      refreshToken: `refresh-token-${nth}`.padEnd(43, 'x'),
      staleAtMs: Date.now() + HOUR_MS,
      expiresAtMs: Date.now() + HOUR_MS,
    }
    const credential = { method: 'oauth', organizationId: '2002', tokens }
    const { value } = await storeSession(context, { credential, proven: true, copies })
    return `${COOKIES.session}=${value}`
  }
  const cookies = []
  while (cookies.length < count) {
    const nths = Array.from(
      { length: Math.min(TOGETHER, count - cookies.length) },
      (_, nth) => cookies.length + nth,
    )
    cookies.push(...(await Promise.all(nths.map(add))))
  }
  return cookies
}

/** @param workers processes, on as many cores */
export async function startPlimsoll(
  folder,
  { name, storeUrl, serviceUrl, core = MEASURED, nodeFlags = [], flags = [] },
) {
  const [port, operationsPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const cwd = join(folder, name)
  mkdirSync(cwd, { recursive: true })
  const running = await start(
    core,
    [process.execPath, ...nodeFlags, `${ROOT}dist/server/serve.js`, ...flags],
    {
      url: `${url}/bff/session`,
      cwd,
      log: join(cwd, 'log'),
      env: {
        NODE_ENV: 'production',
        PLIMSOLL_SERVICE_URL: serviceUrl,
        PLIMSOLL_CLIENT_ID: 'plimsoll',
        PLIMSOLL_CLIENT_SECRET: 'the secret of the benchmark',
        PLIMSOLL_PUBLIC_URL: PUBLIC_URL,
        PLIMSOLL_PORT: String(port),
        PLIMSOLL_OPERATIONS_PORT: String(operationsPort),
        PLIMSOLL_STORE: storeUrl,
      },
    },
  )
  return { ...running, url, cwd }
}
