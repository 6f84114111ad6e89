/** `GET /bff/quota`: all that is known of the quota, as one snapshot. Times are delays, so the browser's clock does not matter. */
import { isJsonObject } from './json.ts'
import type { PlanName } from './plan.ts'
import { Problem } from './problem.ts'
import type { RateNote, RequestClass } from './rate-limit.ts'
import type { RefusalCode } from './refusal.ts'

/** One class of the minute (8.2). */
export interface WindowSnapshot {
  /** How it is known: told by an answer; told, but its reset has passed since; or never told. */
  known: 'measured' | 'expired' | 'unseen'
  limit?: number
  /** Only when measured. As the service told it: below zero means over by that much. */
  remaining?: number
  reset_in_ms?: number
  /** How long ago the newest answer told of it. */
  age_ms?: number
  /** Requests that were sent and not answered yet; `remaining` does not have them. */
  in_flight: number
  inconsistent: boolean
  /** The answer did not say which class it describes (8.4.4). */
  assumed: boolean
  notes: readonly RateNote[]
}

/** The month (8.3), by our own ledger: requests of this app, not those of others in the organization. */
export interface MonthSnapshot {
  low: number
  high: number
  /** Absent on Business (unlimited), and while the plan is not known. */
  limit?: number
  /** Guessed from the minute limits seen; absent until then. */
  plan?: PlanName
  /** The reset lies between these two delays: its time zone is not shown (8.3). */
  resets_in_ms: { earliest: number; latest: number }
}

/** A limit that was reached: what is not sent, and for how long. */
export interface Pause {
  code: RefusalCode
  /** Absent where the pause is for the whole organization. */
  class?: RequestClass
  ends_in_ms: number
  reasons: readonly string[]
}

export interface QuotaSnapshot {
  read: WindowSnapshot
  update: WindowSnapshot
  month: MonthSnapshot
  pauses: readonly Pause[]
}

/** The mirror for the web: @throws Problem `unexpected_reply` for anything that is not a snapshot. */
export function parseQuota(body: unknown): QuotaSnapshot {
  const whole =
    isJsonObject(body) &&
    ['read', 'update', 'month'].every((name) => isJsonObject(body[name])) &&
    Array.isArray(body['pauses'])
  if (!whole) throw new Problem('unexpected_reply')
  return body as unknown as QuotaSnapshot
}
