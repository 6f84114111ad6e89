/** The reports of one window of a gauge, by limit, and how two that are of the same are merged. */

/** The least remaining, when it was last reported, and whether others seem to use the token. */
export interface Entry {
  remaining: number
  atSeconds: number
  others?: true
}
export type Entries = { [limit: string]: Entry }

/** By reset, UNIX seconds. */
export type Windows = { [resetAtSeconds: string]: Entries }

export function mergeEntries(a: Entries = {}, b: Entries): Entries {
  const merged = { ...a }
  for (const [limit, entry] of Object.entries(b)) merged[limit] = lower(merged[limit], entry)
  return merged
}

export const lower = (a: Entry | undefined, b: Entry): Entry => ({
  remaining: Math.min(a?.remaining ?? b.remaining, b.remaining),
  atSeconds: Math.max(a?.atSeconds ?? b.atSeconds, b.atSeconds),
  ...((a?.others ?? b.others) && { others: true }),
})

/** The one reported later; of two reported in the same second, what `merge` makes of them. */
export function laterOf<T extends { atSeconds: number }>(
  a: T | undefined,
  b: T | undefined,
  merge: (a: T, b: T) => T,
): T | undefined {
  if (a === undefined || b === undefined) return a ?? b
  if (a.atSeconds === b.atSeconds) return merge(a, b)
  return a.atSeconds > b.atSeconds ? a : b
}

/** Of windows that are one, the entry reported last; within a limit the least counts, and one without a limit belongs to each. */
export function newestEntry(windows: Windows): LimitedEntry | undefined {
  const { '?': unnamed } = sumOf(windows)
  const best = namedEntries(windows).reduce<LimitedEntry | undefined>(
    (newest, entry) => laterOf(newest, entry, (a, b) => (a.remaining <= b.remaining ? a : b)),
    undefined,
  )
  return best === undefined ? unnamed : { ...best, ...lower(unnamed, best) }
}

const sumOf = (windows: Windows): Entries => Object.values(windows).reduce<Entries>(mergeEntries, {})

export function namedEntries(windows: Windows): (Entry & { limit: number })[] {
  const { '?': _, ...named } = sumOf(windows)
  return Object.entries(named).map(([limit, entry]) => ({ ...entry, limit: Number(limit) }))
}

type LimitedEntry = Entry & { limit?: number }
