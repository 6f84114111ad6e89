// The built sandbox as a process, with limits that the load cannot reach, and the bare server beside it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MEASURED, freePort, start } from '../speed/process.mjs'

const SERVE = fileURLToPath(new URL('../../../dist/server/serve.js', import.meta.url))
const BARE = fileURLToPath(new URL('bare-peer.mjs', import.meta.url))
const CALLBACK = 'http://localhost:3000/callback'
export const CLIENT = { client_id: 'plimsoll', client_secret: 'the-secret' }
const NO_LIMIT = 1e12

/** Two free ports, one above the other. */
async function freePorts() {
  const port = await freePort()
  return (await isFree(port + 1)) ? port : freePorts()
}

const isFree = (port) =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

export async function startSandbox(folder, name, nodeFlags = []) {
  const [port, cwd] = [await freePorts(), join(folder, name)]
  const [url, controlUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${port + 1}`]
  mkdirSync(cwd, { recursive: true })
  const running = await start(MEASURED, [process.execPath, ...nodeFlags, SERVE, '--sandbox'], {
    url: controlUrl,
    cwd,
    log: join(cwd, 'log'),
    env: {
      NODE_ENV: 'production',
      PLIMSOLL_SANDBOX_PORT: String(port),
      PLIMSOLL_CLIENT_ID: CLIENT.client_id,
      PLIMSOLL_CLIENT_SECRET: CLIENT.client_secret,
    },
  })
  const control = async (method, path, body) => {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(controlUrl + path, { method, headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  }
  /** Resets the sandbox to age 0: no token, no log. */
  const reset = async () => {
    await control('POST', '/reset')
    await control('PUT', '/limits', { 2002: { read_per_minute: NO_LIMIT, update_per_minute: NO_LIMIT } })
  }
  await reset()
  return { ...running, url, reset }
}

/** Starts a server that gives the sandbox's answer, with the same header fields. */
export async function startBare(folder, name, answer) {
  const file = join(folder, `${name}.json`)
  const hopByHop = ['connection', 'keep-alive', 'transfer-encoding']
  const headers = Object.fromEntries([...answer.headers].filter(([field]) => !hopByHop.includes(field)))
  const body = await answer.text()
  headers['content-length'] = String(Buffer.byteLength(body))
  writeFileSync(file, JSON.stringify({ status: answer.status, headers, body }))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  return { ...(await start(MEASURED, [process.execPath, BARE, String(port), file], { url })), url }
}

const post = (url, fields, headers = {}) =>
  fetch(url, { method: 'POST', headers, body: new URLSearchParams(fields), redirect: 'manual' })

export const refresh = (url, refreshToken) =>
  post(`${url}/oauth2/token`, { grant_type: 'refresh_token', refresh_token: refreshToken, ...CLIENT })

/** @returns the tokens of each sign-in */
export async function signIn(url, times) {
  const signedIn = await post(`${url}/projects`, { person_id: 'cleo' })
  const cookie = { Cookie: signedIn.headers.get('Set-Cookie').split(';')[0] }
  const query = { redirect_uri: CALLBACK, response_type: 'code', state: 's', organization_id: '2002' }
  const address = `${url}/oauth2/login?${new URLSearchParams({ client_id: CLIENT.client_id, ...query })}`
  const tokens = []
  while (tokens.length < times) {
    const page = await (await fetch(address, { headers: cookie })).text()
    const [, csrf_token] = /name="csrf_token" value="([^"]+)"/.exec(page)
    const permitted = await post(`${url}/oauth2/permission`, { csrf_token, answer: 'permit' }, cookie)
    const code = new URL(permitted.headers.get('Location')).searchParams.get('code')
    const fields = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...CLIENT }
    tokens.push(await (await post(`${url}/oauth2/token`, fields)).json())
  }
  return tokens
}
