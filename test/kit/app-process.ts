// The only place that starts the built app as a process.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Dispatcher, request as send } from 'undici'
import { PATIENCE_MS } from './until.ts'

export interface AppProcess {
  url: string
  sandboxUrl: string
  /** Health and metrics. */
  operationsUrl: string
  /** Its whole output so far. */
  output(): string
  /** Includes every token that the sandbox issued. */
  sandboxState(): Promise<{
    access_tokens: Record<string, unknown>
    refresh_tokens: Record<string, unknown>
    api_keys: { value: string }[]
  }>
  child(): ChildProcess
  /** @returns the exit code; `null` if a signal has ended the process */
  ended(): Promise<number | null>
  /** Starts another process on the same data once this one has ended. @param build folder of another build */
  restart(build?: string): Promise<void>
  /** Kills the process, and starts another one on the same data. */
  killAndRestart(): Promise<void>
  stop(): Promise<void>
}

/** A free port, as is the one above it. No other test process gets them while this one lives. */
export async function freePort(): Promise<number> {
  // Below the ports that the system assigns.
  const port = 10_000 + 3 * Math.floor(Math.random() * 7000)
  try {
    const guard = await listenOn(port + 2)
    // It is held, and says to the other processes that the two below it are taken.
    guard.unref()
    for (const wanted of [port, port + 1]) {
      const server = await listenOn(wanted)
      server.close()
    }
    return port
  } catch {
    return freePort()
  }
}

async function listenOn(port: number): Promise<Server> {
  const server = createServer()
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return server
}

/** Runs the built server until it reports that it listens, or ends. @param fd an open socket, as of systemd */
export async function run(
  env: Record<string, string>,
  flags: readonly string[] = [],
  build = 'dist',
  fd?: number,
): Promise<{ child: ChildProcess; output: () => string; exitCode: () => number | null }> {
  const program = [process.execPath, `${build}/server/serve.js`, ...flags]
  const child = spawn('sh', ['-c', 'export LISTEN_PID=$$; exec "$0" "$@"', ...program], {
    env: { PATH: process.env['PATH'], ...env, ...(fd && { LISTEN_FDS: '1' }) },
    stdio: ['ignore', 'pipe', 'pipe', fd ?? 'ignore'],
  })
  let text = ''
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`neither open nor over: ${text}`)), PATIENCE_MS)
    const done = () => {
      clearTimeout(late)
      resolve()
    }
    child.once('exit', done)
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        if (text.includes('is open at')) done()
      })
    }
  })
  return { child, output: () => text, exitCode: () => child.exitCode }
}

export async function startAppProcess(
  extra: Record<string, string> = {},
  flags: readonly string[] = [],
  fd?: number,
): Promise<AppProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  const start = async (triesLeft = 2) => {
    const [port, sandboxPort, operationsPort] = [await freePort(), await freePort(), await freePort()]
    const env = {
      PLIMSOLL_PORT: String(port),
      PLIMSOLL_SANDBOX_PORT: String(sandboxPort),
      PLIMSOLL_OPERATIONS_PORT: String(operationsPort),
      PLIMSOLL_STORE: `sqlite:${folder}/plimsoll.db`,
      ...extra,
    }
    const first = await run(env, flags, undefined, fd)
    // Another program may have taken a port in the meantime.
    const [, taken = ''] = /^Port (\d+) .* is in use/m.exec(first.output()) ?? []
    const isChosen = [port, sandboxPort, sandboxPort + 1, operationsPort].map(String).includes(taken)
    if (isChosen && triesLeft > 0) return start(triesLeft - 1)
    return { port: env.PLIMSOLL_PORT, sandboxPort, operationsPort, env, first }
  }
  const { port, sandboxPort, operationsPort, env, first } = await start()
  let running = first
  let before = ''
  const ended = () =>
    new Promise<number | null>((resolve) =>
      running.child.exitCode === null && running.child.signalCode === null
        ? running.child.once('exit', resolve)
        : resolve(running.child.exitCode),
    )
  const restart = async (build?: string) => {
    await ended()
    before += running.output()
    running = await run(env, flags, build, fd)
  }
  if (running.child.exitCode !== null) throw new Error(running.output())
  return {
    url: `http://localhost:${port}`,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    operationsUrl: `http://127.0.0.1:${operationsPort}`,
    output: () => before + running.output(),
    sandboxState: async () => (await fetch(`http://127.0.0.1:${sandboxPort + 1}/snapshot`)).json(),
    child: () => running.child,
    ended,
    restart,
    killAndRestart: async () => {
      running.child.kill('SIGKILL')
      await restart()
    },
    stop: async () => {
      running.child.kill('SIGTERM')
      await ended()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Node's own fetch opens too few connections at a time, and cannot choose its source address. */
export async function fetchFrom(
  port: number,
  request: Request,
  options: { dispatcher?: Dispatcher; signal?: AbortSignal } = {},
): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const text = await request.text()
  const { statusCode, headers, body } = await send(`http://127.0.0.1:${port}${pathname}${search}`, {
    method: request.method as 'GET',
    headers: Object.fromEntries(request.headers),
    body: text === '' ? null : text,
    headersTimeout: 180_000,
    bodyTimeout: 180_000,
    ...options,
  })
  const answered = await body.text()
  const received = new Headers()
  for (const [name, value] of Object.entries(headers))
    for (const each of [value].flat()) received.append(name, String(each))
  return new Response(answered === '' ? null : answered, { status: statusCode, headers: received })
}
