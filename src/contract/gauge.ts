/** The minute as a window for each class: a fold over the observations, and its value at a given time (8.2). */
import type { Observation, RateNote, RequestClass } from './rate-limit.ts'

/** What is known of one class of one token: the sum of its observations, in any order and however often they came. */
export interface Gauge {
  limit?: { value: number; atSeconds: number }
  /** By reset second, then by limit (`?` where it was not reported): the least remaining, and when it was last reported. */
  windows: { [resetAtSeconds: string]: { [limit: string]: { remaining: number; atSeconds: number } } }
  /** A remaining that came without a reset. */
  loose?: { remaining: number; atSeconds: number }
  seen: { atSeconds: number; assumed: boolean; notes: readonly RateNote[] }
}

export type Gauges = { readonly [Class in RequestClass]?: Gauge }

/** Adds observations: commutative, associative, idempotent, so that answers may arrive in any order. */
export function fold(gauges: Gauges, observations: readonly Observation[]): Gauges {
  return observations.filter(hasField).reduce<Gauges>((sum, observation) => {
    const known = sum[observation.class]
    const added = gaugeOf(observation)
    return { ...sum, [observation.class]: known === undefined ? added : mergeGauges(known, added) }
  }, gauges)
}

/** An answer without any of the three changes nothing, and makes nothing look newer. */
const hasField = ({ limit, remaining, resetAtSeconds }: Observation) =>
  (limit ?? remaining ?? resetAtSeconds) !== undefined

function gaugeOf({
  limit,
  remaining,
  resetAtSeconds,
  servedAtSeconds: atSeconds,
  assumed,
  notes,
}: Observation): Gauge {
  const entry = remaining === undefined ? undefined : { remaining, atSeconds }
  return {
    ...(limit === undefined ? {} : { limit: { value: limit, atSeconds } }),
    windows: resetAtSeconds === undefined ? {} : { [resetAtSeconds]: entry ? { [limit ?? '?']: entry } : {} },
    ...(entry && resetAtSeconds === undefined ? { loose: entry } : {}),
    seen: { atSeconds, assumed, notes: notes.toSorted() },
  }
}

/** Resets up to this much apart are one window: they have whole seconds, and may have been delays. */
const SAME_WINDOW_SECONDS = 2

function mergeGauges(a: Gauge, b: Gauge): Gauge {
  const newest = Math.max(...Object.keys({ ...a.windows, ...b.windows }).map(Number))
  const windows: Gauge['windows'] = {}
  for (const [reset, entries] of [...Object.entries(a.windows), ...Object.entries(b.windows)]) {
    if (Number(reset) >= newest - SAME_WINDOW_SECONDS) windows[reset] = mergeEntries(windows[reset], entries)
  }
  const limit = laterOf(a.limit, b.limit, (x, y) => ({ ...x, value: Math.min(x.value, y.value) }))
  const loose = laterOf(a.loose, b.loose, lower)
  const seen = later(a.seen, b.seen, (x, y) => ({
    atSeconds: x.atSeconds,
    assumed: x.assumed || y.assumed,
    notes: [...new Set([...x.notes, ...y.notes])].toSorted(),
  }))
  return { ...(limit && { limit }), windows, ...(loose && { loose }), seen }
}

type Entries = Gauge['windows'][string]
type Entry = Entries[string]

function mergeEntries(a: Entries = {}, b: Entries): Entries {
  const merged = { ...a }
  for (const [limit, entry] of Object.entries(b)) merged[limit] = lower(merged[limit], entry)
  return merged
}

const lower = (a: Entry | undefined, b: Entry): Entry => ({
  remaining: Math.min(a?.remaining ?? b.remaining, b.remaining),
  atSeconds: Math.max(a?.atSeconds ?? b.atSeconds, b.atSeconds),
})

/** The one reported later; of two reported in the same second, what `merge` makes of them. */
function later<T extends { atSeconds: number }>(a: T, b: T, merge: (a: T, b: T) => T): T {
  if (a.atSeconds === b.atSeconds) return merge(a, b)
  return a.atSeconds > b.atSeconds ? a : b
}

const laterOf = <T extends { atSeconds: number }>(
  a: T | undefined,
  b: T | undefined,
  merge: (a: T, b: T) => T,
): T | undefined => (a === undefined || b === undefined ? (a ?? b) : later(a, b, merge))

/** One class as it stands at a given time of the service. */
export interface Window {
  /** `expired`: the reset has passed and no newer answer came. `unseen`: no answer reported this class yet. */
  known: 'measured' | 'expired' | 'unseen'
  limit?: number
  /** As reported; absent unless measured. Below zero means over by that much. */
  remaining?: number
  /** Milliseconds until the window is over: its reset has whole seconds, so one second after it. */
  resetInMs?: number
  /** Milliseconds since the newest answer that reported it. */
  ageMs?: number
  /** More remaining than the limit: shown as it came, but not believed. */
  inconsistent: boolean
  assumed: boolean
  notes: readonly RateNote[]
}

/** Reads a gauge at a given time of the service, in milliseconds. Depends on no timer having fired. */
export function windowAt(gauge: Gauge | undefined, serviceNowMs: number): Window {
  if (gauge === undefined) return { known: 'unseen', inconsistent: false, assumed: false, notes: [] }
  const resetAtSeconds = Math.max(...Object.keys(gauge.windows).map(Number))
  const overAtMs = (resetAtSeconds + 1) * 1000
  // Without any reset, the time is minus infinity.
  const open = isOpen(gauge, overAtMs, serviceNowMs)
  const newest = open ? newestEntry(gauge.windows) : undefined
  const remaining = least(newest?.remaining, looseRemaining(gauge, resetAtSeconds, open, serviceNowMs))
  const limit = newest?.limit ?? gauge.limit?.value
  return {
    known: open || remaining !== undefined ? 'measured' : knownBefore(gauge),
    ...(limit !== undefined && { limit }),
    ...(remaining !== undefined && { remaining }),
    ...(open && { resetInMs: overAtMs - serviceNowMs }),
    ageMs: Math.max(0, serviceNowMs - gauge.seen.atSeconds * 1000),
    inconsistent: isInconsistent(remaining, limit),
    assumed: gauge.seen.assumed,
    notes: gauge.seen.notes,
  }
}

/** Not where the newest answer is of a time that is not there yet: our clock was set back, and the next answer shows how far. */
const isOpen = ({ seen }: Gauge, overAtMs: number, serviceNowMs: number): boolean =>
  serviceNowMs < overAtMs && (seen.atSeconds - 60) * 1000 <= serviceNowMs

/** Of a class without an open window: whether one was ever reported. */
const knownBefore = ({ windows, loose }: Gauge): Window['known'] =>
  loose !== undefined || Object.keys(windows).length > 0 ? 'expired' : 'unseen'

const isInconsistent = (remaining = 0, limit = Infinity): boolean => remaining > limit

/**
 * What was reported without a reset, while it can still hold: such a window lasts a minute at most (8.2), whenever it was
 * opened, and is no older than the one with a reset.
 */
function looseRemaining(
  { loose }: Gauge,
  resetAtSeconds: number,
  open: boolean,
  serviceNowMs: number,
): number | undefined {
  if (loose === undefined || Math.abs(serviceNowMs - loose.atSeconds * 1000) >= 61_000) return undefined
  const beganAfterSeconds = open ? resetAtSeconds - 61 : resetAtSeconds
  return loose.atSeconds > beganAfterSeconds ? loose.remaining : undefined
}

/** Whether the last report of a class was that none are left, however long ago. */
export function wasUsedUp(gauge: Gauge | undefined): boolean {
  if (gauge === undefined) return false
  return [newestEntry(gauge.windows), gauge.loose].some(
    (entry) => entry !== undefined && entry.remaining <= 0,
  )
}

/** Of windows that are one, the entry reported last; within a limit the least counts, and one without a limit belongs to each. */
function newestEntry(windows: Gauge['windows']): LimitedEntry | undefined {
  const { '?': unnamed, ...named } = Object.values(windows).reduce<Entries>(mergeEntries, {})
  const best = Object.entries(named)
    .map(([limit, entry]) => ({ ...entry, limit: Number(limit) }))
    .reduce<LimitedEntry | undefined>(
      (newest, entry) => laterOf(newest, entry, (a, b) => (a.remaining <= b.remaining ? a : b)),
      undefined,
    )
  return best === undefined ? unnamed : { ...best, ...lower(unnamed, best) }
}

type LimitedEntry = Entry & { limit?: number }

const least = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)

/**
 * Whether one more request of a class may be sent: not while the window is known to be used up, counting those under way.
 * @returns `undefined` when it may; else the milliseconds after which it may.
 */
export function waitFor(window: Window, inFlight: number): number | undefined {
  if (window.remaining === undefined || window.remaining - inFlight > 0) return undefined
  return window.resetInMs ?? Math.max(0, 61_000 - (window.ageMs ?? 0))
}
