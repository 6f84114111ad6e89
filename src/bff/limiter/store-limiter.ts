/** The limiter of rate-limiter-flexible over the counters of the store, so that all processes count together. */
import { RateLimiterMemory, RateLimiterRes, type RateLimiterStoreAbstract } from 'rate-limiter-flexible'
// @ts-expect-error The package has the type under its main entry, and the class here only.
import Untyped from 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js'
import type { Counter, Store } from '../../store/store.ts'

const StoreLimiterBase = Untyped as typeof RateLimiterStoreAbstract

/** So many blocked keys are remembered; beyond it, the store remembers the others. */
const MOST_BLOCKED = 10_000
/** After a failure of the store it is not asked again for so long. */
const STORE_REST_MS = 5000

export interface StoreLimiterOptions {
  name: string
  /** How many may be taken in a window. */
  points: number
  /** Length of the window, which begins with the first one that is taken, in seconds. */
  duration: number
}

/**
 * Counts in the store, and in memory while the store fails. A key that is blocked is remembered until its window ends, so that
 * what it asks for costs no write.
 */
export class StoreLimiter extends StoreLimiterBase {
  readonly #store: Pick<Store, 'addToCounter'>
  readonly #now: () => number
  readonly #blocked = new Map<string, Counter>()
  #failed: { cause: unknown; untilMs: number } | undefined

  constructor(
    store: Pick<Store, 'addToCounter'>,
    now: () => number,
    { name, points, duration }: StoreLimiterOptions,
  ) {
    const insuranceLimiter = new RateLimiterMemory({ keyPrefix: name, points, duration })
    super({ storeClient: store, keyPrefix: `limit ${name}`, points, duration, insuranceLimiter })
    this.#store = store
    this.#now = now
  }

  /** Milliseconds until the key may take one again; 0 where it may already, as far as is known here. */
  blockedMs(key: string): number {
    return Math.max(0, (this.#blocked.get(this.getKey(key))?.lapsesAtMs ?? 0) - this.#now())
  }

  /** Called by the library. */
  async _upsert(name: string, by: number, durationMs: number): Promise<Counter> {
    const nowMs = this.#now()
    const blocked = this.#blocked.get(name)
    if (by > 0 && blocked !== undefined && blocked.lapsesAtMs > nowMs) return blocked
    if (this.#failed !== undefined && this.#failed.untilMs > nowMs) throw this.#failed.cause
    try {
      const counter = await this.#store.addToCounter(name, by, nowMs, nowMs + durationMs)
      this.#remember(name, counter)
      return counter
    } catch (cause) {
      this.#failed = { cause, untilMs: nowMs + STORE_REST_MS }
      throw cause
    }
  }

  /** Called by the library. How many are left is not asked for: it decides by how many were taken. */
  _getRateLimiterRes(_name: string, _by: number, { count, lapsesAtMs }: Counter): RateLimiterRes {
    return new RateLimiterRes(undefined, lapsesAtMs - this.#now(), count)
  }

  #remember(name: string, counter: Counter): void {
    this.#blocked.delete(name)
    if (counter.count <= this.points) return
    this.#blocked.set(name, counter)
    for (const oldest of this.#blocked.keys()) {
      if (this.#blocked.size <= MOST_BLOCKED) return
      this.#blocked.delete(oldest)
    }
  }
}
