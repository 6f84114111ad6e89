/** The minute as a window for each class: a fold over the observations, and its value at a time (8.2). */
import {
  entriesWith,
  type Entry,
  laterOf,
  lower,
  mergeEntries,
  namedEntries,
  newestEntry,
  type Windows,
} from './gauge-entry.ts'
import type { Observation, RequestClass } from './rate-limit.ts'
import type { RateNote } from './rate-note.ts'

/** Resets at most this far apart are the same: they are in whole seconds, and may have been delays. */
export const SAME_RESET_SECONDS = 2

/** The state of one class of one token: the sum of its observations, in any order and with repetitions. */
export interface Gauge {
  limit?: { value: number; atSeconds: number }
  /** The newest window and the one before, by reset second, then by limit (`?` if it was not reported). */
  windows: Windows
  /** A remaining that was reported without a reset. */
  loose?: Entry
  /** The newest answer that reported this class. */
  seen?: { atSeconds: number; assumed: boolean; notes: readonly RateNote[] }
  /** The times of the newest answers without a report. */
  silent?: readonly number[]
}

export type Gauges = { readonly [Class in RequestClass]?: Gauge }

/** Adds observations: commutative, associative, idempotent, so that answers may arrive in any order. */
export function fold(gauges: Gauges, observations: readonly Observation[]): Gauges {
  return observations.reduce<Gauges>((sum, observation) => {
    const known = sum[observation.class]
    const added = gaugeOf(observation)
    return { ...sum, [observation.class]: known === undefined ? added : mergeGauges(known, added) }
  }, gauges)
}

/** An answer with none of the three fields changes no number, and makes nothing look newer. */
export const hasField = ({ limit, remaining, resetAtSeconds }: Observation): boolean =>
  (limit ?? remaining ?? resetAtSeconds) !== undefined

function gaugeOf(observation: Observation): Gauge {
  const { limit, resetAtSeconds, servedAtSeconds: atSeconds, assumed, notes } = observation
  if (!hasField(observation)) return { windows: {}, silent: [atSeconds] }
  const entry = entryOf(observation)
  return {
    ...(limit === undefined ? {} : { limit: { value: limit, atSeconds } }),
    seen: { atSeconds, assumed, notes: notes.toSorted() },
    ...(resetAtSeconds === undefined
      ? { windows: {}, ...(entry && { loose: entry }) }
      : {
          windows: { [resetAtSeconds]: entriesWith(limit, entry) },
        }),
  }
}

const entryOf = ({ remaining, servedAtSeconds: atSeconds }: Observation): Entry | undefined =>
  remaining === undefined ? undefined : { remaining, atSeconds }

/** One answer without a report may be an exception; so many in a row are not. */
const SILENT_ANSWERS = 3

function mergeGauges(a: Gauge, b: Gauge): Gauge {
  const limit = laterOf(a.limit, b.limit, (x, y) => ({ ...x, value: Math.min(x.value, y.value) }))
  const loose = laterOf(a.loose, b.loose, lower)
  const seen = laterOf(a.seen, b.seen, (x, y) => ({
    atSeconds: x.atSeconds,
    assumed: x.assumed || y.assumed,
    notes: [...new Set([...x.notes, ...y.notes])].toSorted(),
  }))
  const silent = newestOf(a.silent, b.silent)
  return {
    ...(limit && { limit }),
    windows: mergeWindows(a.windows, b.windows),
    ...(loose && { loose }),
    ...(seen && { seen }),
    ...(silent.length > 0 && { silent }),
  }
}

const newestOf = (a: readonly number[] = [], b: readonly number[] = []): number[] =>
  [...new Set([...a, ...b])].toSorted((x, y) => y - x).slice(0, SILENT_ANSWERS)

function mergeWindows(a: Windows, b: Windows): Windows {
  const all: Windows = {}
  for (const [reset, entries] of [...Object.entries(a), ...Object.entries(b)])
    all[reset] = mergeEntries(all[reset], entries)
  const resets = Object.keys(all).map(Number)
  const oldest = Math.max(...resets) - SAME_RESET_SECONDS
  const before = Math.max(...resets.filter((reset) => reset < oldest))
  return Object.fromEntries(
    Object.entries(all).filter(([reset]) => Number(reset) >= Math.min(oldest, before)),
  )
}

export interface Window {
  /** `expired`: the reset has passed without a newer answer. `unseen`: no answer reported this class yet. */
  known: 'measured' | 'expired' | 'unseen'
  limit?: number
  /** The limit reported before this one, until the reset of the first window that has this one. */
  limitBefore?: number
  /** As reported; absent unless measured. Below zero means over the limit by that much. */
  remaining?: number
  /** Milliseconds until the window is over: one second after its reset, which is in whole seconds. */
  resetInMs?: number
  /** Milliseconds since the newest answer with a report. */
  ageMs?: number
  /** Milliseconds since the newest answer without a report; absent if one with a report came later. */
  silentMs?: number
  /** More remains than the limit: shown as reported, but not believed. */
  inconsistent: boolean
  assumed: boolean
  notes: readonly RateNote[]
}

/** Reads a gauge at a given time of the service, in milliseconds. Needs no timer. */
export function windowAt(gauge: Gauge | undefined, serviceNowMs: number): Window {
  if (gauge === undefined) return { known: 'unseen', inconsistent: false, assumed: false, notes: [] }
  const { newest, before } = windowsOf(gauge)
  const resetAtSeconds = newestReset(gauge)
  const overAtMs = (resetAtSeconds + 1) * 1000
  // Without any reset, the time is minus infinity.
  const open = isOpen(gauge, overAtMs, serviceNowMs)
  const entry = open ? newestEntry(newest) : undefined
  const loose = looseEntry(gauge, resetAtSeconds, open, serviceNowMs)
  const remaining = least(entry?.remaining, loose?.remaining)
  const limits = limitsOf(gauge, entry, open ? [newest, before] : [])
  return {
    known: open || remaining !== undefined ? 'measured' : knownBefore(gauge),
    ...limits,
    ...(remaining !== undefined && { remaining }),
    ...(open && { resetInMs: overAtMs - serviceNowMs }),
    ...agesOf(gauge, serviceNowMs),
    inconsistent: isInconsistent(remaining, limits.limit),
    ...remarksOf(gauge),
  }
}

const newestReset = ({ windows }: Gauge): number => Math.max(...Object.keys(windows).map(Number))

/** The newest window, which may have several resets, and the one before. */
function windowsOf(gauge: Gauge): Record<'newest' | 'before', Windows> {
  const oldest = newestReset(gauge) - SAME_RESET_SECONDS
  const some = (isNewest: boolean) =>
    Object.fromEntries(
      Object.entries(gauge.windows).filter(([reset]) => Number(reset) >= oldest === isNewest),
    )
  return { newest: some(true), before: some(false) }
}

/** The limit, and the one reported before it in the same window or the previous one. */
function limitsOf(
  gauge: Gauge,
  entry: { limit?: number } | undefined,
  windows: readonly Windows[],
): Pick<Window, 'limit' | 'limitBefore'> {
  const limit = entry?.limit ?? gauge.limit?.value
  if (limit === undefined) return {}
  const [before] = windows.flatMap((one) => {
    const others = namedEntries(one).filter((entry) => entry.limit !== limit)
    return others.toSorted((a, b) => b.atSeconds - a.atSeconds)
  })
  return { limit, ...(before && { limitBefore: before.limit }) }
}

function agesOf({ seen, silent = [] }: Gauge, serviceNowMs: number): Pick<Window, 'ageMs' | 'silentMs'> {
  const [newest] = silentSince(seen, silent)
  const since = (seconds: number): number => Math.max(0, serviceNowMs - seconds * 1000)
  return {
    ...(seen && { ageMs: since(seen.atSeconds) }),
    ...(newest !== undefined && { silentMs: since(newest) }),
  }
}

const silentSince = (seen: Gauge['seen'], silent: readonly number[]): number[] =>
  silent.filter((atSeconds) => atSeconds > (seen?.atSeconds ?? -Infinity))

function remarksOf({ seen, silent = [] }: Gauge): Pick<Window, 'assumed' | 'notes'> {
  const isSilent = silentSince(seen, silent).length === SILENT_ANSWERS
  const notes = [...(seen?.notes ?? []), ...(isSilent ? ['not_reported' as const] : [])]
  return { assumed: seen?.assumed ?? false, notes }
}

/** An answer from the future means that our clock was set back; the next answer shows how far. */
const isOpen = ({ seen }: Gauge, overAtMs: number, serviceNowMs: number): boolean =>
  serviceNowMs < overAtMs && ((seen?.atSeconds ?? 0) - 60) * 1000 <= serviceNowMs

/** For a class without an open window. */
const knownBefore = ({ windows, loose }: Gauge): Window['known'] =>
  loose !== undefined || Object.keys(windows).length > 0 ? 'expired' : 'unseen'

const isInconsistent = (remaining = 0, limit = Infinity): boolean => remaining > limit

/** The report without a reset holds for a minute (8.2), if it is no older than the one with a reset. */
function looseEntry(
  { loose }: Gauge,
  resetAtSeconds: number,
  open: boolean,
  serviceNowMs: number,
): Entry | undefined {
  if (loose === undefined || Math.abs(serviceNowMs - loose.atSeconds * 1000) >= 61_000) return undefined
  const beganAfterSeconds = open ? resetAtSeconds - 61 : resetAtSeconds
  return loose.atSeconds > beganAfterSeconds ? loose : undefined
}

/** The last report of a class said that none are left, however long ago. */
export function wasUsedUp(gauge: Gauge | undefined): boolean {
  if (gauge === undefined) return false
  return [newestEntry(windowsOf(gauge).newest), gauge.loose].some(
    (entry) => entry !== undefined && entry.remaining <= 0,
  )
}

const least = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)

/** Counts requests in flight. @returns milliseconds to wait; `undefined` if one more may be sent now */
export function waitFor(window: Window, inFlight: number): number | undefined {
  if (window.remaining === undefined || window.remaining - inFlight > 0) return undefined
  return window.resetInMs ?? Math.max(0, 61_000 - (window.ageMs ?? 0))
}
