/** Finds out which requests count in the month, by how the service's own count rose between readings of it (8.3: not shown). */
import type { KindCount } from './month.ts'

/** Sorts of requests of which it is not known whether they count in the month. */
export const WEIGHED = ['token.code', 'token.refresh', 'rate_limit', 'failed'] as const
export type Weighed = (typeof WEIGHED)[number]

/** Requests of this app. */
export interface SortCounts {
  /** API requests that succeeded, which count. */
  certain: number
  weighed: { readonly [Sort in Weighed]: number }
}

/** From one reading of a month to the next. */
export interface ReadingStep {
  /** By how much the count rose. */
  rise: number
  /** What surely was counted in between, if it counts at all; pages that show an old count are allowed for. */
  sure: SortCounts
  /** What was sent in between. */
  sent: SortCounts
  /** Requests in between of which it is not known whether they arrived, or of which sort they were. */
  unsure: number
}

/** Sums what the ledger has: what succeeded by its kind, API requests that failed, and the rest as unsure. */
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
  /** Sorts that cannot count: the count rose by less than it then had to, however little others sent. */
  excluded: readonly Weighed[]
  /** What is so in each case in which the rise is just what this app sent; a sort that differs between these is absent. */
  exact: { readonly [Sort in Weighed]?: boolean }
}

/**
 * Tries each set of sorts that may count against all steps: their count rises by what this app sent of them, and by requests of
 * others, of which there are any number. @returns nothing where no set fits, since then a reading is wrong
 */
export function weigh(steps: readonly ReadingStep[]): Weights {
  const fitting = SETS.filter((set) => steps.every(({ rise, sure }) => total(sure, set) <= rise))
  const exact = fitting.filter((set) => steps.every((step) => isExact(step, set)))
  // Of what was not sent, both are so.
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

/** All sets of sorts. */
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
