// The sandbox as the service of an order: it notes every request that arrives.
import { createSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts'
import type { Choices } from '../../../src/sandbox/choices/choices.ts'
import type { Seed } from '../../../src/sandbox/state/seed.ts'
import type { SandboxState } from '../../../src/sandbox/state/state.ts'

export interface Arrival {
  process: number
  /** As in the ledger. */
  kind: string
  atMs: number
  status: number
  /** A refresh has the refresh token that came, and the one in the answer. */
  came?: string | undefined
  issued?: string | undefined
}

interface ServiceParts {
  seed: Seed
  now: () => number
  choices: Partial<Choices>
}

export class Service {
  readonly arrivals: Arrival[] = []
  readonly #parts: ServiceParts
  #sandbox: Sandbox

  constructor(parts: ServiceParts) {
    this.#parts = parts
    this.#sandbox = createSandbox(parts)
  }

  readonly fetch = (request: Request): Promise<Response> => this.#sandbox.fetch(request)

  snapshot(): SandboxState {
    return this.#sandbox.snapshot()
  }

  refreshes(): Arrival[] {
    return this.arrivals.filter(({ kind }) => kind === 'token.refresh')
  }

  /** Every access token is refused from now on. */
  refuseAccessTokens(): void {
    const state = this.#sandbox.snapshot()
    state.access_tokens = {}
    for (const issued of Object.values(state.index.by_grant)) issued.access_tokens = []
    this.#sandbox = createSandbox({ ...this.#parts, state })
  }

  /** A record of an organization says by its member `served_at` when it was read. */
  async arrive(process: number, request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    const sent = new URLSearchParams(await request.clone().text())
    const answer = await this.fetch(request)
    const text = await answer.text()
    const body = JSON.parse(text) as Record<string, unknown>
    const isRefresh = sent.get('grant_type') === 'refresh_token'
    const isTokens = pathname === '/oauth2/token'
    this.arrivals.push({
      process,
      kind: isTokens ? (isRefresh ? 'token.refresh' : 'token.code') : kindOf(pathname),
      atMs: this.#parts.now(),
      status: answer.status,
      ...(isRefresh && {
        came: sent.get('refresh_token') ?? undefined,
        issued: body['refresh_token'] as string | undefined,
      }),
    })
    const isRecord = /^\/organizations\/\d+$/.test(pathname) && answer.ok
    const shown = isRecord ? JSON.stringify({ ...body, served_at: this.#parts.now() }) : text
    return new Response(shown, { status: answer.status, headers: answer.headers })
  }
}

export const kindOf = (pathname: string): string => (pathname === '/rate_limit' ? 'rate_limit' : 'api.read')
