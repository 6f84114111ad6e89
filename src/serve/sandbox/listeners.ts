/** Opens a sandbox with its worlds: the app and the package of the sandbox do it alike. */
import type { Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { hostNameOf } from '../../contract/host.ts'
import type { Choices } from '../../sandbox/choices/choices.ts'
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts'
import { ConnectionReset } from '../../sandbox/state/injected-fault.ts'
import { LAST_TO_SET_MS } from '../../sandbox/state/parse.ts'
import { closeServer, type Fetch, LIMITS, listen } from '../http/listener.ts'
import {
  allowSandboxHosts,
  assertPrivate,
  isEverywhere,
  isOwn,
  LOOPBACK,
  readControlToken,
} from './address.ts'
import type { RunningSandbox, StartOptions } from './exports.d.ts'
import { createWorlds } from './worlds.ts'

export type Parts = Omit<SandboxOptions, 'seed'>

interface Own {
  make: (parts: Parts) => { sandbox: Sandbox; close: () => void }
  /** Called with the cause of an answer 500. */
  onError: (error: Error) => void
  apiKeyHeader?: string
  /** How its operator names the port, the address and further hosts: by flags or settings. */
  names: Record<'port' | 'host' | 'hosts', string>
  onForeignHost?: () => void
}

/** Opens service and control plane. @throws Error in one sentence */
export async function openListeners(options: StartOptions, own: Own): Promise<RunningSandbox> {
  const { host = LOOPBACK, controlHost = LOOPBACK, basePath = '' } = options
  assertPrivate(host, own.names.host, options.anyAddress)
  const controlToken = readControlToken(controlHost, options.controlTokenFile)
  const parts = {
    now: () => Date.now(),
    onError: own.onError,
    wait: (ms: number) => wait(ms, undefined, { ref: false }),
    ...(own.apiKeyHeader && { apiKeyHeader: own.apiKeyHeader }),
    ...(controlToken && { controlToken }),
    choices: (options.choices ?? {}) as Partial<Choices>,
    frozenAtMs: frozenAt(options),
    basePath,
  }
  const servers: Server[] = []
  const addresses = (reachedAs?: string) => ({
    url: addressOf(servers[0] as Server, host, reachedAs) + basePath,
    controlUrl: addressOf(servers[1] as Server, controlHost, reachedAs) + basePath,
  })
  const { sandbox, close } = own.make({ ...parts, openWorld: (reachedAs) => worlds.open(reachedAs) })
  const worlds = createWorlds({ ...parts, main: sandbox, addresses })
  const end = async () => {
    await Promise.all(servers.map((server) => closeServer(server)))
    close()
  }
  const { control } = sandbox
  try {
    if (options.seed) control.seed(options.seed)
    for (const one of listenersOf(worlds.of, options, own)) servers.push(await listen(...one))
    // The sandbox sends its own Date, or chooses to send none.
    servers[0]?.prependListener('request', (_, response) => (response.sendDate = false))
  } catch (error) {
    await end()
    throw error
  }
  return { ...addresses(), seed: sandbox.currentSeed(), control, reset: control.reset, close: end }
}

/** The control plane is one port above; with port 0 both are on any free ports. */
function listenersOf(
  sandboxOf: (address: string) => Sandbox,
  { port = 0, host = LOOPBACK, controlHost = LOOPBACK, allowedHosts = [], basePath = '' }: StartOptions,
  { names, onForeignHost: onRefused }: Own,
): Parameters<typeof listen>[] {
  if (!Number.isInteger(port) || port < 0 || port > 65_534)
    throw new Error('--port must be a number from 0 to 65534.')
  // A segment that begins with a dot could be one that a URL leaves out, such as `..`.
  if (!/^(\/[\w~-][\w.~-]*)*$/.test(basePath))
    throw new Error('--base-path must begin with / and not end with it, such as /api/v2.')
  const at = (port: number, host: string, hostSetting: string, isForOthers = true) => ({
    port,
    host,
    hostSetting,
    portSetting: names.port,
    hosts: {
      allows: allowSandboxHosts(host, isForOthers ? allowedHosts : []),
      ...(onRefused && { onRefused }),
      setting: isForOthers ? names.hosts : hostSetting,
    },
  })
  // The sandbox may choose to answer late, or never.
  const limits = { ...LIMITS, silentMs: 0 }
  const answer = withConnectionResets((request) => sandboxOf(request.url).fetch(request))
  return [
    [answer, at(port, host, names.host), limits],
    [
      (request) => sandboxOf(request.url).control.fetch(request),
      // Names under which others reach the service are none of a control plane for this machine.
      at(port && port + 1, controlHost, '--control-host', !isOwn(controlHost)),
    ],
  ]
}

function frozenAt({ freeze }: StartOptions): number | undefined {
  if (freeze === undefined) return undefined
  const isDay = new Date(freeze.slice(0, 10)).getUTCDate() === Number(freeze.slice(8, 10))
  const ms = isDay && /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(freeze) ? Date.parse(freeze) : NaN
  if (!(ms >= 0 && ms <= LAST_TO_SET_MS))
    throw new Error('--freeze must be a time such as 2026-11-30T23:59:00Z, with Z or an offset.')
  return ms
}

/** @param reachedAs a name of this machine: nobody can connect to the address of all interfaces */
function addressOf(server: Server, host: string, reachedAs = ''): string {
  const loopback = hostNameOf(host) === '[::]' ? '[::1]' : LOOPBACK
  const name = isEverywhere(host) ? reachedAs || loopback : hostNameOf(host)
  return `http://${name}:${(server.address() as AddressInfo).port}`
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
