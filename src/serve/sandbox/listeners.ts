/** Opens a sandbox with its worlds: the app and the package of the sandbox do it alike. */
import { readFileSync } from 'node:fs'
import type { Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { hostNameOf } from '../../contract/host.ts'
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts'
import { ConnectionReset } from '../../sandbox/state/injected-fault.ts'
import type { Hosts } from '../http/hosts.ts'
import { closeServer, type Fetch, LIMITS, listen } from '../http/listener.ts'
import type { Beginning } from '../settings/command-line.ts'
import { allowSandboxHosts, isEverywhere, LOOPBACK, readControlToken } from './address.ts'
import { createWorlds } from './worlds.ts'

const waitIdly = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })

/** @param reachedAs a name of this machine: nobody can connect to the address of all interfaces */
function addressOf(server: Server, host: string, reachedAs = ''): string {
  const loopback = hostNameOf(host) === '[::]' ? '[::1]' : LOOPBACK
  const name = isEverywhere(host) ? reachedAs || loopback : hostNameOf(host)
  return `http://${name}:${(server.address() as AddressInfo).port}`
}

/** @throws Error that names a file that cannot be used */
export function begin({ control }: Sandbox, { seedFile, choicesFile, frozenAtMs }: Beginning): void {
  if (seedFile !== undefined) withFile(seedFile, control.seed)
  if (choicesFile !== undefined) withFile(choicesFile, control.changeChoices)
  if (frozenAtMs === undefined) return
  control.moveClock({ do: 'freeze' })
  control.moveClock({ do: 'set', ms: frozenAtMs })
}

function withFile(path: string, use: (value: unknown) => unknown): void {
  try {
    use(JSON.parse(readFileSync(path, 'utf8')))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${path} cannot be used: ${reason}`, { cause })
  }
}

interface OpenAt extends Pick<Beginning, 'controlHost' | 'controlTokenFile'> {
  port: number
  host: string
  /** Further names by which clients may ask. */
  allowedHosts: readonly string[]
  /** What sets them; `PLIMSOLL_ALLOWED_HOSTS` if absent. */
  hostsSetting?: string
  onForeignHost?: () => void
  apiKeyHeader?: string
  basePath?: string
}

export type Parts = Pick<
  SandboxOptions,
  'now' | 'wait' | 'apiKeyHeader' | 'basePath' | 'controlBasePath' | 'controlToken'
> &
  Required<Pick<SandboxOptions, 'openWorld'>>

/** @param make creates the sandbox of these parts. @throws Error in one sentence */
export async function openSandboxAt(
  { basePath = '', apiKeyHeader, controlTokenFile, controlHost = LOOPBACK, ...at }: OpenAt,
  make: (parts: Parts) => Sandbox,
) {
  const token = readControlToken(controlHost, controlTokenFile)
  const parts = {
    now: () => Date.now(),
    wait: waitIdly,
    ...(apiKeyHeader && { apiKeyHeader }),
    ...(token && { controlToken: token }),
  }
  const servers: Server[] = []
  const addresses = (reachedAs?: string) => ({
    url: addressOf(servers[0] as Server, at.host, reachedAs) + basePath,
    controlUrl: addressOf(servers[1] as Server, controlHost, reachedAs) + basePath,
  })
  const worlds = createWorlds({ ...parts, basePath, main: () => sandbox, addresses })
  const sandbox = make({ ...parts, basePath, controlBasePath: basePath, openWorld: worlds.open })
  servers.push(...(await openListeners(worlds.of, { ...at, controlHost })))
  const close = async () => void (await Promise.all(servers.map((server) => closeServer(server))))
  return { sandbox, ...addresses(), close }
}

/** Opens the service, and its control plane one port above; with port 0 both on any free ports. */
async function openListeners(
  sandboxOf: (address: string) => Sandbox,
  { port, host, controlHost, allowedHosts, hostsSetting, onForeignHost }: OpenAt & { controlHost: string },
): Promise<Server[]> {
  const hostsFor = (listensOn: string): Hosts => ({
    allows: allowSandboxHosts(listensOn, allowedHosts),
    ...(onForeignHost && { onRefused: onForeignHost }),
    ...(hostsSetting && { setting: hostsSetting }),
  })
  const portSetting = 'PLIMSOLL_SANDBOX_PORT'
  // The sandbox may choose to answer late, or never.
  const limits = { ...LIMITS, silentMs: 0 }
  const service = await listen(
    withConnectionResets((request) => sandboxOf(request.url).fetch(request)),
    { port, host, hosts: hostsFor(host), portSetting, hostSetting: 'PLIMSOLL_HOST' },
    limits,
  )
  // The sandbox sends its own Date, or chooses to send none.
  service.prependListener('request', (_, response) => (response.sendDate = false))
  try {
    const control = await listen((request) => sandboxOf(request.url).control.fetch(request), {
      port: port === 0 ? 0 : port + 1,
      host: controlHost,
      hosts: hostsFor(controlHost),
      portSetting,
      hostSetting: '--control-host',
    })
    return [service, control]
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
