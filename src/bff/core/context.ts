/** What every handler of the bff gets: configuration, store, upstream, clock and log, and the state of this process. */
import { type ClockOffset, serviceTimeMs } from '../../contract/clock.ts'
import type { RequestKind } from '../../contract/month.ts'
import { isStoreFailure, type ProblemCode } from '../../contract/problem.ts'
import type { EmbeddedSandbox } from '../../contract/session.ts'
import type { Store } from '../../store/store.ts'
import type { Limiter } from '../limiter/limiter.ts'
import type { Measurement } from './measurement.ts'

export interface BffConfig {
  /** {base_url} of the service, without a slash at the end. */
  serviceUrl: string
  clientId: string
  clientSecret: string
  /** Our own origin. */
  publicUrl: string
  /** Encoding of the token request (4.2: not shown). */
  tokenEncoding: 'form' | 'json'
  /** Header that carries an API key (5.1.5). */
  apiKeyHeader: string
  pkce: 'off' | 'S256'
  /** How many of the last requests of a month are only for presses of a person, and how many only for sign-ins. */
  reservePerson: number
  reserveSignIn: number
  /** How many proxies stand in front of us; absent: none. */
  trustProxy?: number
  /** Present where the service is the embedded sandbox. */
  sandbox?: EmbeddedSandbox
}

/**
 * Sends one request to the service and returns its answer; redirects are not followed. Rejects when there is no answer; an
 * Error whose `code`, or whose cause's, is that of a failed connection (`ECONNREFUSED` and the like) means that
 * nothing was sent.
 * @param deadlineMs until the last byte of the answer; absent: as long as a person waits
 */
export type Upstream = (request: Outgoing, deadlineMs?: number) => Promise<UpstreamAnswer>

/** A request to the service. A `Request` is one. */
export interface Outgoing {
  readonly method: string
  readonly url: string
  readonly headers: Iterable<readonly [name: string, value: string]>
  text: () => Promise<string>
}

/** An answer of the service. A `Response` is one. */
export interface UpstreamAnswer {
  readonly status: number
  readonly headers: Pick<Headers, 'get'>
  text: () => Promise<string>
}

/** One line of the log: these members and no others, so that it cannot contain a secret. */
export interface LogEntry {
  level: 'info' | 'warn' | 'error'
  event: 'sign_in' | 'sign_out' | 'session_ended' | 'upstream' | 'problem' | 'ledger' | 'start' | 'stop'
  code?: ProblemCode
  /** Of the request of the browser that led to it; the support id of its problem is the same. */
  request_id?: string
  support_id?: string
  /** What a request to the service was for. */
  kind?: RequestKind
  organization?: string
  method?: string
  path?: string
  status?: number
  took_ms?: number
  /** Kind and message of an error, never what the service sent. */
  cause?: string
  /** How many lines like this one were left out. */
  dropped?: number
}

export interface Context {
  readonly config: BffConfig
  readonly store: Store
  readonly upstream: Upstream
  /** UNIX milliseconds. */
  readonly now: () => number
  /** Resolves after that many milliseconds of real time. */
  readonly wait: (ms: number) => Promise<void>
  readonly log: (entry: LogEntry) => void
  readonly measure: (measurement: Measurement) => void
  /** For how long after its answer a read answers those who ask for the same one. */
  readonly sharedForMs: number
  readonly memory: Memory
  readonly limiter: Limiter
  /** Names the request of the browser that is being handled, in the log and on its problem. */
  readonly requestId: string
  /** Whose request it is, as far as limits go. */
  readonly address: string
  /** Closes the connection that it came on. */
  readonly disconnect?: () => void
}

/** Tokens as a session stores them. */
export interface Tokens {
  accessToken: string
  /** Absent only if the service left it out, against 2.1. */
  refreshToken?: string
  /** When the access token is to be replaced: some time before it expires, UNIX milliseconds. */
  staleAtMs: number
  /** When it expires (5.4.2), UNIX milliseconds. */
  expiresAtMs: number
}

/** A secret of the server. */
export interface ServerKey {
  id: string
  secret: string
  /** Since when it is the one to sign with, UNIX milliseconds. */
  fromMs: number
}

/** What the keys of the server are for: to authenticate logins, to name API keys. */
export type Ring = 'login' | 'name'

/** Keys as they were read from the store, the newest first. */
export interface ReadKeys {
  readonly keys: readonly ServerKey[]
  readonly readAtMs: number
}

/** An event stream of a browser. */
export interface OpenStream {
  /** Runs several times a second. */
  tick: () => void
  close: (retryMs: number) => void
}

/** The event streams that this process has open. */
export interface Streams {
  /**
   * @returns removes it
   * @throws Problem `too_many_streams`
   */
  add: (session: string, stream: OpenStream, clock: Pick<Context, 'wait' | 'now'>) => () => void
  readonly size: number
  /** Ends all of them, and those that are opened later. */
  close: () => void
}

/** The decrypted records of the sessions that were used last. */
export interface RecordCache {
  /** The record that these bytes hold; `undefined` if it is not in the cache. */
  get: (id: string, encrypted: Uint8Array, key: Uint8Array) => object | undefined
  set: (id: string, opened: { encrypted: Uint8Array; key: Uint8Array; record: object }) => void
  delete: (id: string) => void
}

/** The members of {@link Memory} that folders above this one implement. bff.ts creates them. */
export type MemoryParts = Pick<Memory, 'openedRecords' | 'streams'>

/** State of this process alone, which a restart may lose. */
export interface Memory {
  clock: ClockOffset | undefined
  /** Work that is running and shared by all who ask for it, by name. */
  readonly sharedWork: Map<string, Promise<unknown>>
  /** Work that goes on after its caller was answered, and that a stop waits for. */
  readonly background: Set<Promise<unknown>>
  /** Tokens that the store could not save, by session. */
  readonly unsavedTokens: Map<string, UnsavedTokens>
  /** Of the leases that are held: what renews each, and returns whether it is still ours. */
  readonly heldLeases: Set<() => Promise<boolean>>
  /** Whether they are being renewed. */
  isRenewing: boolean
  readonly serverKeys: Map<Ring, ReadKeys>
  readonly openedRecords: RecordCache
  readonly streams: Streams
}

export interface UnsavedTokens {
  /** The access token that is in the store: in place of any other, these tokens are out of date. */
  replaces: string
  tokens: Tokens
}

export const createMemory = (parts: MemoryParts): Memory => ({
  clock: undefined,
  sharedWork: new Map(),
  background: new Set(),
  unsavedTokens: new Map(),
  heldLeases: new Set(),
  isRenewing: false,
  serverKeys: new Map(),
  ...parts,
})

/** Runs `work` once for all who ask under one name while it is running. */
export function shareWork<T>(memory: Memory, name: string, work: () => Promise<T>): Promise<T> {
  const running = memory.sharedWork.get(name)
  if (running !== undefined) return running as Promise<T>
  const started = work().finally(() => memory.sharedWork.delete(name))
  memory.sharedWork.set(name, started)
  return started
}

/** Lets work go on in the background: a stop waits for it, and its failure is its own affair. @returns the same promise */
export function inBackground<T>({ background }: Pick<Memory, 'background'>, work: Promise<T>): Promise<T> {
  const settled = Promise.allSettled([work])
  background.add(settled)
  void settled.then(() => background.delete(settled))
  return work
}

/** Work in the store that helps later, and whose failure withholds nothing. @returns `undefined` where the store cannot do it */
export const bestEffort = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (isStoreFailure(error)) return undefined
    throw error
  })

/** The service's time now, UNIX milliseconds. */
export const serviceNowMs = ({ memory, now }: Context): number => serviceTimeMs(memory.clock, now())
