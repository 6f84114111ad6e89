/** What every handler of the bff is handed: settings, the store, the way to the service, the clock and the log. */
import type { ClockOffset } from '../contract/clock.ts'
import type { ProblemCode } from '../contract/problem.ts'
import type { Store } from '../store/store.ts'

/** The settings that the bff itself needs, with what an embedded sandbox fills in. */
export interface BffConfig {
  /** {base_url} of the service, without a slash at the end. */
  serviceUrl: string
  clientId: string
  clientSecret: string
  /** Origin at which browsers reach the app, without a slash at the end. */
  publicUrl: string
  tokenEncoding: 'form' | 'json'
  apiKeyHeader: string
  pkce: 'off' | 'S256'
}

/**
 * Sends one request to the service and gives its answer, redirects as they are. Rejects when there is none; an Error whose
 * `code` or whose cause's `code` says that no connection came about (`ECONNREFUSED` and the like) means that it never left.
 */
export type Upstream = (request: Request) => Promise<Response>

/** One line of the log: these members and no others, so that no secret can slip in. */
export interface LogEntry {
  level: 'info' | 'warn' | 'error'
  event: 'sign_in' | 'sign_out' | 'session_ended' | 'upstream' | 'problem' | 'ledger' | 'start' | 'stop'
  code?: ProblemCode
  support_id?: string
  organization?: string
  method?: string
  path?: string
  status?: number
  took_ms?: number
  /** What the log knows of a cause: its kind and message, never what the service sent. */
  cause?: string
}

export interface House {
  readonly config: BffConfig
  readonly store: Store
  readonly upstream: Upstream
  /** UNIX milliseconds. */
  readonly now: () => number
  readonly log: (entry: LogEntry) => void
  readonly memory: Memory
}

/** Tokens as the bff keeps them. */
export interface Tokens {
  accessToken: string
  /** Absent only if the service left it out, against 2.1. */
  refreshToken?: string
  /** When the access token is to be replaced: some time before it expires, UNIX milliseconds. */
  staleAtMs: number
  /** When it expires (5.4.2). */
  expiresAtMs: number
}

/** What only this process knows, and can lose. */
export interface Memory {
  clock: ClockOffset | undefined
  /** Requests sent and not answered, by token and class. */
  readonly inFlight: Map<string, number>
  /** Requests that find out whether a used-up minute has been reset, by token and class: settled when they are answered. */
  readonly probes: Map<string, Promise<void>>
  /** Work that all who ask for it share while it runs. */
  readonly flights: Map<string, Promise<unknown>>
  /** Tokens that the service has replaced and the store has not taken yet, by session. */
  readonly unsaved: Map<string, Tokens>
}

export const createMemory = (): Memory => ({
  clock: undefined,
  inFlight: new Map(),
  probes: new Map(),
  flights: new Map(),
  unsaved: new Map(),
})

/** Runs `work` once for all who ask under one name while it is running. */
export function shared<T>(memory: Memory, name: string, work: () => Promise<T>): Promise<T> {
  const running = memory.flights.get(name)
  if (running !== undefined) return running as Promise<T>
  const flight = work().finally(() => memory.flights.delete(name))
  memory.flights.set(name, flight)
  return flight
}
