/** Limits what may be tried from one address: sign-ins, credentials and session cookies. */
import { RateLimiterRes } from 'rate-limiter-flexible'
import { Problem, type ProblemCode } from '../../contract/problem.ts'
import type { Store } from '../../store/store.ts'
import { AttemptQueue } from './attempt-queue.ts'
import { StoreLimiter } from './store-limiter.ts'

/** How many from one address in how many seconds; of credentials and cookies, how many that fail. */
export const LIMITS = {
  /** Sign-ins that were started; one that succeeds is given back. */
  login: { points: 300, duration: 300 },
  /** Codes that were exchanged for nothing. */
  code: { points: 100, duration: 600 },
  /** API keys that the service did not confirm. */
  api_key: { points: 30, duration: 600 },
  /** Session cookies that open nothing. */
  session_cookie: { points: 100, duration: 60 },
} as const

export type LimitName = keyof typeof LIMITS
export type CredentialLimit = 'code' | 'api_key'

/**
 * While an attempt runs it counts as one that fails. So that people who sign in at the same time do not use up the limit with
 * attempts that will succeed, an address runs a part of it at once in one process, and the others wait.
 */
const AT_ONCE = { code: 20, api_key: 6 } as const
const MOST_WAITING = 100
const LONGEST_WAIT_MS = 10_000
/** What is no answer about the credential: nothing was sent, or our own secret was refused. */
const NOT_ITS_FAULT: readonly ProblemCode[] = ['store_unavailable', 'client_rejected']

export class Limiter {
  readonly #now: () => number
  readonly #limiters: Record<LimitName, StoreLimiter>
  readonly #queues = {
    code: new AttemptQueue(AT_ONCE.code, MOST_WAITING),
    api_key: new AttemptQueue(AT_ONCE.api_key, MOST_WAITING),
  }

  constructor(store: Pick<Store, 'addToCounter'>, now: () => number) {
    const limiterOf = (name: LimitName) => new StoreLimiter(store, now, { name, ...LIMITS[name] })
    this.#now = now
    this.#limiters = {
      login: limiterOf('login'),
      code: limiterOf('code'),
      api_key: limiterOf('api_key'),
      session_cookie: limiterOf('session_cookie'),
    }
  }

  /** Takes one. @throws Problem `too_many_attempts` where none is left */
  async take(limit: LimitName, address: string): Promise<void> {
    try {
      await this.#limiters[limit].consume(address)
    } catch (refusal) {
      throw refusal instanceof RateLimiterRes ? tooMany(refusal.msBeforeNext) : refusal
    }
  }

  /** Gives one back. Never rejects. */
  async giveBack(limit: LimitName, address: string): Promise<void> {
    await this.#limiters[limit].reward(address).catch(() => {})
  }

  /**
   * Runs an attempt to sign in with a credential, when others of the same address have ended. What it takes is given back
   * where it succeeds.
   * @throws Problem `too_many_attempts` before it runs, or what it throws
   */
  async attempt<T>(limit: CredentialLimit, address: string, work: () => Promise<T>): Promise<T> {
    const leave = await this.#enter(limit, address)
    let isCounted = true
    try {
      await this.take(limit, address)
      const result = await work()
      isCounted = false
      return result
    } catch (error) {
      if (error instanceof Problem && NOT_ITS_FAULT.includes(error.code)) isCounted = false
      throw error
    } finally {
      // The answer does not wait for it; the next attempt does.
      void (isCounted ? Promise.resolve() : this.giveBack(limit, address)).then(leave)
    }
  }

  /** Waits until it may begin. @returns what ends it */
  async #enter(limit: CredentialLimit, address: string): Promise<() => void> {
    const sinceMs = this.#now()
    const blockedMs = this.#limiters[limit].blockedMs(address)
    const leave = blockedMs > 0 ? undefined : await this.#queues[limit].enter(address)
    if (leave === undefined) throw tooMany(blockedMs || LONGEST_WAIT_MS)
    if (this.#now() - sinceMs <= LONGEST_WAIT_MS) return leave
    leave()
    throw tooMany(LONGEST_WAIT_MS)
  }
}

const tooMany = (retryInMs: number): Problem =>
  new Problem('too_many_attempts', { retryInMs: Math.max(1000, retryInMs) })
