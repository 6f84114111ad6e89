/** What is known of the limits: each token's minute (8.2), each organization's plan and months (8.3). */
import { DAY_MS, SECOND_MS } from './duration.ts'
import type { Gauges } from './gauge.ts'
import type { NotedMonth } from './months.ts'
import type { RequestClass } from './rate-limit.ts'
import type { Reason } from './reason.ts'
import type { RefusalCode } from './refusal.ts'

export interface TokenNote {
  gauges: Gauges
  pauses: { readonly [Class in RequestClass]?: StoredPause }
}

export interface OrganizationNote {
  /** The limits of the minute seen with any of its tokens. The plan is guessed from them. */
  limits: { readonly [Class in RequestClass]?: number }
  /** A refusal looked like the monthly limit: until a possible reset only people cause requests. */
  monthPause?: StoredPause
  suspicion?: StoredSuspicion
  refusal?: MonthRefusal | undefined
  months: { readonly [month: string]: NotedMonth }
}

export const NO_TOKEN_NOTE: TokenNote = { gauges: {}, pauses: {} }
export const NO_ORGANIZATION_NOTE: OrganizationNote = { limits: {}, months: {} }

/** After a limit was reached, nothing is sent until the pause ends. */
export interface StoredPause {
  code: RefusalCode
  reasons: readonly Reason[]
  /** The service's time, UNIX milliseconds. */
  untilMs: number
  /** When the service answered so, UNIX seconds. Absent if no answer to this token did. */
  atSeconds?: number
}

/** An answer suggested a used-up month. This holds until a success or the reset in every zone. */
export interface StoredSuspicion {
  reasons: readonly Reason[]
  /** The service's time of the first refusal, UNIX milliseconds. */
  sinceMs: number
  /** Ends by itself then: the service's time, UNIX milliseconds. */
  untilMs: number
}

/** The newest refusal that looks like the monthly limit. A success removes it. */
export interface MonthRefusal {
  /** The service's time, UNIX milliseconds. */
  atMs: number
  limit: number
  /** Nearly as many requests had certainly been counted. */
  isNearLimit: boolean
}

/** A pause that seems longer was stored before the clock was set back. */
const LONGEST_PAUSE_MS: Record<RefusalCode, number> = {
  rate_limited: 70 * SECOND_MS,
  limit_unknown: 70 * SECOND_MS,
  month_suspected: 33 * DAY_MS,
}

/** 0 if there is no pause or it has ended. @param nowMs the service's time */
export function pauseLeftMs(pause: StoredPause | undefined, nowMs: number): number {
  if (pause === undefined) return 0
  const leftMs = Math.max(0, pause.untilMs - nowMs)
  return leftMs <= LONGEST_PAUSE_MS[pause.code] ? leftMs : 0
}

/** `undefined` if the suspicion has ended. @param nowMs the service's time */
export function suspicionAt(
  suspicion: StoredSuspicion | undefined,
  nowMs: number,
): StoredSuspicion | undefined {
  return pauseLeftMs(suspicion && { code: 'month_suspected', ...suspicion }, nowMs) > 0
    ? suspicion
    : undefined
}

/** A success may be stored this long after a refusal that the service sent later. */
const LATE_SECONDS = 60

/** A success ends a pause, unless the refusal is newer. @param servedAtSeconds of the success */
export function isEndedBy(pause: StoredPause | undefined, servedAtSeconds: number): boolean {
  const newerBySeconds = (pause?.atSeconds ?? 0) - servedAtSeconds
  // One that seems much newer was dated by a clock that was ahead.
  return newerBySeconds <= 0 || newerBySeconds > LATE_SECONDS
}

/** A later answer may extend a pause and never shortens it. @param nowMs the service's time */
export const laterPause = (
  known: StoredPause | undefined,
  next: StoredPause | undefined,
  nowMs: number,
): StoredPause | undefined =>
  next === undefined || pauseLeftMs(next, nowMs) < pauseLeftMs(known, nowMs) ? known : next
