/** Opens the sandbox: its state file, its listener and the listener of its control plane. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { describe } from '../../bff/core/problem.ts'
import { ConnectionReset } from '../../sandbox/state/injected-fault.ts'
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts'
import { seedFor } from '../../sandbox/state/seed.ts'
import type { Seed } from '../../sandbox/state/seed.ts'
import { closeServer, type Fetch, LIMITS, listen } from '../http/listener.ts'
import { logForeignHost } from '../observe/foreign-host.ts'
import { log } from '../observe/log.ts'
import { allowSandboxHosts } from './address.ts'
import { NO_FILE, openSandboxFile, type SandboxFile } from './file.ts'
import { openStoredSandbox } from './state.ts'
import { createWorlds } from './worlds.ts'
import type { Beginning } from '../settings/command-line.ts'
import type { Settings } from '../settings/settings.ts'

const SAVE_AFTER_MS = 200
/** A save takes at most a tenth of the time, unless a kill would then lose more than MOST_LOST_MS. */
const SAVE_PAUSE_FACTOR = 10
const MOST_LOST_MS = 900
const LOOPBACK = '127.0.0.1'

const now = () => Date.now()
const waitIdly = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms).unref()
  })

export interface OpenSandbox {
  /** {base_url}. */
  url: string
  /** Address of the control plane. */
  controlUrl: string
  apiKeyHeader: string
  /** The seed of the settings, or of the last `POST /seed`. */
  seed: Seed
  close: () => Promise<void>
}

/**
 * Opens the sandbox on a loopback address, so that app and service are different sites, as in production. Its
 * control plane is one port above, always on loopback.
 * @throws Error in one sentence if its state file or one of its ports is taken
 */
export async function openSandbox(
  settings: Settings,
  host = LOOPBACK,
  beginning: Beginning = {},
): Promise<OpenSandbox> {
  const isKnown = [beginning.seedFile, beginning.choicesFile, beginning.frozenAtMs].some(
    (one) => one !== undefined,
  )
  const file = isKnown ? NO_FILE : openFile(settings)
  try {
    const addresses = { url: '', controlUrl: '' }
    const worlds = createWorlds({
      main: () => sandbox,
      addresses: () => addresses,
      now,
      wait: waitIdly,
      apiKeyHeader: settings.apiKeyHeader,
    })
    const { sandbox, save } = openState(settings, file, worlds.open)
    begin(sandbox, beginning)
    const at = { port: beginning.port ?? settings.sandboxPort, host }
    const servers = await openListeners(worlds.of, settings, at)
    Object.assign(addresses, addressesOf(servers, host))
    return {
      ...addresses,
      apiKeyHeader: settings.apiKeyHeader,
      seed: sandbox.currentSeed(),
      async close() {
        await Promise.all(servers.map((server) => closeServer(server)))
        save()
        file.release()
      },
    }
  } catch (error) {
    file.release()
    throw error
  }
}

function addressesOf(servers: readonly Server[], host: string) {
  const [port, controlPort] = servers.map((server) => (server.address() as AddressInfo).port)
  const name = host.includes(':') ? `[${host}]` : host
  return { url: `http://${name}:${port}`, controlUrl: `http://${LOOPBACK}:${controlPort}` }
}

/** @throws Error that names a file that cannot be used */
function begin({ control }: Sandbox, { seedFile, choicesFile, frozenAtMs }: Beginning): void {
  if (seedFile !== undefined) withFile(seedFile, control.seed)
  if (choicesFile !== undefined) withFile(choicesFile, control.changeChoices)
  if (frozenAtMs === undefined) return
  control.clock.freeze()
  control.clock.set(frozenAtMs)
}

function withFile(path: string, use: (value: unknown) => unknown): void {
  try {
    use(JSON.parse(readFileSync(path, 'utf8')))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${path} cannot be used: ${reason}`, { cause })
  }
}

/** The file is beside the database file, or in its default folder. */
function openFile({ store }: Settings): SandboxFile {
  if (store.kind === 'postgres') return openSandboxFile(join('data', 'sandbox.json'))
  return store.path === ':memory:' ? NO_FILE : openSandboxFile(join(dirname(store.path), 'sandbox.json'))
}

/** Opens the state of the file. It is saved a moment after each change. */
function openState(
  settings: Settings,
  file: SandboxFile,
  openWorld: NonNullable<SandboxOptions['openWorld']>,
): { sandbox: Sandbox; save: () => void } {
  const { publicUrl, clientId, clientSecret, apiKeyHeader, tokenEncoding } = settings
  let saving: NodeJS.Timeout | undefined
  let saveAfterMs = SAVE_AFTER_MS
  const { sandbox, write, damage } = openStoredSandbox({
    text: file.text,
    random: () => randomBytes(32).toString('base64url'),
    seedFor: (random) => seedFor({ publicUrl, clientId, clientSecret, random }),
    apiKeyHeader,
    // The app uses the encoding of the setting, so the sandbox must read it.
    choices: { enc: tokenEncoding === 'json' ? 'json_only' : 'form_only' },
    now,
    openWorld,
    wait: waitIdly,
    onChange: () => {
      saving ??= setTimeout(save, saveAfterMs).unref()
    },
  })
  const save = () => {
    clearTimeout(saving)
    saving = undefined
    const startedAtMs = performance.now()
    try {
      file.write(write())
      const pauseMs = SAVE_PAUSE_FACTOR * (performance.now() - startedAtMs)
      saveAfterMs = Math.min(MOST_LOST_MS, Math.max(SAVE_AFTER_MS, pauseMs))
    } catch (cause) {
      // A full disk is no reason to stop: the next change saves the state again.
      log({ level: 'warn', event: 'problem', cause: describe(cause) })
    }
  }
  if (damage !== undefined) {
    const name = file.setAside(Date.now())
    process.stderr.write(`The sandbox starts with new state, since ${damage}. The old file is ${name}.\n`)
  }
  save()
  return { sandbox, save }
}

async function openListeners(
  sandboxOf: (address: string) => Sandbox,
  { allowedHosts }: Settings,
  { port, host }: { port: number; host: string },
): Promise<Server[]> {
  const settings = { portSetting: 'PLIMSOLL_SANDBOX_PORT', hostSetting: 'PLIMSOLL_HOST' }
  // The sandbox may choose to answer late, or never.
  const limits = { ...LIMITS, silentMs: 0 }
  const hosts = { allows: allowSandboxHosts(host, allowedHosts), onRefused: logForeignHost }
  const service = await listen(
    withConnectionResets((request) => sandboxOf(request.url).fetch(request)),
    { port, host, hosts, ...settings },
    limits,
  )
  // The sandbox sends its own Date, or chooses to send none.
  service.prependListener('request', (_, response) => (response.sendDate = false))
  try {
    const at = { port: port === 0 ? 0 : port + 1, host: LOOPBACK, ...settings }
    return [service, await listen((request) => sandboxOf(request.url).control.fetch(request), at)]
  } catch (error) {
    await closeServer(service)
    throw error
  }
}

/** Destroys the connection, after a part of the answer if the fault has one. */
async function breakOff({ partial }: ConnectionReset, outgoing?: ServerResponse): Promise<void> {
  if (partial && outgoing) {
    const part = new Uint8Array(await partial.arrayBuffer())
    outgoing.writeHead(partial.status, Object.fromEntries(partial.headers))
    await new Promise((resolve) => outgoing.write(part, resolve))
  }
  outgoing?.destroy()
}

/** Cuts the connection instead of an answer, if an injected fault requires it. */
export const withConnectionResets =
  (fetch: Sandbox['fetch']): Fetch =>
  async (request, socket) => {
    try {
      return await fetch(request)
    } catch (error) {
      if (!(error instanceof ConnectionReset)) throw error
      await breakOff(error, socket?.outgoing)
      return RESPONSE_ALREADY_SENT
    }
  }
