/** The context of every handler: the parts of the bff, and the state of this process. */
import { type ClockOffset, serviceTimeMs } from '../../contract/clock.ts'
import type { Stated } from '../../contract/evidence.ts'
import type { RequestKind } from '../../contract/month.ts'
import { isStoreFailure, type ProblemCode } from '../../contract/problem.ts'
import type { EmbeddedSandbox } from '../../contract/session.ts'
import type { Store, Tables } from '../../store/store.ts'
import type { CookieNames } from '../http/cookie.ts'
import type { Limiter } from '../limiter/limiter.ts'
import { randomText } from './encryption.ts'
import type { Measurement } from './measurement.ts'

export interface BffConfig {
  /** {base_url} of the service, without a slash at the end. */
  serviceUrl: string
  clientId: string
  clientSecret: string
  publicUrl: string
  /** Encoding of the token request (4.2: not shown). */
  tokenEncoding: 'form' | 'json'
  /** Header that carries an API key (5.1.5). */
  apiKeyHeader: string
  pkce: 'off' | 'S256'
  /** This many of a month's last requests are reserved for presses, and the last of these for sign-ins. */
  reservePerson: number
  reserveSignIn: number
  /** A session ends after so many days, and after so many without use. */
  sessionDays: number
  sessionIdleDays: number
  /** What the operator knows of the service. */
  stated?: Stated
  /** The number of proxies in front of the app; absent: none. */
  trustProxy?: number
  /** Present if the service is the embedded sandbox. */
  sandbox?: EmbeddedSandbox
}

/**
 * Sends one request to the service, and follows no redirect. Rejects if there is no answer: with an Error
 * whose `isUnsent` is true if no byte of the request was sent.
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

/** One line of the log: only these members, so that it cannot contain a secret. */
export interface LogEntry {
  level: 'info' | 'warn' | 'error'
  event: 'sign_in' | 'sign_out' | 'session_ended' | 'upstream' | 'problem' | 'ledger'
  code?: ProblemCode
  /** The id of the browser's request, which is also the support id of its problem. */
  request_id?: string
  support_id?: string
  kind?: RequestKind
  organization?: string
  /** The name of the client's address, by a key of the server. */
  source?: string
  method?: string
  path?: string
  status?: number
  took_ms?: number
  /** The kind and message of an error, never a body of the service. */
  cause?: string
}

export interface Context {
  readonly config: BffConfig
  /** By the public URL. */
  readonly cookies: CookieNames
  readonly store: Store
  readonly upstream: Upstream
  /** UNIX milliseconds. */
  readonly now: () => number
  /** Resolves after `ms` milliseconds of real time. */
  readonly wait: (ms: number) => Promise<void>
  readonly log: (entry: LogEntry) => void
  readonly measure: (measurement: Measurement) => void
  /** The answer to a read is shared this long with requests for the same read. */
  readonly sharedForMs: number
  readonly memory: Memory
  readonly limiter: Limiter
  /** What a handler adds to its answer, also if it throws. */
  readonly headers: Headers
  /** The id of the browser's request. */
  readonly requestId: string
  /** A trusted proxy has given the id, so the answer has it. */
  readonly isRequestIdGiven?: boolean
  /** The client's network address, by which the request is limited. */
  readonly address: string
  /** Closes the connection of the request. */
  readonly disconnect?: (() => void) | undefined
}

/** A context whose reads and writes may be parts of one transaction. */
export interface Within extends Omit<Context, 'store'> {
  readonly store: Tables
}

export interface Tokens {
  accessToken: string
  /** Absent only if the service left it out, which contradicts 2.1. */
  refreshToken?: string
  /** From then on the access token should be replaced, UNIX milliseconds. It is before `expiresAtMs`. */
  staleAtMs: number
  /** The access token expires then (5.4.2), UNIX milliseconds. */
  expiresAtMs: number
}

export interface OpenStream {
  /** Runs several times a second. */
  tick: () => void
  close: () => void
}

export interface Streams {
  /**
   * @param name of the session or watch link @param most of its streams that may be open
   * @returns a function that removes the stream @throws Problem `too_many_streams`
   */
  add: (name: string, stream: OpenStream, clock: Pick<Context, 'wait'>, most?: number) => () => void
  readonly size: number
  /** Includes streams that are opened later. */
  close: () => void
}

/** The state of this process, which a restart may lose. */
export interface Memory {
  /** Names this process in the leases that it takes. */
  readonly process: string
  /** The offset of the service's clock; absent: ours is believed. */
  clock: ClockOffset | undefined
  /** The `Date` of the newest good answer to this process, UNIX milliseconds. */
  datedMs: number | undefined
  /** The one that it stored last. */
  storedDateMs: number | undefined
  /** Running work by name, shared by all callers that ask for that name. */
  readonly sharedWork: Map<string, Promise<unknown>>
  /** Work that continues after its answer. A stop waits for it. */
  readonly background: Set<Promise<unknown>>
  readonly streams: Streams
}

export const createMemory = (streams: Streams): Memory => ({
  process: randomText(9),
  clock: undefined,
  datedMs: undefined,
  storedDateMs: undefined,
  sharedWork: new Map(),
  background: new Set(),
  streams,
})

/** Runs `work`, or returns the running work of the same name. */
export function shareWork<T>(memory: Memory, name: string, work: () => Promise<T>): Promise<T> {
  const running = memory.sharedWork.get(name)
  if (running !== undefined) return running as Promise<T>
  const started = work().finally(() => memory.sharedWork.delete(name))
  memory.sharedWork.set(name, started)
  return started
}

/** Lets work continue in the background: a stop waits for it, and failures are ignored here. */
export function inBackground<T>({ background }: Pick<Memory, 'background'>, work: Promise<T>): Promise<T> {
  const settled = Promise.allSettled([work])
  background.add(settled)
  void settled.then(() => background.delete(settled))
  return work
}

/** The result of work that is useful and not required; `undefined` if the store failed. */
export const bestEffort = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (isStoreFailure(error)) return undefined
    throw error
  })

/** The service's time now, UNIX milliseconds. */
export const serviceNowMs = ({ memory, now }: Pick<Context, 'memory' | 'now'>): number =>
  serviceTimeMs(memory.clock, now())

/** An answer was paid for. It waits this long for what is stored of it, and goes out even if that fails. */
const ANSWER_WAITS_MS = 150
/** The waits between tries: half a minute, together with the time that each try waits for the database. */
const WAITS_MS = [200, 500, 1000, 2000, 5000, 10_000]

/** Waits a moment for work, which continues in the background; `undefined` if it is still running. */
export const briefly = <T>(context: Context, work: Promise<T>): Promise<T | undefined> =>
  Promise.race([inBackground(context.memory, work), context.wait(ANSWER_WAITS_MS).then(() => undefined)])

/** Tries again for a while if the store fails. @throws Problem `store_unavailable` after the last try */
export async function untilStored<T>(context: Context, write: () => Promise<T>): Promise<T> {
  for (const waitMs of WAITS_MS) {
    try {
      return await write()
    } catch (error) {
      if (!isStoreFailure(error)) throw error
    }
    await context.wait(waitMs)
  }
  return write()
}
