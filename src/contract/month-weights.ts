/** Finds the requests that count, by the rise of the service's count between readings (8.3: not shown). */
import type { KindCount } from './month.ts'

/** Sorts of requests that may or may not count in the month. */
export const WEIGHED = ['token.code', 'token.refresh', 'rate_limit', 'failed'] as const
export type Weighed = (typeof WEIGHED)[number]

export interface SortCounts {
  /** Successful API requests, which count. */
  certain: number
  weighed: { readonly [Sort in Weighed]: number }
}

/** The step from one reading of a month to the next. */
export interface ReadingStep {
  rise: number
  /** Requests that the second count includes, if their sort counts. The page may show an old count. */
  sure: SortCounts
  sent: SortCounts
  /** Requests in between that may not have arrived, or whose sort is unknown. */
  unsure: number
}

/** Sums the ledger: successful requests by kind, failed API requests, and the rest as unsure. */
export function sortRequests(kindCounts: readonly KindCount[]): { counts: SortCounts; unsure: number } {
  const sums = { certain: 0, unsure: 0, ...NONE }
  for (const { kind, outcome, succeeded, count } of kindCounts) {
    const isApi = kind === 'api.read' || kind === 'api.update'
    if (outcome === 'void') continue
    if (outcome !== 'settled' || (!succeeded && !isApi)) sums.unsure += count
    else if (!succeeded) sums.failed += count
    else sums[isApi ? 'certain' : kind] += count
  }
  const { certain, unsure, ...weighed } = sums
  return { counts: { certain, weighed }, unsure }
}

const NONE = { 'token.code': 0, 'token.refresh': 0, rate_limit: 0, failed: 0 }

/** The sorts that count, as far as the steps show. */
export interface Weights {
  /** Sorts that cannot count: if they did, the count would have risen by more. */
  excluded: readonly Weighed[]
  /** For each sort, whether it counts if only this app sent requests. Absent if the evidence fits both. */
  exact: { readonly [Sort in Weighed]?: boolean }
}

/**
 * Tests each set of sorts that may count against all steps. The count rises by this app's requests of the set
 * and by any number of others' requests.
 * @returns nothing if no set fits, since then a reading is wrong
 */
export function weigh(steps: readonly ReadingStep[]): Weights {
  const fitting = SETS.filter((set) => steps.every(({ rise, sure }) => total(sure, set) <= rise))
  const exact = fitting.filter((set) => steps.every((step) => isExact(step, set)))
  // A sort that was not sent fits both.
  const agreed = WEIGHED.flatMap((sort) => {
    const cases = [...new Set(exact.map((set) => set.includes(sort)))]
    return cases.length === 1 ? [[sort, cases[0]]] : []
  })
  return {
    excluded:
      fitting.length === 0 ? [] : WEIGHED.filter((sort) => fitting.every((set) => !set.includes(sort))),
    exact: Object.fromEntries(agreed) as Weights['exact'],
  }
}

const SETS = WEIGHED.reduce<readonly (readonly Weighed[])[]>(
  (sets, sort) => [...sets, ...sets.map((set) => [...set, sort])],
  [[]],
)

const total = ({ certain, weighed }: SortCounts, set: readonly Weighed[]): number =>
  set.reduce((sum, sort) => sum + weighed[sort], certain)

function isExact({ rise, sent, unsure }: ReadingStep, set: readonly Weighed[]): boolean {
  const counted = total(sent, set)
  return counted <= rise && rise <= counted + unsure
}
