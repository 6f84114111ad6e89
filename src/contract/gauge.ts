/** The minute as a window for each class: a fold over what answers told, and how it stands at a given time (8.2). */
import type { Observation, RateNote, RequestClass } from './rate-limit.ts'

/** What is known of one class of one token: the sum of its observations, in whatever order and however often they came. */
export interface Gauge {
  limit?: { value: number; atSeconds: number }
  /** By reset second, then by limit (`?` where it was not told): the least remaining, and when it was last told. */
  windows: { [resetAtSeconds: string]: { [limit: string]: { remaining: number; atSeconds: number } } }
  /** A remaining that came without a reset. */
  loose?: { remaining: number; atSeconds: number }
  seen: { atSeconds: number; assumed: boolean; notes: readonly RateNote[] }
}

export type Gauges = { readonly [Class in RequestClass]?: Gauge }

/** Adds observations: commutative, associative, idempotent, so that answers may arrive in any order. */
export function fold(gauges: Gauges, observations: readonly Observation[]): Gauges {
  return observations.filter(tells).reduce<Gauges>((sum, observation) => {
    const known = sum[observation.class]
    const added = gaugeOf(observation)
    return { ...sum, [observation.class]: known === undefined ? added : mergeGauges(known, added) }
  }, gauges)
}

/** An answer without any of the three changes nothing, and makes nothing look newer. */
const tells = ({ limit, remaining, resetAtSeconds }: Observation) =>
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
  const limit = later(a.limit, b.limit, (l) => l.value)
  const loose = later(a.loose, b.loose, (l) => l.remaining)
  const together = a.seen.atSeconds === b.seen.atSeconds
  const seen = a.seen.atSeconds > b.seen.atSeconds ? a.seen : b.seen
  return {
    ...(limit && { limit }),
    windows,
    ...(loose && { loose }),
    seen: together
      ? {
          atSeconds: seen.atSeconds,
          assumed: a.seen.assumed || b.seen.assumed,
          notes: [...new Set([...a.seen.notes, ...b.seen.notes])].toSorted(),
        }
      : seen,
  }
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

/** The one told later; of two told in the same second, the lower. */
function later<T extends { atSeconds: number }>(
  a: T | undefined,
  b: T | undefined,
  value: (of: T) => number,
): T | undefined {
  if (a === undefined || b === undefined) return a ?? b
  if (a.atSeconds !== b.atSeconds) return a.atSeconds > b.atSeconds ? a : b
  return value(a) <= value(b) ? a : b
}

/** One class as it stands at a given time of the service. */
export interface Window {
  /** `expired`: the reset has passed and no newer answer came. `unseen`: no answer told of this class yet. */
  known: 'measured' | 'expired' | 'unseen'
  limit?: number
  /** As reported; absent unless measured. Below zero means over by that much. */
  remaining?: number
  /** Milliseconds until the window is over: its reset has whole seconds, so one second after it. */
  resetInMs?: number
  /** Milliseconds since the newest answer that told of it. */
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
  const told = newestEntry(gauge.windows)
  const overAtMs = (resetAtSeconds + 1) * 1000
  const open = Number.isFinite(resetAtSeconds) && serviceNowMs < overAtMs
  // A window without a reset lasts a minute at most (8.2), whenever it was opened; it is no older than the one with a reset.
  const beganAfterSeconds = open ? resetAtSeconds - 61 : resetAtSeconds
  const { loose } = gauge
  const looseFits =
    loose && serviceNowMs < (loose.atSeconds + 61) * 1000 && loose.atSeconds > beganAfterSeconds
      ? loose.remaining
      : undefined
  const remaining = open ? least(told?.remaining, looseFits) : looseFits
  const everTold = loose !== undefined || Number.isFinite(resetAtSeconds)
  const limit = (open ? told?.limit : undefined) ?? gauge.limit?.value
  return {
    known: open || remaining !== undefined ? 'measured' : everTold ? 'expired' : 'unseen',
    ...(limit === undefined ? {} : { limit }),
    ...(remaining === undefined ? {} : { remaining }),
    ...(open ? { resetInMs: overAtMs - serviceNowMs } : {}),
    ageMs: Math.max(0, serviceNowMs - gauge.seen.atSeconds * 1000),
    inconsistent: remaining !== undefined && limit !== undefined && remaining > limit,
    assumed: gauge.seen.assumed,
    notes: gauge.seen.notes,
  }
}

/** Whether the last that was told of a class was that none are left, whatever has passed since. */
export function wasUsedUp(gauge: Gauge | undefined): boolean {
  if (gauge === undefined) return false
  const told = newestEntry(gauge.windows)
  return [told, gauge.loose].some((entry) => entry !== undefined && entry.remaining <= 0)
}

/** Of windows that are one, the entry told last; within a limit the least counts, and one without a limit belongs to each. */
function newestEntry(windows: Gauge['windows']): (Entry & { limit: number | undefined }) | undefined {
  const { '?': unnamed, ...named } = Object.values(windows).reduce<Entries>(mergeEntries, {})
  const best = Object.entries(named)
    .map(([limit, entry]) => ({ ...entry, limit: Number(limit) }))
    .reduce<(Entry & { limit: number }) | undefined>(
      (newest, entry) => later(newest, entry, (e) => e.remaining),
      undefined,
    )
  if (best === undefined) return unnamed && { ...unnamed, limit: undefined }
  return unnamed === undefined ? best : { ...lower(unnamed, best), limit: best.limit }
}

const least = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)

/**
 * Whether one more request of a class may be sent: not while the window is known to be used up, counting those under way.
 * @returns `undefined` when it may; else the milliseconds after which it may.
 */
export function waitFor(window: Window, inFlight: number): number | undefined {
  if (window.known !== 'measured' || window.remaining === undefined || window.remaining - inFlight > 0)
    return undefined
  return window.resetInMs ?? Math.max(0, 61_000 - (window.ageMs ?? 0))
}
