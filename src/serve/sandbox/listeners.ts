/** Opens a sandbox with its worlds: the app and the package of the sandbox do it alike. */
import { readFileSync } from 'node:fs'
import type { Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts'
import { ConnectionReset } from '../../sandbox/state/injected-fault.ts'
import type { Hosts } from '../http/hosts.ts'
import { closeServer, type Fetch, LIMITS, listen } from '../http/listener.ts'
import type { Beginning } from '../settings/command-line.ts'
import { createWorlds } from './worlds.ts'

export const LOOPBACK = '127.0.0.1'

const waitIdly = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })

function addressesOf(servers: readonly Server[], host: string, basePath: string) {
  const [port, controlPort] = servers.map((server) => (server.address() as AddressInfo).port)
  // Nobody can connect to the address of all interfaces.
  const reached = { '0.0.0.0': LOOPBACK, '::': '::1' }[host] ?? host
  const name = reached.includes(':') ? `[${reached}]` : reached
  return {
    url: `http://${name}:${port}${basePath}`,
    controlUrl: `http://${LOOPBACK}:${controlPort}${basePath}`,
  }
}

/** @throws Error that names a file that cannot be used */
export function begin({ control }: Sandbox, { seedFile, choicesFile, frozenAtMs }: Beginning): void {
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

interface OpenAt {
  port: number
  host: string
  hosts: Hosts
  apiKeyHeader?: string
  basePath?: string
}

type Parts = Pick<SandboxOptions, 'now' | 'wait' | 'apiKeyHeader' | 'basePath' | 'controlBasePath'> &
  Required<Pick<SandboxOptions, 'openWorld'>>

/** @param make creates the sandbox of these parts */
export async function openSandboxAt<Made extends { sandbox: Sandbox }>(
  { port, host, hosts, basePath = '', apiKeyHeader }: OpenAt,
  make: (parts: Parts) => Made,
) {
  const addresses = { url: '', controlUrl: '' }
  const parts = { now: () => Date.now(), wait: waitIdly, ...(apiKeyHeader && { apiKeyHeader }) }
  const worlds = createWorlds({ ...parts, basePath, main: () => made.sandbox, addresses: () => addresses })
  const made = make({ ...parts, basePath, controlBasePath: basePath, openWorld: worlds.open })
  const servers = await openListeners(worlds.of, { port, host, hosts })
  Object.assign(addresses, addressesOf(servers, host, basePath))
  const close = async () => void (await Promise.all(servers.map((server) => closeServer(server))))
  return { ...made, ...addresses, close }
}

/** Opens the service, and its control plane one port above; with port 0 both on any free ports. */
async function openListeners(
  sandboxOf: (address: string) => Sandbox,
  { port, host, hosts }: { port: number; host: string; hosts: Hosts },
): Promise<Server[]> {
  const settings = { portSetting: 'PLIMSOLL_SANDBOX_PORT', hostSetting: 'PLIMSOLL_HOST' }
  // The sandbox may choose to answer late, or never.
  const limits = { ...LIMITS, silentMs: 0 }
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
