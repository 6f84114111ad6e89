/** The minute between two snapshots: the newest one and later reports of the page's own answers (8.4.2). */
import { SERVICE_TIME_HEADER, TOKEN_HEADER } from './api.ts'
import { isFromCache } from './clock.ts'
import { fold, hasField, type Window, windowAt } from './gauge.ts'
import type { QuotaSnapshot, WindowSnapshot } from './quota.ts'
import {
  attribute,
  type Observation,
  observeRecord,
  type RequestClass,
  readRateHeaders,
} from './rate-limit.ts'

/** The report of one answer of `/api`. */
export interface ReportedAnswer {
  /** The name of the token, as in the snapshot. */
  token: string
  observations: readonly Observation[]
  /** The service's time when the bff answered, and the page's time of receipt; milliseconds. */
  serviceMs: number
  atMs: number
}

/**
 * Reads an answer to a GET of `/api`; `undefined` if it came from a cache, or without our headers.
 * @param atMs the page's time of receipt, by a monotonic clock
 * @param record the body of a success of `GET /rate_limit`
 */
export function readAnswer(headers: Headers, atMs: number, record?: unknown): ReportedAnswer | undefined {
  const token = headers.get(TOKEN_HEADER)
  const serviceMs = Date.parse(headers.get(SERVICE_TIME_HEADER) ?? '')
  if (token === null || Number.isNaN(serviceMs) || isFromCache(headers)) return undefined
  const atSeconds = Math.floor(serviceMs / 1000)
  const seen = attribute(readRateHeaders(headers, atSeconds), 'read', atSeconds)
  const observations = [seen, ...observeRecord(record, atSeconds)].filter(hasField)
  return { token, observations, serviceMs, atMs }
}

/**
 * Adds the answers of the snapshot's token, in any order and with repetitions, by the fold that the bff uses.
 * @returns the snapshot as of its receipt; a window that was reported later has a negative age
 */
export function withAnswers(
  { snapshot, atMs }: { snapshot: QuotaSnapshot; atMs: number },
  answers: readonly ReportedAnswer[],
): QuotaSnapshot {
  const own = answers.filter(({ token }) => token === snapshot.token)
  if (own.length === 0) return snapshot
  // The answer with the shortest transit shows the service's clock best.
  const aheadMs = Math.max(...own.map((answer) => answer.serviceMs - answer.atMs))
  const nowMs = Math.max(atMs, ...own.map((answer) => answer.atMs))
  const times = { atMs: atMs + aheadMs, nowMs: nowMs + aheadMs }
  const observations = own.flatMap((answer) => answer.observations)
  const withReports = (of: RequestClass): WindowSnapshot => {
    const reports = observations.filter((observation) => observation.class === of)
    return reports.length === 0 ? snapshot[of] : addReports(of, snapshot[of], reports, times)
  }
  return { ...snapshot, read: withReports('read'), update: withReports('update') }
}

/** @param times the service's times of receipt of the snapshot and of the newest answer */
function addReports(
  of: RequestClass,
  known: WindowSnapshot,
  reports: readonly Observation[],
  { atMs, nowMs }: { atMs: number; nowMs: number },
): WindowSnapshot {
  const gauges = fold({}, [observationOf(of, known, atMs), ...reports])
  const merged = windowSnapshot(windowAt(gauges[of], nowMs), known.in_flight)
  const { reset_in_ms: resetInMs, age_ms: ageMs } = merged
  return {
    ...merged,
    ...(resetInMs !== undefined && { reset_in_ms: resetInMs + nowMs - atMs }),
    ...(ageMs !== undefined && { age_ms: ageMs - nowMs + atMs }),
  }
}

/** The window as if one answer had reported it. @param atMs the service's time of its receipt */
function observationOf(
  of: RequestClass,
  { known, limit, remaining, reset_in_ms: resetInMs, age_ms: ageMs = 0 }: WindowSnapshot,
  atMs: number,
): Observation {
  const servedAtSeconds = Math.round((atMs - ageMs) / 1000)
  const resetAtSeconds = resetInMs === undefined ? undefined : Math.round((atMs + resetInMs) / 1000) - 1
  return {
    class: of,
    servedAtSeconds,
    ...(limit !== undefined && { limit }),
    ...(remaining !== undefined && { remaining }),
    ...(resetAtSeconds !== undefined && { resetAtSeconds }),
    // Any reset in the past will do.
    ...(known === 'expired' && { resetAtSeconds: servedAtSeconds - 1 }),
  }
}

/** A window in the form of the snapshot, with times in whole milliseconds. */
export const windowSnapshot = (
  { resetInMs, ageMs, ...window }: Window,
  inFlight: number,
): WindowSnapshot => ({
  ...window,
  ...(resetInMs !== undefined && { reset_in_ms: Math.ceil(resetInMs) }),
  ...(ageMs !== undefined && { age_ms: Math.floor(ageMs) }),
  in_flight: inFlight,
})
