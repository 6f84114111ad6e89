/** The minute as a window for each class: a fold over the observations, and its value at a time (8.2). */
import { MINUTE_MS, SECOND_MS } from './duration.ts'
import type { WindowSnapshot } from './quota.ts'
import type { Observation, RequestClass } from './rate-limit.ts'

/** Resets at most this far apart are the same: they are in whole seconds, and may have been delays. */
const SAME_RESET_SECONDS = 2

/** The least remaining, and when it was last reported. */
interface Remaining {
  remaining: number
  atSeconds: number
}

/** All answers that named one reset and one limit. */
interface Report {
  resetAtSeconds: number
  limit?: number
  remaining?: number
  atSeconds: number
}

/** The state of one class of one token: the sum of its observations, in any order and with repetitions. */
export interface Gauge {
  limit?: { value: number; atSeconds: number }
  /** Of the newest window, which may have several resets. */
  reports: readonly Report[]
  /** A remaining that was reported without a reset. */
  loose?: Remaining
  /** The time of the newest answer that reported this class. */
  seenAtSeconds: number
}

export type Gauges = { readonly [Class in RequestClass]?: Gauge }

/** An answer with none of the three fields changes nothing, and makes nothing look newer. */
export const hasField = ({ limit, remaining, resetAtSeconds }: Observation): boolean =>
  (limit ?? remaining ?? resetAtSeconds) !== undefined

/** Adds observations: commutative, associative, idempotent, so that answers may arrive in any order. */
export function fold(gauges: Gauges, observations: readonly Observation[]): Gauges {
  return observations.filter(hasField).reduce<Gauges>((sum, observation) => {
    const known = sum[observation.class]
    const added = gaugeOf(observation)
    return { ...sum, [observation.class]: known === undefined ? added : merge(known, added) }
  }, gauges)
}

function gaugeOf({ limit, remaining, resetAtSeconds, servedAtSeconds: atSeconds }: Observation): Gauge {
  const isLoose = resetAtSeconds === undefined
  const left = remaining !== undefined && { ...(limit !== undefined && { limit }), remaining }
  return {
    ...(limit !== undefined && { limit: { value: limit, atSeconds } }),
    // A limit without a remaining says nothing about the window.
    reports: isLoose ? [] : [{ resetAtSeconds, atSeconds, ...left }],
    ...(isLoose && remaining !== undefined && { loose: { remaining, atSeconds } }),
    seenAtSeconds: atSeconds,
  }
}

function merge(a: Gauge, b: Gauge): Gauge {
  const limit = later(a.limit, b.limit, (x, y) => ({ ...x, value: Math.min(x.value, y.value) }))
  const loose = later(a.loose, b.loose, (x, y) => ({ ...x, remaining: Math.min(x.remaining, y.remaining) }))
  return {
    ...(limit && { limit }),
    reports: sum([...a.reports, ...b.reports]),
    ...(loose && { loose }),
    seenAtSeconds: Math.max(a.seenAtSeconds, b.seenAtSeconds),
  }
}

/** The later report; of two in the same second, what `both` makes of them. */
function later<T extends { atSeconds: number }>(
  a: T | undefined,
  b: T | undefined,
  both: (a: T, b: T) => T,
): T | undefined {
  if (a === undefined || b === undefined) return a ?? b
  if (a.atSeconds === b.atSeconds) return both(a, b)
  return a.atSeconds > b.atSeconds ? a : b
}

/** One report for each reset of the newest window and each limit, in their order. */
function sum(reports: readonly Report[]): Report[] {
  const oldest = newestReset(reports) - SAME_RESET_SECONDS
  const sums = new Map<string, Report>()
  for (const report of reports.filter(({ resetAtSeconds }) => resetAtSeconds >= oldest)) {
    const name = `${report.resetAtSeconds} ${report.limit ?? ''}`
    sums.set(name, lower(report, sums.get(name)))
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, report]) => report)
}

function lower(report: Report, other: Report = report): Report {
  const remaining = least(report.remaining, other.remaining)
  const atSeconds = Math.max(report.atSeconds, other.atSeconds)
  return { ...report, ...(remaining !== undefined && { remaining }), atSeconds }
}

const least = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)

/** Minus infinity without any. */
const newestReset = (reports: readonly Report[]): number =>
  Math.max(...reports.map(({ resetAtSeconds }) => resetAtSeconds))

/** All but the requests in flight, which are in the ledger. */
export type Window = Omit<WindowSnapshot, 'in_flight'>

/** An answer from the future: a clock was ahead of the service's time. */
export const isOfFuture = ({ seenAtSeconds }: Gauge, serviceNowMs: number): boolean =>
  seenAtSeconds * SECOND_MS - MINUTE_MS > serviceNowMs

/** Reads a gauge at a given time of the service, in milliseconds. Needs no timer. */
export function windowAt(gauge: Gauge | undefined, serviceNowMs: number): Window {
  if (gauge === undefined) return { known: 'unseen' }
  const overAtMs = (newestReset(gauge.reports) + 1) * 1000
  const seenAtMs = gauge.seenAtSeconds * 1000
  const isOpen = serviceNowMs < overAtMs && !isOfFuture(gauge, serviceNowMs)
  const numbers = numbersAt(gauge, isOpen, serviceNowMs)
  return {
    known: isOpen || numbers.remaining !== undefined ? 'measured' : knownBefore(gauge),
    ...numbers,
    ...(isOpen && { reset_in_ms: Math.ceil(overAtMs - serviceNowMs) }),
    age_ms: Math.max(0, Math.floor(serviceNowMs - seenAtMs)),
  }
}

function numbersAt(gauge: Gauge, isOpen: boolean, atMs: number): Pick<Window, 'limit' | 'remaining'> {
  const newest = isOpen ? newestOf(gauge.reports) : undefined
  const remaining = least(newest?.remaining, looseAt(gauge, isOpen, atMs)?.remaining)
  const limit = newest?.limit ?? gauge.limit?.value
  return { ...(limit !== undefined && { limit }), ...(remaining !== undefined && { remaining }) }
}

const knownBefore = ({ reports, loose }: Gauge): Window['known'] =>
  loose !== undefined || reports.length > 0 ? 'expired' : 'unseen'

/** After a change of the limit the newest report counts. A remaining without a limit belongs to each. */
function newestOf(reports: readonly Report[]): Report | undefined {
  const byLimit = sum(reports.map((report) => ({ ...report, resetAtSeconds: 0 })))
  const unnamed = byLimit.find(({ limit }) => limit === undefined)
  const [newest] = byLimit
    .filter(({ limit }) => limit !== undefined)
    .toSorted(
      (a, b) =>
        b.atSeconds - a.atSeconds ||
        (a.remaining ?? 0) - (b.remaining ?? 0) ||
        (a.limit ?? 0) - (b.limit ?? 0),
    )
  return newest && unnamed ? lower(newest, unnamed) : (newest ?? unnamed)
}

/** A report without a reset holds for a minute (8.2), and a second more: its time is in whole seconds. */
const LOOSE_MS = 61_000

/** The report without a reset holds, if it is no older than the one with a reset. */
function looseAt({ loose, reports }: Gauge, isOpen: boolean, serviceNowMs: number): Remaining | undefined {
  if (loose === undefined || Math.abs(serviceNowMs - loose.atSeconds * 1000) >= LOOSE_MS) return undefined
  const beganAfterSeconds = newestReset(reports) - (isOpen ? 61 : 0)
  return loose.atSeconds > beganAfterSeconds ? loose : undefined
}

/** The last report of a class said that none are left, however long ago. */
export const wasUsedUp = (gauge: Gauge | undefined): boolean =>
  gauge !== undefined &&
  [newestOf(gauge.reports), gauge.loose].some((report) => (report?.remaining ?? Infinity) <= 0)

/** Milliseconds until a measured window ends: one second after its reset, or after a minute. */
export const windowEndsInMs = ({ reset_in_ms: resetInMs, age_ms: ageMs = 0 }: Window): number =>
  resetInMs ?? Math.max(0, LOOSE_MS - ageMs)

/** Counts requests in flight. @returns milliseconds to wait; `undefined` if one more may be sent now */
export function waitFor(window: Window, inFlight: number): number | undefined {
  const { known, remaining = Infinity } = window
  return known === 'measured' && remaining <= inFlight ? windowEndsInMs(window) : undefined
}
