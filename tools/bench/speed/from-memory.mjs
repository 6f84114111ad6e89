// Answers from the stored copy, beside fastify, which answers the same bytes from memory behind a cookie.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { headersOf } from './headers.mjs'
import { RECORD } from './nginx.mjs'
import { openStore } from './open-store.mjs'
import { addSessions, startPlimsoll } from './plimsoll.mjs'
import { cpuSeconds, freePort, MEASURED, start } from './process.mjs'
import { compare, rounds } from './table.mjs'
import { load, writeScript } from './wrk.mjs'

const SESSIONS = 64
const COPY = '/api/organizations/2002'
const SESSION = '/bff/session'
const LOAD = { connections: 64 }

/** @param texts the bodies at /0, /1 and so on */
async function startFastify(texts) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const file = fileURLToPath(new URL('fastify-peer.mjs', import.meta.url))
  const program = [process.execPath, file, String(port), ...texts]
  const running = await start(MEASURED, program, {
    url: `${url}/sign-in`,
    env: { NODE_ENV: 'production' },
  })
  const cookies = []
  while (cookies.length < SESSIONS)
    cookies.push((await fetch(`${url}/sign-in`)).headers.get('set-cookie').split(';')[0])
  return { ...running, url, cookies }
}

export async function compareFromMemory(folder, service, { count, seconds }) {
  const storeUrl = `sqlite:${join(folder, 'from-memory.db')}`
  const store = await openStore(storeUrl)
  const cookies = await addSessions(store, SESSIONS, RECORD)
  await store.close()
  const plimsoll = await startPlimsoll(folder, { name: 'from-memory', storeUrl, serviceUrl: service.url })
  const session = await (await fetch(plimsoll.url + SESSION, { headers: headersOf(cookies[0]) })).text()
  const fastify = await startFastify([RECORD, session])
  const loadOf = (name, running, path, headers) => {
    const requests = running.cookies.map((cookie) => ({ path, headers: headers(cookie) }))
    const script = writeScript(join(folder, `${name}.lua`), requests)
    return async () => {
      const before = cpuSeconds(running.pid)
      const result = await load(running.url, { script, ...LOAD, seconds })
      if (result.failed > 0) throw new Error(`${name}: ${result.failed} failed`)
      return { ...result, cpuUs: (1e6 * (cpuSeconds(running.pid) - before)) / result.answered }
    }
  }
  const own = { ...plimsoll, cookies }
  const cookieAlone = (cookie) => ({ Cookie: cookie })
  const loads = {
    'fastify, the record': loadOf('fastify-copy', fastify, '/0', cookieAlone),
    'Plimsoll, the stored copy': loadOf('copy', own, COPY, headersOf),
    'fastify, the session': loadOf('fastify-session', fastify, '/1', cookieAlone),
    'Plimsoll, GET /bff/session': loadOf('session', own, SESSION, headersOf),
  }
  await rounds(1, loads)
  const results = await rounds(count, loads)
  for (const running of [plimsoll, fastify]) await running.stop()
  return compare(results, ['fastify, the record', 'fastify, the session'])
}
