/** Runs rate-limiter-flexible over the counters of the store, so that all processes count together. */
import { RateLimiterMemory, RateLimiterRes, type RateLimiterStoreAbstract } from 'rate-limiter-flexible'
// @ts-expect-error The package exports the type from its main entry, and the class only from here.
import Untyped from 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js'
import { SECOND_MS } from '../../contract/duration.ts'
import type { Counter, Store } from '../../store/store.ts'

const StoreLimiterBase = Untyped as typeof RateLimiterStoreAbstract

/** Blocked keys kept in memory. Any others are found in the store. */
const MOST_BLOCKED = 10_000
/** After a failure the store is not asked again for this long. */
const STORE_REST_MS = 5 * SECOND_MS

export interface StoreLimiterOptions {
  name: string
  points: number
  /** Seconds. The window begins with the first attempt. */
  duration: number
}

/** Counts in memory while the store fails. A blocked key is remembered: its attempts cost no write. */
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

  /** Milliseconds until the key may try again; 0 if this process does not know that it is blocked. */
  blockedMs(key: string): number {
    return Math.max(0, (this.#blocked.get(this.getKey(key))?.lapsesAtMs ?? 0) - this.#now())
  }

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

  /** Called by the library, which decides by the number of attempts and ignores how many are left. */
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
