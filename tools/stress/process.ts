// Processes of the app over one database: built once, stopped or killed, and ended with this process.
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Dispatcher, request as send } from 'undici'
import { build } from 'vite'
import { APP, SECRET } from '../../test/kit/app.ts'
import { freePort } from '../../test/kit/app-process.ts'
import { type Database, fileIn, openDatabase } from './database.ts'
import { CLIENT_ID, openService, type Service } from './service.ts'

const BUILT = 'dist/stress'
const START_MS = 30_000

/** Builds the server, and the app whose steps can fail, from the present source; the page is built. */
export async function buildServer(): Promise<void> {
  const input = {
    serve: 'src/serve.ts',
    page: 'src/web/app/server.tsx',
    faulty: 'tools/stress/_faulty.ts',
  }
  const files = Object.fromEntries(Object.entries(input).filter(([, file]) => existsSync(file)))
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir: BUILT,
      emptyOutDir: false,
      target: 'node20',
      copyPublicDir: false,
      rolldownOptions: { input: files },
    },
  })
}

export interface AppProcess {
  readonly port: number
  readonly pid: number
  output(): string
  isRunning(): boolean
  /** Rejects if the process does not answer. */
  fetch(request: Request, options?: { dispatcher?: Dispatcher; signal?: AbortSignal }): Promise<Response>
  signal(signal: NodeJS.Signals): void
  /** Resolves when the process has ended, with its exit code or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>
}

const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/**
 * Starts an app process and waits until it listens.
 * @param env settings, besides the port; `STRESS_...` for the faulty app
 * @throws Error with its output if it ends before, or does not listen after 30 s
 */
export async function startProcess(
  env: Record<string, string>,
  entry: 'serve' | 'faulty' = 'serve',
): Promise<AppProcess> {
  const start = () => startOnce(env, entry)
  // Another program may have taken a port in the meantime.
  return start().catch((error: Error) => {
    if (error.message.includes('is in use')) return start()
    throw error
  })
}

async function startOnce(env: Record<string, string>, entry: 'serve' | 'faulty'): Promise<AppProcess> {
  const [port, operationsPort] = [await freePort(), await freePort()]
  const child = spawn(process.execPath, [`${BUILT}/${entry}.js`], {
    env: {
      PATH: process.env['PATH'],
      PLIMSOLL_PORT: String(port),
      PLIMSOLL_OPERATIONS_PORT: String(operationsPort),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  let text = ''
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    // Not `exit`: the last output is read before `close`.
    child.once('close', (code, signal) => {
      children.delete(child)
      resolve(code ?? signal ?? 0)
    })
  })
  await new Promise<void>((resolve, reject) => {
    const fail = () => reject(new Error(`the app did not open: ${text}`))
    const late = setTimeout(() => {
      child.kill('SIGKILL')
      fail()
    }, START_MS)
    child.once('close', fail)
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        if (!text.includes('is open at')) return
        clearTimeout(late)
        resolve()
      })
  })
  return {
    port,
    pid: child.pid ?? 0,
    output: () => text,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    fetch: (request, options) => fetchFrom(port, request, options),
    signal: (signal) => void child.kill(signal),
    ended,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
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

/** One service, one database, and any number of app processes over it. */
export interface Setup {
  readonly service: Service
  readonly folder: string
  readonly database: Database
  /** The path of an SQLite file. */
  readonly storePath: string
  readonly apps: AppProcess[]
  start(env?: Record<string, string>, entry?: 'serve' | 'faulty'): Promise<AppProcess>
  /** Kills the running processes and removes the folder. */
  close(): Promise<void>
}

export async function openSetup({
  processes = 0,
  service: given,
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-stress-')),
  env = {},
}: {
  processes?: number
  service?: Service
  folder?: string
  env?: Record<string, string>
} = {}): Promise<Setup> {
  const service = given ?? (await openService())
  const database = await openDatabase(folder)
  const apps: AppProcess[] = []
  const setup: Setup = {
    service,
    folder,
    database,
    storePath: fileIn(folder),
    apps,
    async start(more = {}, entry) {
      const settings = {
        PLIMSOLL_SERVICE_URL: service.url,
        PLIMSOLL_CLIENT_ID: CLIENT_ID,
        PLIMSOLL_CLIENT_SECRET: SECRET,
        PLIMSOLL_PUBLIC_URL: APP,
        PLIMSOLL_STORE: database.url,
      }
      const app = await startProcess({ ...settings, ...env, ...more }, entry)
      apps.push(app)
      return app
    },
    async close() {
      await Promise.all(apps.filter((app) => app.isRunning()).map((app) => app.stop('SIGKILL')))
      if (given === undefined) await service.close()
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  try {
    for (let nth = 0; nth < processes; nth += 1) await setup.start()
  } catch (error) {
    await setup.close()
    throw error
  }
  return setup
}

/** Opens a setup for the time of `work`, and ends its processes also if `work` fails. */
export async function withSetup(
  options: Parameters<typeof openSetup>[0],
  work: (setup: Setup) => Promise<void>,
): Promise<void> {
  const setup = await openSetup(options)
  try {
    await work(setup)
  } finally {
    await setup.close()
  }
}
