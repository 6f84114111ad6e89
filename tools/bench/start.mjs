// A start to the first answer, and the memory at rest. The medians of several starts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { kit, measure, residentMegabytes } from './_measurement.mjs'
import { median, number, report } from './_table.mjs'

const STARTS = 5
const REST_MS = 5000
const [PATIENCE_MS, TRY_EVERY_MS] = [60_000, 5]
const SERVE = [process.execPath, 'dist/server/serve.js']
/** With a service, to which nothing is sent. */
const SERVICE = {
  PLIMSOLL_SERVICE_URL: 'http://127.0.0.1:9',
  PLIMSOLL_CLIENT_ID: 'plimsoll',
  PLIMSOLL_CLIENT_SECRET: 'the secret of the benchmark',
}
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'))

const isAnswered = (url) =>
  new Promise((resolve) => {
    get(url, { agent: false }, (answer) => resolve(answer.resume().statusCode === 200)).on('error', () =>
      resolve(false),
    )
  })

/** Starts the app in a process group of its own, which the end of the measurement ends too. */
async function start([program, ...args], settings) {
  const [port, operationsPort, sandboxPort] = [
    await kit.freePort(),
    await kit.freePort(),
    await kit.freePort(),
  ]
  const startedAtMs = performance.now()
  const child = spawn(program, args, {
    detached: true,
    stdio: 'ignore',
    env: {
      ...process.env,
      PLIMSOLL_PORT: String(port),
      PLIMSOLL_OPERATIONS_PORT: String(operationsPort),
      PLIMSOLL_SANDBOX_PORT: String(sandboxPort),
      PLIMSOLL_STORE: `sqlite:${join(folder, `${port}.db`)}`,
      ...settings,
    },
  })
  const { pid = 0 } = child
  const ended = once(child, 'close')
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-pid, 'SIGTERM')
    await ended
  }
  kit.endLater(stop)
  while (!(await isAnswered(`http://127.0.0.1:${port}/`))) {
    if (performance.now() - startedAtMs > PATIENCE_MS) throw new Error(`${program} does not answer`)
    await wait(TRY_EVERY_MS)
  }
  return { pid, pageMs: performance.now() - startedAtMs, stop }
}

async function startOften(command, settings) {
  const times = []
  // The first start reads the files into the memory of the machine.
  for (let nth = 0; nth <= STARTS; nth += 1) {
    const app = await start(command, settings)
    times.push(app.pageMs)
    await app.stop()
  }
  return number(median(times.slice(1)))
}

await measure(async () => {
  kit.endLater(() => rmSync(folder, { recursive: true }))
  const rows = [
    ['`node dist/server/serve.js`, with a service: first answer, ms', await startOften(SERVE, SERVICE)],
    ['`npm start` with nothing changed, with the sandbox: the same', await startOften(['npm', 'start'], {})],
  ]
  const app = await start(SERVE, SERVICE)
  await wait(REST_MS)
  rows.push([`resident after ${REST_MS / 1000} s, MB`, number(residentMegabytes(app.pid))])
  report('start', ['start', 'measured'], rows)
})
