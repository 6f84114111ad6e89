// A start, the memory at rest, and a static file beside nginx, which reads it from the disk.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startFiles } from './speed/nginx.mjs'
import { cpuSeconds, freePort, residentMegabytes } from './speed/process.mjs'
import { compare, median, number, rounds, table } from './speed/table.mjs'
import { load, writeScript } from './speed/wrk.mjs'

const STARTS = 5
const REST_MS = 5000
const ROUNDS = { count: 3, seconds: 2 }
const TRY_EVERY_MS = 5
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SERVE = [process.execPath, `${ROOT}dist/server/serve.js`]

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'))
const groups = new Set()
process.on('exit', () => {
  for (const pid of groups) process.kill(-pid, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** The time of the first answer with 200 at an address, in milliseconds of `performance.now()`. */
async function firstAnswerMs(url) {
  for (const endMs = performance.now() + 60_000; performance.now() < endMs; await wait(TRY_EVERY_MS)) {
    const status = await new Promise((resolve) => {
      get(url, { agent: false }, (answer) => resolve(answer.resume().statusCode)).on('error', resolve)
    })
    if (status === 200) return performance.now()
  }
  throw new Error(`${url} does not answer`)
}

/** Starts the app in its own process group. @returns ms to its first answers, and a function that stops it */
async function startApp([program, ...args], settings) {
  const [port, operations] = [await freePort(), await freePort()]
  const startedAtMs = performance.now()
  const child = spawn(program, args, {
    cwd: ROOT,
    detached: true,
    stdio: 'ignore',
    env: {
      ...process.env,
      PLIMSOLL_PUBLIC_URL: `http://localhost:${port}`,
      PLIMSOLL_PORT: String(port),
      PLIMSOLL_OPERATIONS_PORT: String(operations),
      PLIMSOLL_STORE: `sqlite:${join(folder, `${port}.db`)}`,
      ...settings,
    },
  })
  const pid = child.pid ?? 0
  groups.add(pid)
  const ended = new Promise((resolve) => {
    child.once('close', resolve)
  })
  const [readyAtMs, pageAtMs] = await Promise.all([
    firstAnswerMs(`http://127.0.0.1:${operations}/readyz`),
    firstAnswerMs(`http://127.0.0.1:${port}/`),
  ])
  return {
    pid,
    url: `http://127.0.0.1:${port}`,
    readyMs: readyAtMs - startedAtMs,
    pageMs: pageAtMs - startedAtMs,
    async stop() {
      process.kill(-pid, 'SIGTERM')
      await ended
      groups.delete(pid)
    },
  }
}

/** With a service, to which nothing is sent. */
const SERVICE = {
  PLIMSOLL_SERVICE_URL: 'http://127.0.0.1:9',
  PLIMSOLL_CLIENT_ID: 'plimsoll',
  PLIMSOLL_CLIENT_SECRET: 'the secret of the benchmark',
}

/** The medians of several starts, one after the other. */
async function startTimes(command, settings, count = STARTS) {
  const started = []
  while (started.length < count) {
    const app = await startApp(command, await settings())
    started.push(app)
    await app.stop()
  }
  const medianOf = (key) => number(median(started.map((times) => times[key])))
  return [medianOf('readyMs'), medianOf('pageMs')]
}

/** Megabytes of a process, with its share of shared memory (proc(5)). */
function proportionalMegabytes(pid) {
  const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))
  return Number(kilobytes) / 1024
}

async function compareStatic(app) {
  const web = `${ROOT}dist/web`
  const file = readdirSync(`${web}/assets`).find((name) => /^signed-in-.*\.js$/.test(name))
  const nginx = await startFiles(folder, web)
  const script = writeScript(join(folder, 'static.lua'), [
    { path: `/assets/${file}`, headers: { 'Accept-Encoding': 'gzip' } },
  ])
  const loadOf =
    ({ url, pid }) =>
    async () => {
      const before = cpuSeconds(pid)
      const result = await load(url, { script, connections: 64, seconds: ROUNDS.seconds })
      if (result.failed > 0) throw new Error(`${url}: ${result.failed} failed`)
      return { ...result, cpuUs: (1e6 * (cpuSeconds(pid) - before)) / result.answered }
    }
  const loads = { 'nginx, from the disk': loadOf(nginx), Plimsoll: loadOf(app) }
  await rounds(1, loads)
  const results = await rounds(ROUNDS.count, loads)
  await nginx.stop()
  return `GET /assets/${file}, gzip, 64 connections\n\n${compare(results, ['nginx, from the disk'])}`
}

console.log('\nStart, milliseconds to the first answer\n')
await startTimes(SERVE, async () => SERVICE, 1)
const withSandbox = async () => ({ PLIMSOLL_SANDBOX_PORT: String(await freePort()) })
console.log(
  table(
    ['what', '/readyz', '/'],
    [
      ['node dist/server/serve.js, with a service', ...(await startTimes(SERVE, async () => SERVICE))],
      [
        'npm start with nothing changed, with the sandbox',
        ...(await startTimes(['npm', 'start'], withSandbox)),
      ],
    ],
  ),
)
const app = await startApp(['taskset', '-c', '0', ...SERVE], SERVICE)
await wait(REST_MS)
const memory = [residentMegabytes(app.pid), proportionalMegabytes(app.pid)].map((value) => number(value, 1))
console.log(`\nAt rest, after ${REST_MS / 1000} s: RSS ${memory[0]} MB, PSS ${memory[1]} MB\n`)
console.log(await compareStatic(app))
await app.stop()
