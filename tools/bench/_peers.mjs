// The servers beside Plimsoll, each a process on the core of the server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { kit, pin, SERVER_CORE } from './_measurement.mjs'

const SESSIONS = 64
const TRIES = 300

/** Starts a program, and waits until it answers. */
async function start(program, args, url) {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
    stdio: 'ignore',
  })
  const ended = once(child, 'close')
  kit.endLater(() => {
    child.kill('SIGTERM')
    return ended
  })
  for (let tries = 0; !(await fetch(url).catch(() => undefined)); tries += 1) {
    if (tries === TRIES || child.exitCode !== null) throw new Error(`${program} ${args} does not answer`)
    await wait(100)
  }
  pin(child.pid, SERVER_CORE)
  return child.pid
}

/** Starts a server of this folder with sessions. */
async function startNode(file, ...args) {
  const port = await kit.freePort()
  const url = `http://127.0.0.1:${port}`
  const path = fileURLToPath(new URL(file, import.meta.url))
  const pid = await start(process.execPath, [path, String(port), ...args], `${url}/sign-in`)
  const headers = []
  while (headers.length < SESSIONS) {
    const signedIn = await fetch(`${url}/sign-in`)
    headers.push({ Cookie: signedIn.headers.get('Set-Cookie').split(';')[0] })
  }
  return { url, pid, headers }
}

export const startExpress = (service) => startNode('_express.mjs', service)
export const startFastify = (text) => startNode('_fastify.mjs', text)

/** Passes all requests on to the service, with a bearer token. */
export async function startNginx(program, service) {
  const port = await kit.freePort()
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-nginx-'))
  kit.endLater(() => rmSync(folder, { recursive: true }))
  const files = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  writeFileSync(
    join(folder, 'conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log;
events { worker_connections 1024; }
http {
  access_log off; keepalive_requests 100000000; ${files.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  upstream service { server ${new URL(service).host}; keepalive 128; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://service; proxy_http_version 1.1;
      proxy_set_header Connection ""; proxy_set_header Authorization "Bearer of-everyone";
    }
  }
}
`,
  )
  const args = ['-p', folder, '-e', `${folder}/log`, '-c', `${folder}/conf`]
  const url = `http://127.0.0.1:${port}`
  return { url, pid: await start(program, args, url), headers: [{}] }
}
