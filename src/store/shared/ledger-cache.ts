/** Counts that this process has read, and its own changes, until another process changes the ledger. */
import { LRUCache } from 'lru-cache'
import type { KindCount, Outcome, RequestKind } from '../../contract/month.ts'
import type { StoredReading } from '../store.ts'

/** Recently read organizations; fewer than store/redis/restorable-counts.ts keeps. */
const MOST_ORGANIZATIONS = 5000
/** Enough for the starts of a month, and its newest readings. */
const MOST_INSTANTS = 4

/** Kind, outcome, and 1 for success. */
export type Sort = string

export const sortOf = (kind: RequestKind, outcome: Outcome, succeeded: boolean): Sort =>
  `${kind} ${outcome} ${succeeded ? 1 : 0}`

export function kindCountOf(sort: Sort, count: number): KindCount {
  const [kind, outcome, succeeded] = sort.split(' ') as [RequestKind, Outcome, string]
  return { kind, outcome, succeeded: succeeded === '1', count }
}

interface CachedLedger<State> {
  state: State
  /** By the instant from which requests were counted, the most recently used one last. */
  sums: Map<number, Map<Sort, number>>
  /** Absent if it was not read. */
  newest?: { reading: StoredReading | undefined }
}

/** @typeParam State differs after any change by another process */
export class LedgerCache<State> {
  readonly #known = new LRUCache<string, CachedLedger<State>>({ max: MOST_ORGANIZATIONS })

  stateOf(organization: string): State | undefined {
    return this.#known.get(organization)?.state
  }

  /** The counts from an instant on; `undefined` if they must be read. */
  counts(organization: string, sinceMs: number, state: State): KindCount[] | undefined {
    const known = this.#at(organization, state)
    const sums = known?.sums.get(sinceMs)
    if (known === undefined || sums === undefined) return undefined
    known.sums.delete(sinceMs)
    known.sums.set(sinceMs, sums)
    return [...sums].flatMap(([sort, count]) => (count === 0 ? [] : [kindCountOf(sort, count)]))
  }

  counted(organization: string, sinceMs: number, state: State, counts: readonly KindCount[]): void {
    const { sums } = this.#of(organization, state)
    sums.delete(sinceMs)
    sums.set(
      sinceMs,
      new Map(counts.map(({ kind, outcome, succeeded, count }) => [sortOf(kind, outcome, succeeded), count])),
    )
    if (sums.size > MOST_INSTANTS) sums.delete(sums.keys().next().value as number)
  }

  /** `undefined` if it must be read. */
  newest(organization: string, state: State): { reading: StoredReading | undefined } | undefined {
    return this.#at(organization, state)?.newest
  }

  readNewest(organization: string, state: State, reading: StoredReading | undefined): void {
    this.#of(organization, state).newest = { reading }
  }

  /**
   * Adds a request that this process has recorded or settled.
   * @param changes added counts by sort
   * @param states of the ledger before and after
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
