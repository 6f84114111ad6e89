// The strict service: the sandbox with refresh tokens for single use, and revocation of the family on reuse.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Choices } from '../../src/sandbox/choices/choices.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { type Seed, seedFor } from '../../src/sandbox/state/seed.ts'
import { closeServer, listen } from '../../src/serve/http/listener.ts'
import { withConnectionResets } from '../../src/serve/sandbox/listeners.ts'
import { APP, SECRET } from './config.ts'

export const CLIENT_ID = 'plimsoll-test'

export interface Arrived {
  path: string
  grant?: string
}

type Through = (request: Request) => Promise<Response>

export interface Service {
  readonly url: string
  readonly sandbox: Sandbox
  readonly seed: Seed
  readonly arrived: Arrived[]
  /** Every token that it gave. */
  readonly secrets: Set<string>
  /** `expires_in` of the answers to a code; absent means the sandbox's own, 3600. */
  readonly lifetimeSeconds: { code?: number }
  /** Refreshes that arrived at the service. */
  refreshes(): number
  /** Reads that arrived at the service. */
  reads(): number
  /** The service's count in the month of an organization (8.3). */
  monthOf(organizationId: string): number
  /** Answers in place of the sandbox, and may call it; `undefined` removes it. */
  intercept(
    instead: ((request: Request, through: Through, arrived: Arrived) => Promise<Response>) | undefined,
  ): void
  /** Changes the state of the sandbox as a whole. */
  change(edit: (state: ReturnType<Sandbox['snapshot']>) => void): void
  close(): Promise<void>
}

/** Forgives nothing (RFC 9700 4.14.2): a refresh token is valid once, and ends the earlier access token. */
const STRICT: Partial<Choices> = {
  rotation: 'new_old_revoked',
  reuse: 'refused_family_revoked',
  oldaccess: 'revoked',
}

export const seedOf = (): Seed =>
  seedFor({ publicUrl: APP, clientId: CLIENT_ID, clientSecret: SECRET, random: 'a strict service' })

export async function openService({
  seed = seedOf(),
  port = 0,
}: {
  seed?: Seed
  port?: number
} = {}): Promise<Service> {
  const sandbox = createSandbox({
    seed,
    now: () => Date.now(),
    choices: STRICT,
    wait: (ms) => wait(ms),
  })
  const arrived: Arrived[] = []
  const lifetimeSeconds: Service['lifetimeSeconds'] = {}
  let instead: Parameters<Service['intercept']>[0]
  const secrets = new Set<string>()
  const through: Through = async (request) => {
    const grant = await grantOf(request)
    const answer = await sandbox.fetch(request)
    if (grant === undefined || !answer.ok) return answer
    const { access_token: access, refresh_token: refresh } = await answer.clone().json()
    for (const token of [access, refresh]) if (token) secrets.add(token)
    const { code } = lifetimeSeconds
    return grant === 'authorization_code' && code !== undefined ? withLifetime(answer, code) : answer
  }
  const server = await open(async (request) => {
    const grant = await grantOf(request)
    const one = { path: new URL(request.url).pathname, ...(grant && { grant }) }
    arrived.push(one)
    return instead === undefined ? through(request) : instead(request, through, one)
  }, port)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sandbox,
    seed,
    arrived,
    secrets,
    lifetimeSeconds,
    refreshes: () => arrived.filter(({ grant }) => grant === 'refresh_token').length,
    reads: () => arrived.filter(({ path }) => !path.startsWith('/oauth2/')).length,
    monthOf: (organizationId) => sandbox.snapshot().months[organizationId]?.count ?? 0,
    intercept: (replacement) => {
      instead = replacement
    },
    change(edit) {
      const state = sandbox.snapshot()
      edit(state)
      sandbox.control.restore(state)
    },
    close: () => closeServer(server),
  }
}

const KEEP_ALIVE_MS = 600_000

async function open(fetch: Through, port: number): Promise<Server> {
  const at = { port, host: '127.0.0.1', portSetting: 'a port', hostSetting: 'a host' }
  const server = await listen(withConnectionResets(fetch), at)
  // It stalls with its test, and would then close an idle connection just as a request is sent on it.
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.prependListener('request', (_, response: { sendDate: boolean }) => (response.sendDate = false))
  return server
}

/** `undefined` for any request but a token request. */
async function grantOf(request: Request): Promise<string | undefined> {
  if (!new URL(request.url).pathname.startsWith('/oauth2/token')) return undefined
  return new URLSearchParams(await request.clone().text()).get('grant_type') ?? ''
}

async function withLifetime(response: Response, seconds: number): Promise<Response> {
  const body = (await response.json()) as Record<string, unknown>
  const { status, headers } = response
  const changed = new Headers(headers)
  changed.delete('Content-Length')
  return new Response(JSON.stringify({ ...body, expires_in: seconds }), { status, headers: changed })
}
