/** The answer to "am I fine?": the one thing about the quota that a person needs to know first. */
import { isLow, isUsedUp, resetOf } from './month-state.ts'
import { pauseOf } from './pause.ts'
import type { MonthSnapshot, QuotaSnapshot } from './quota.ts'
import type { Reason } from './reason.ts'

/** Instants are UNIX milliseconds by the server's clock. */
export interface VerdictWords {
  /** The service refuses for the month, or seems to (8.3). While the month turns, no reset is named. */
  used_up: { resetMs?: number; refusedAgoMs?: number }
  /** Nothing is sent for a while (8.2, 8.4). */
  paused: { endsInMs: number; reasons: readonly Reason[] }
  runs_out: { onMs: number; resetMs: number; isEarly: boolean }
  low: { perDay: number; resetMs: number }
  fine: { perDay: number; resetMs: number }
  /** The service's count of `limit` was entered `ageMs` ago, or never; or no limit is known. */
  unsure: { limit?: number; ageMs?: number; isLow: boolean }
  /** A new month begins within a day, or has begun. */
  turning: object
  unlimited: object
}

export type Verdict = Say<VerdictWords>

/**
 * What stops a person now comes before what may stop a person later.
 * @param atMs when the snapshot came, by the server's clock
 * @param elapsedMs since then
 */
export function verdictOf(snapshot: QuotaSnapshot, atMs: number, elapsedMs = 0): Verdict {
  const month = monthVerdict(snapshot.month, atMs, elapsedMs)
  const pause = month.key === 'used_up' ? undefined : pauseOf(snapshot, elapsedMs)
  if (pause === undefined) return month
  const { endsInMs, reasons } = pause
  return { tone: 'none', key: 'paused', params: { endsInMs, reasons } }
}

/** The same without pauses, which are over soon. */
export function monthVerdict(month: MonthSnapshot, atMs: number, elapsedMs = 0): Verdict {
  const { limit, plan, suspected, organization, may_have_reset: isTurning } = month
  const resetMs = resetOf(month, atMs)
  if (isUsedUp(month)) {
    const refused = suspected && { refusedAgoMs: suspected.age_ms + elapsedMs }
    return { tone: 'none', key: 'used_up', params: { ...(!isTurning && { resetMs }), ...refused } }
  }
  if (limit === undefined)
    return plan === undefined ? unsure(month, {}) : { tone: 'ok', key: 'unlimited', params: {} }
  if (isTurning) return { tone: 'unknown', key: 'turning', params: {} }
  if (organization === undefined) return unsure(month, { limit })
  const ageMs = organization.reading_age_ms + elapsedMs
  return month.forecast?.state === 'stale' ? unsure(month, { ageMs }) : outlook(month, atMs, elapsedMs)
}

function unsure(month: MonthSnapshot, why: { limit?: number; ageMs?: number }): Verdict {
  return { tone: isLow(month) ? 'low' : 'unknown', key: 'unsure', params: { ...why, isLow: isLow(month) } }
}

/** Of a month with a limit and a reading that is new enough. */
function outlook(month: MonthSnapshot, atMs: number, elapsedMs: number): Verdict {
  const { allowance_per_day: perDay = 0, forecast } = month
  const resetMs = resetOf(month, atMs)
  if (forecast?.state === 'runs_out') {
    const onMs = atMs + Math.max(forecast.runs_out_in_ms ?? 0, elapsedMs)
    return { tone: 'low', key: 'runs_out', params: { onMs, resetMs, isEarly: forecast.early } }
  }
  if (isLow(month) || perDay === 0 || forecast?.state === 'over')
    return { tone: 'low', key: 'low', params: { perDay, resetMs } }
  return { tone: 'ok', key: 'fine', params: { perDay, resetMs } }
}

/** Decides colour and shape. */
export type Tone = 'ok' | 'low' | 'none' | 'unknown'

/** @typeParam Words each key, with the values that its words show; instants are the server's, UNIX ms */
export type Say<Words> = { [Key in keyof Words]: { tone: Tone; key: Key; params: Words[Key] } }[keyof Words]
