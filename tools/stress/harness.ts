// One strict service, one database, and any number of app processes over it, all ended with this process.
import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import type { Dispatcher } from 'undici'
import { build } from 'vite'
import { APP, SECRET } from '../../test/kit/app.ts'
import { fetchFrom, freePort, run } from '../../test/kit/app-process.ts'
import { CLIENT_ID, openService, type Service } from '../../test/kit/strict-service.ts'
import { type Database, memoryFolder, openDatabase } from './database.ts'

/** The folders of the app, and of the one whose steps can fail. */
const BUILDS = { app: 'dist', faulty: 'dist/stress' } as const

/** Builds the app whose steps can fail. The app itself must be there already. */
export async function buildFaulty(): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: 'tools/stress/_faulty.ts',
      outDir: `${BUILDS.faulty}/server`,
      target: 'node20',
      copyPublicDir: false,
      rolldownOptions: { output: { entryFileNames: 'serve.js' } },
    },
  })
}

export interface AppProcess {
  readonly port: number
  output(): string
  isRunning(): boolean
  /** False once it was asked to stop: its /readyz is 503 then (docs/operations.md). */
  isReady(): boolean
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

/** Waits until it listens. @throws Error with its output if it ends before */
async function startProcess(
  env: Record<string, string>,
  entry: keyof typeof BUILDS,
  triesLeft = 2,
): Promise<AppProcess> {
  const [port, operationsPort] = [await freePort(), await freePort()]
  const ports = { PLIMSOLL_PORT: String(port), PLIMSOLL_OPERATIONS_PORT: String(operationsPort) }
  const { child, output, exitCode } = await run({ ...ports, ...env }, [], BUILDS[entry])
  // Another program may have taken a port in the meantime.
  if (exitCode() !== null && output().includes('is in use') && triesLeft > 0)
    return startProcess(env, entry, triesLeft - 1)
  if (exitCode() !== null) throw new Error(`the app did not open: ${output()}`)
  children.add(child)
  let isAsked = false
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    // Not `exit`: the last output is read before `close`.
    child.once('close', (code, signal) => {
      children.delete(child)
      resolve(code ?? signal ?? 0)
    })
  })
  return {
    port,
    output,
    isRunning,
    isReady: () => isRunning() && !isAsked,
    fetch: (request, options) => fetchFrom(port, request, options),
    signal: (signal) => void child.kill(signal),
    ended,
    stop(signal = 'SIGTERM') {
      isAsked = true
      child.kill(signal)
      return ended
    },
  }
}

export interface Setup {
  readonly service: Service
  readonly folder: string
  readonly database: Database
  /** All processes that were started, also those that have ended. */
  readonly apps: AppProcess[]
  start(env?: Record<string, string>, entry?: keyof typeof BUILDS): Promise<AppProcess>
  /** Kills the running processes and removes the folder. */
  close(): Promise<void>
}

interface SetupOptions {
  processes?: number
  /** Absent: the setup opens one, and closes it at its own end. */
  service?: Service
  folder?: string
  env?: Record<string, string>
}

export async function openSetup({
  processes = 0,
  service: given,
  folder = memoryFolder(),
  env = {},
}: SetupOptions = {}): Promise<Setup> {
  const service = given ?? (await openService())
  const database = await openDatabase(folder)
  const apps: AppProcess[] = []
  const settings = {
    PLIMSOLL_SERVICE_URL: service.url,
    PLIMSOLL_CLIENT_ID: CLIENT_ID,
    PLIMSOLL_CLIENT_SECRET: SECRET,
    PLIMSOLL_PUBLIC_URL: APP,
    PLIMSOLL_STORE: database.url,
  }
  const setup: Setup = {
    service,
    folder,
    database,
    apps,
    async start(more = {}, entry = 'app') {
      const app = await startProcess({ ...settings, ...env, ...more }, entry)
      apps.push(app)
      return app
    },
    async close() {
      await Promise.all(apps.filter((app) => app.isRunning()).map((app) => app.stop('SIGKILL')))
      if (given === undefined) await service.close()
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

/** Opens a setup for `work`, and closes it also if `work` fails. */
export async function withSetup<T>(options: SetupOptions, work: (setup: Setup) => Promise<T>): Promise<T> {
  const setup = await openSetup(options)
  try {
    return await work(setup)
  } finally {
    await setup.close()
  }
}

/** Goes to the next ready process each time, as a load balancer does. */
export function balanced({ apps }: Setup): () => AppProcess {
  let requests = 0
  return () => {
    const ready = apps.filter((app) => app.isReady())
    const app = ready[(requests += 1) % ready.length]
    if (app === undefined) throw new Error('there is no app process')
    return app
  }
}

export async function inLanes<T>(
  lanes: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...items]
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
