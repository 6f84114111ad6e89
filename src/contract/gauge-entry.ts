/** The reports of one window of a gauge, by limit, and their merge. */

/** The least remaining, and when it was last reported. */
export interface Entry {
  remaining: number
  atSeconds: number
}
export type Entries = { [limit: string]: Entry }

/** By reset, UNIX seconds. */
export type Windows = { [resetAtSeconds: string]: Entries }

export function mergeEntries(a: Entries | undefined, b: Entries): Entries {
  if (a === undefined) return b
  const merged = { ...a }
  for (const [name, entry] of Object.entries(b)) merged[name] = lower(merged[name], entry)
  return merged
}

export const entriesWith = (limit: number | undefined, entry: Entry | undefined): Entries =>
  entry === undefined ? {} : { [limit === undefined ? UNNAMED : NAMED + limit]: entry }

export const lower = (a: Entry | undefined, b: Entry): Entry => ({
  remaining: Math.min(a?.remaining ?? b.remaining, b.remaining),
  atSeconds: Math.max(a?.atSeconds ?? b.atSeconds, b.atSeconds),
})

/** The later report; of two in the same second, the result of `merge`. */
export function laterOf<T extends { atSeconds: number }>(
  a: T | undefined,
  b: T | undefined,
  merge: (a: T, b: T) => T,
): T | undefined {
  if (a === undefined || b === undefined) return a ?? b
  if (a.atSeconds === b.atSeconds) return merge(a, b)
  return a.atSeconds > b.atSeconds ? a : b
}

/**
 * The latest entry of windows that are one. For one limit the least remaining counts; an entry without a
 * limit belongs to each limit.
 */
export function newestEntry(windows: Windows): LimitedEntry | undefined {
  const entries = sumOf(windows)
  const best = named(entries).reduce<LimitedEntry | undefined>(
    (newest, entry) => laterOf(newest, entry, (a, b) => (a.remaining <= b.remaining ? a : b)),
    undefined,
  )
  const unnamed = entries[UNNAMED]
  return best === undefined ? unnamed : { ...best, ...lower(unnamed, best) }
}

const sumOf = (windows: Windows): Entries =>
  Object.values(windows).reduce<Entries | undefined>(mergeEntries, undefined) ?? {}

export const namedEntries = (windows: Windows): NamedEntry[] => named(sumOf(windows))

const named = (entries: Entries): NamedEntry[] =>
  Object.entries(entries).flatMap(([limit, entry]) =>
    limit === UNNAMED ? [] : [{ ...entry, limit: Number(limit.slice(NAMED.length)) }],
  )

/** In front of a limit: V8 reserves memory for each whole number below a name that is one, 7 kB for `600`. */
const NAMED = '='
/** The key of a limit that was not reported. */
const UNNAMED = '?'

type NamedEntry = Entry & { limit: number }
type LimitedEntry = Entry & { limit?: number }
