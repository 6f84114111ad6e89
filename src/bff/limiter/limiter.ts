/** Limits how many sign-ins, credentials and session cookies one address may try. */
import { RateLimiterRes } from 'rate-limiter-flexible'
import { SECOND_MS } from '../../contract/duration.ts'
import { Problem, type ProblemCode } from '../../contract/problem.ts'
import type { Store } from '../../store/store.ts'
import { AttemptQueue } from './attempt-queue.ts'
import { StoreLimiter } from './store-limiter.ts'

/** `points` attempts of an address in `duration` seconds. Credentials and cookies count only if they fail. */
export const LIMITS = {
  /** Started sign-ins. A sign-in that succeeds is given back. */
  login: { points: 300, duration: 300 },
  /** Failed code exchanges. */
  code: { points: 100, duration: 600 },
  /** API keys that the service did not confirm. */
  api_key: { points: 30, duration: 600 },
  /** Session cookies without a session. */
  session_cookie: { points: 100, duration: 60 },
  /** Reads by scripts through one watch link, from any address. */
  watch_link: { points: 120, duration: 60 },
} as const

export type LimitName = keyof typeof LIMITS
export type CredentialLimit = 'code' | 'api_key'

/**
 * A running attempt counts as a failure until it succeeds. Many people who sign in together would use up the
 * limit, so an address runs only this many at once in one process, and the others wait.
 */
const AT_ONCE = { code: 20, api_key: 6 } as const
const MOST_WAITING = 100
const LONGEST_WAIT_MS = 10 * SECOND_MS
/** Problems that do not blame the credential: nothing was sent, or the service refused our own secret. */
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
      watch_link: limiterOf('watch_link'),
    }
  }

  /** @throws Problem `too_many_attempts` if none is left */
  async take(limit: LimitName, address: string): Promise<void> {
    try {
      await this.#limiters[limit].consume(address)
    } catch (refusal) {
      throw refusal instanceof RateLimiterRes ? tooMany(refusal.msBeforeNext) : refusal
    }
  }

  /** Never rejects. */
  async giveBack(limit: LimitName, address: string): Promise<void> {
    await this.#limiters[limit].reward(address).catch(() => {})
  }

  /**
   * Runs after earlier attempts of the same address. An attempt that succeeds is given back.
   * @throws Problem `too_many_attempts` before it runs, or the error of `work`
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
      // The next attempt waits for this write. The answer does not.
      void (isCounted ? Promise.resolve() : this.giveBack(limit, address)).then(leave)
    }
  }

  /** @returns the function to call when the attempt has ended */
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
  new Problem('too_many_attempts', { retryInMs: Math.max(SECOND_MS, retryInMs) })
