/** What this process has read of ledgers, and what it has recorded since, for as long as no other process changes them. */
import { LRUCache } from 'lru-cache'
import type { KindCount, Outcome, RequestKind } from '../../contract/month.ts'
import type { StoredReading } from '../store.ts'

/** Organizations that were read last; fewer than `Seen` keeps (store/redis/seen.ts). */
const MOST_ORGANIZATIONS = 5000
/** The starts of a month, and the newest readings in it. */
const MOST_INSTANTS = 4

/** A sort of requests: kind, outcome, and 1 where it succeeded. */
export type Sort = string

export const sortOf = (kind: RequestKind, outcome: Outcome, succeeded: boolean): Sort =>
  `${kind} ${outcome} ${succeeded ? 1 : 0}`

export function kindCountOf(sort: Sort, count: number): KindCount {
  const [kind, outcome, succeeded] = sort.split(' ') as [RequestKind, Outcome, string]
  return { kind, outcome, succeeded: succeeded === '1', count }
}

interface CachedLedger<State> {
  state: State
  /** By the instant from which requests were counted; the one that was used last is the last. */
  sums: Map<number, Map<Sort, number>>
  /** Absent where it was not read. */
  newest?: { reading: StoredReading | undefined }
}

/**
 * Ledgers of organizations.
 * @typeParam State of a ledger: another one wherever another process may have changed it
 */
export class LedgerCache<State> {
  readonly #known = new LRUCache<string, CachedLedger<State>>({ max: MOST_ORGANIZATIONS })

  /** The last that is known. */
  stateOf(organization: string): State | undefined {
    return this.#known.get(organization)?.state
  }

  /** The requests from an instant on, by sort; `undefined` where they have to be counted. */
  counts(organization: string, sinceMs: number, state: State): KindCount[] | undefined {
    const known = this.#at(organization, state)
    const sums = known?.sums.get(sinceMs)
    if (known === undefined || sums === undefined) return undefined
    known.sums.delete(sinceMs)
    known.sums.set(sinceMs, sums)
    return [...sums].flatMap(([sort, count]) => (count === 0 ? [] : [kindCountOf(sort, count)]))
  }

  /** They were counted. */
  counted(organization: string, sinceMs: number, state: State, counts: readonly KindCount[]): void {
    const { sums } = this.#of(organization, state)
    sums.delete(sinceMs)
    sums.set(
      sinceMs,
      new Map(counts.map(({ kind, outcome, succeeded, count }) => [sortOf(kind, outcome, succeeded), count])),
    )
    if (sums.size > MOST_INSTANTS) sums.delete(sums.keys().next().value as number)
  }

  /** The newest reading, where there is one; `undefined` where it has to be read. */
  newest(organization: string, state: State): { reading: StoredReading | undefined } | undefined {
    return this.#at(organization, state)?.newest
  }

  /** It was read. */
  readNewest(organization: string, state: State, reading: StoredReading | undefined): void {
    this.#of(organization, state).newest = { reading }
  }

  /**
   * This process has recorded or settled a request of an instant.
   * @param changes how many more there are of some sorts
   * @param states of the ledger before and after it
   */
  add(
    organization: string,
    atMs: number,
    changes: readonly (readonly [Sort, number])[],
    [before, after]: readonly [State, State],
  ): void {
    const known = this.#at(organization, before)
    if (known === undefined) {
      this.#known.delete(organization)
      return
    }
    known.state = after
    for (const [sinceMs, sums] of known.sums)
      if (atMs >= sinceMs) for (const [sort, by] of changes) sums.set(sort, (sums.get(sort) ?? 0) + by)
  }

  #at(organization: string, state: State): CachedLedger<State> | undefined {
    const known = this.#known.get(organization)
    return known?.state === state ? known : undefined
  }

  #of(organization: string, state: State): CachedLedger<State> {
    const known = this.#at(organization, state) ?? { state, sums: new Map<number, Map<Sort, number>>() }
    this.#known.set(organization, known)
    return known
  }
}
