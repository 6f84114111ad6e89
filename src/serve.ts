/** The only file that knows the environment, the clock, sockets and disks: it opens the house and keeps it open. */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Server, ServerResponse } from 'node:http'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { createAdaptorServer } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import closeWithGrace from 'close-with-grace'
import { type Bff, createBff } from './bff/bff.ts'
import type { LogEntry } from './bff/house.ts'
import { CONTENT_TYPES, type StaticFile, type StaticFiles } from './bff/pages.ts'
import { describe } from './bff/problem.ts'
import { readSettings, type Settings } from './bff/settings.ts'
import { createUpstream } from './bff/upstream.ts'
import { ConnectionReset } from './sandbox/state/injected-fault.ts'
import { assertAddress, introduce, type OpenAt } from './sandbox/introduction.ts'
import { openKept } from './sandbox/keep.ts'
import { seedFor } from './sandbox/state/seed.ts'
import type { Seed } from './sandbox/state/state.ts'
import { openSqlite } from './store/sqlite.ts'

const now = () => Date.now()
const SWEEP_EVERY_MS = 3_600_000
const SAVE_AFTER_MS = 200
const LOOPBACK = '127.0.0.1'

export interface OpenHouse extends Bff {
  settings: Settings
  sandbox?: OpenSandbox
  /** Where to click, and who to sign in as. */
  greeting: () => string
  close: () => Promise<void>
}

interface OpenSandbox extends OpenAt {
  seed: Seed
  close: () => Promise<void>
}

const log = (entry: LogEntry) =>
  process.stderr.write(`${JSON.stringify({ time: new Date(now()).toISOString(), ...entry })}\n`)

/**
 * Opens everything but the app's own listener: the store, the way to the service, and where no service is set, the sandbox.
 * @throws Error in plain words for everything that a person can mend
 */
export async function openHouse(environment: NodeJS.ProcessEnv, files?: StaticFiles): Promise<OpenHouse> {
  const settings = readSettings(environment, (path) => readFileSync(path, 'utf8'))
  if (settings.store.kind === 'redis') {
    throw new Error('PLIMSOLL_STORE: this version keeps its data in SQLite only; use sqlite:<file>.')
  }
  const store = openSqlite(settings.store.path)
  try {
    const sandbox = settings.serviceUrl === undefined ? await openSandbox(settings) : undefined
    const application = sandbox?.seed.applications[0]
    const upstream = createUpstream()
    const sweep = setInterval(() => void store.sweep(now()).catch(() => {}), SWEEP_EVERY_MS).unref()
    const bff = createBff({
      config: {
        ...settings,
        serviceUrl: settings.serviceUrl ?? sandbox?.url ?? '',
        clientId: settings.clientId ?? application?.client_id ?? '',
        clientSecret: settings.clientSecret ?? application?.client_secret ?? '',
      },
      store,
      upstream: upstream.send,
      now,
      log,
      ...(files && { files }),
    })
    const close = async () => {
      clearInterval(sweep)
      await Promise.all([upstream.close(), sandbox?.close()])
      await store.close()
    }
    return {
      ...bff,
      settings,
      ...(sandbox && { sandbox }),
      greeting: () => greeting(settings, sandbox),
      close,
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/**
 * The sandbox on a loopback address of its own, so that app and service are different sites, as in life; its control plane
 * one port above, on loopback always.
 */
async function openSandbox(settings: Settings, host = LOOPBACK): Promise<OpenSandbox> {
  const [port, controlPort] = [settings.sandboxPort, settings.sandboxPort + 1]
  const { store, publicUrl, clientId, clientSecret } = settings
  const file =
    store.kind === 'sqlite' && store.path !== ':memory:'
      ? join(dirname(store.path), 'sandbox.json')
      : undefined
  let saving: NodeJS.Timeout | undefined
  const { sandbox, seed, write } = openKept({
    text: file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : undefined,
    random: () => randomBytes(32).toString('base64url'),
    seedFor: (random) => seedFor({ publicUrl, clientId, clientSecret, random }),
    now,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
    onChange: () => {
      saving ??= setTimeout(save, SAVE_AFTER_MS).unref()
    },
  })
  const save = () => {
    saving = undefined
    if (file === undefined) return
    try {
      writeFileSync(`${file}.new`, write(), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    } catch (cause) {
      // A full disk is no reason to stop: the sandbox goes on, and is written down at its next change.
      log({ level: 'warn', event: 'problem', cause: describe(cause) })
    }
  }
  save()
  const servers = [await listen(breaking(sandbox.fetch), port, host, 'PLIMSOLL_SANDBOX_PORT')]
  // The sandbox's Date follows its own clock, and one of its choices is to send none.
  servers[0]?.prependListener('request', (_, response) => (response.sendDate = false))
  const close = async () => {
    await Promise.all(servers.map(closeServer))
    clearTimeout(saving)
    save()
  }
  try {
    servers.push(await listen(sandbox.control.fetch, controlPort, LOOPBACK, 'PLIMSOLL_SANDBOX_PORT'))
  } catch (error) {
    await close()
    throw error
  }
  const name = host.includes(':') ? `[${host}]` : host
  return { url: `http://${name}:${port}`, controlUrl: `http://${LOOPBACK}:${controlPort}`, seed, close }
}

/** Breaks the connection where the sandbox was told to, in place of an answer. */
const breaking =
  (fetch: Bff['fetch']): Fetch =>
  async (request, socket) => {
    try {
      return await fetch(request)
    } catch (error) {
      if (!(error instanceof ConnectionReset)) throw error
      await breakOff(socket?.outgoing as ServerResponse | undefined, error.partial)
      return RESPONSE_ALREADY_SENT
    }
  }

/** Sends the part of an answer that is to arrive, if there is one, and destroys the connection. */
async function breakOff(outgoing: ServerResponse | undefined, partial: Response | undefined): Promise<void> {
  if (partial !== undefined && outgoing !== undefined) {
    const part = new Uint8Array(await partial.arrayBuffer())
    outgoing.writeHead(partial.status, Object.fromEntries(partial.headers))
    await new Promise((resolve) => outgoing.write(part, resolve))
  }
  outgoing?.destroy()
}

type Fetch = (request: Request, socket?: { outgoing: { destroy(): void } }) => Response | Promise<Response>

async function listen(fetch: Fetch, port: number, hostname: string, setting: string): Promise<Server> {
  const server = createAdaptorServer({ fetch, hostname, overrideGlobalObjects: false }) as Server
  server.headersTimeout = 10_000
  server.requestTimeout = 30_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = {
        EADDRINUSE: 'is in use',
        EACCES: 'is not yours to use',
        EADDRNOTAVAIL: 'is at an address that this machine does not have',
      }
      const known = why[error.code as keyof typeof why]
      reject(
        known === undefined
          ? error
          : new Error(`Port ${port} on ${hostname} ${known}. Choose another one with ${setting}.`),
      )
    })
    server.listen(port, hostname, resolve)
  })
  return server
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  setTimeout(() => server.closeAllConnections(), 2000).unref()
  await closed
}

function readFiles(folder: string): StaticFiles {
  const files = new Map<string, StaticFile>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const contentType = CONTENT_TYPES[extname(path)]
    // The build's own manifest, for one.
    if (!entry.isFile() || contentType === undefined) continue
    const body = new Uint8Array(readFileSync(path))
    files.set(path.slice(folder.length).replaceAll('\\', '/'), {
      body,
      gzipped: new Uint8Array(gzipSync(body)),
      contentType,
    })
  }
  return files
}

function greeting(settings: Settings, sandbox: OpenSandbox | undefined): string {
  const lines = ['', `  Plimsoll is open at ${settings.publicUrl}`, '']
  if (sandbox === undefined)
    return [...lines, `  It signs people in at ${settings.serviceUrl}`, ''].join('\n')
  return [...lines, ...introduce(sandbox), ''].join('\n')
}

/** The sandbox without the app. @throws Error where others could reach it and nobody asked for that */
async function openAlone(environment: NodeJS.ProcessEnv): Promise<OpenSandbox> {
  const settings = readSettings(environment, (path) => readFileSync(path, 'utf8'))
  assertAddress(settings.host, process.argv.includes('--any-address'))
  return openSandbox(settings, settings.host)
}

async function main(): Promise<void> {
  // Whoever reads the log may go away; the app stays.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const only = process.argv.includes('--sandbox')
  const house = only
    ? undefined
    : await openHouse(process.env, readFiles(join(dirname(fileURLToPath(import.meta.url)), '../web')))
  const sandbox = only ? await openAlone(process.env) : undefined
  let server: Server | undefined
  if (house !== undefined) {
    const { port, host } = house.settings
    server = await listen(house.fetch, port, host, 'PLIMSOLL_PORT')
  }
  process.stdout.write(
    `${house ? house.greeting() : `\n${introduce(sandbox as OpenSandbox).join('\n')}\n`}\n`,
  )
  closeWithGrace({ delay: 5000, logger: false }, async ({ err }) => {
    if (err) log({ level: 'error', event: 'stop', cause: err.stack ?? String(err) })
    if (server) await closeServer(server)
    await (house ?? sandbox)?.close()
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  })
}
