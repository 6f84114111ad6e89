/** Limits how many sign-ins, credentials and session cookies one address may try. */
import { timeLeftMs } from '../../contract/clock.ts'
import { SECOND_MS } from '../../contract/duration.ts'
import { Problem, type ProblemCode } from '../../contract/problem.ts'
import type { Store } from '../../store/store.ts'
import { ConcurrencyLimit } from './concurrency-limit.ts'

/** `points` attempts of an address in `duration` seconds. Credentials and cookies count only if they fail. */
export const LIMITS = {
  /** Started sign-ins, by a code or a key. A sign-in that succeeds is given back. */
  login: { points: 300, duration: 300 },
  /** Failed code exchanges. */
  code: { points: 100, duration: 600 },
  /** API keys that the service did not confirm. */
  api_key: { points: 30, duration: 600 },
  /** Cookies, secrets of links and codes of pairings that open nothing. */
  session_cookie: { points: 100, duration: 60 },
  /** Reads by scripts through one watch link, from any address. */
  watch_link: { points: 120, duration: 60 },
} as const

export type LimitName = keyof typeof LIMITS
export type CredentialLimit = 'code' | 'api_key'

/**
 * A running attempt counts as a failure until it succeeds. Many people who sign in together would use up the
 * limit, so an address runs only this many of each at once in one process, and the others wait.
 */
const AT_ONCE = { running: LIMITS.api_key.points / 2, waiting: 100 }
const UNBOUNDED = { running: Infinity, waiting: Infinity }
const LONGEST_WAIT_MS = 10 * SECOND_MS
/**
 * They say nothing about the credential: nothing was sent, or the service gave no verdict or refused our own
 * secret. How many an address may have is the limit of started sign-ins.
 */
const NO_VERDICT: readonly ProblemCode[] = [
  'store_unavailable',
  'client_rejected',
  'upstream_down',
  'upstream_timeout',
  'upstream_failed',
  'unexpected_reply',
]

/** Addresses without attempts that this process remembers. The store knows them all. */
const MOST_BLOCKED = 10_000

const nameOf = (limit: LimitName, address: string): string => `limit ${limit}:${address}`

/** Counts in the store, so that all processes count together. */
export class Limiter {
  readonly #store: Pick<Store, 'addToCounter'>
  readonly #now: () => number
  /** Until when, by the name of the counter: an attempt without a chance costs no write. */
  readonly #blocked = new Map<string, number>()
  readonly #queues = {
    code: new ConcurrencyLimit(UNBOUNDED, AT_ONCE),
    api_key: new ConcurrencyLimit(UNBOUNDED, AT_ONCE),
  }

  constructor(store: Pick<Store, 'addToCounter'>, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /** @throws Problem `too_many_attempts` if none is left, `store_unavailable` */
  async take(limit: LimitName, address: string): Promise<void> {
    const blockedMs = this.#blockedMs(limit, address)
    if (blockedMs > 0) throw tooMany(blockedMs)
    await this.#count(limit, address, 1)
    const waitMs = this.#blockedMs(limit, address)
    if (waitMs > 0) throw tooMany(waitMs)
  }

  /** Never rejects. */
  async giveBack(limit: LimitName, address: string): Promise<void> {
    await this.#count(limit, address, -1).catch(() => {})
  }

  async #count(limit: LimitName, address: string, by: 1 | -1): Promise<void> {
    const name = nameOf(limit, address)
    const { points, duration } = LIMITS[limit]
    const nowMs = this.#now()
    const lapsesAtMs = nowMs + duration * SECOND_MS
    const counter = await this.#store.addToCounter(name, by, nowMs, lapsesAtMs)
    if (counter.count <= points) return void this.#blocked.delete(name)
    if (this.#blocked.size >= MOST_BLOCKED) this.#blocked.clear()
    this.#blocked.set(name, counter.lapsesAtMs)
  }

  /** 0 if this process does not know that the address has no attempt left. */
  #blockedMs(limit: LimitName, address: string): number {
    const untilMs = this.#blocked.get(nameOf(limit, address)) ?? 0
    return timeLeftMs(untilMs, this.#now(), LIMITS[limit].duration * SECOND_MS)
  }

  /**
   * Runs after earlier attempts of the same address. An attempt that succeeds is given back, as is its
   * started sign-in.
   * @throws Problem `too_many_attempts` before it runs, `upstream_down` if those before it take too long, or
   *   the error of `work`
   */
  async attempt<T>(limit: CredentialLimit, address: string, work: () => Promise<T>): Promise<T> {
    const leave = await this.#enter(limit, address)
    let isCounted = true
    try {
      const result = await work()
      isCounted = false
      void this.giveBack('login', address)
      return result
    } catch (error) {
      if (error instanceof Problem && NO_VERDICT.includes(error.code)) isCounted = false
      throw error
    } finally {
      // The next attempt waits for this write. The answer does not.
      void (isCounted ? Promise.resolve() : this.giveBack(limit, address)).then(leave)
    }
  }

  /** Takes the attempt. @returns the function to call when it has ended */
  async #enter(limit: CredentialLimit, address: string): Promise<() => void> {
    const sinceMs = this.#now()
    const blockedMs = this.#blockedMs(limit, address)
    if (blockedMs > 0) throw tooMany(blockedMs)
    const leave = await this.#queues[limit].enter(address).catch(() => {
      throw tooMany(LONGEST_WAIT_MS)
    })
    try {
      if (this.#now() - sinceMs > LONGEST_WAIT_MS)
        throw new Problem('upstream_down', { retryInMs: LONGEST_WAIT_MS })
      // A sign-in by a code took it when it started.
      if (limit === 'api_key') await this.take('login', address)
      await this.take(limit, address)
      return leave
    } catch (error) {
      leave()
      throw error
    }
  }
}

const tooMany = (retryInMs: number): Problem =>
  new Problem('too_many_attempts', { retryInMs: Math.max(SECOND_MS, retryInMs) })
