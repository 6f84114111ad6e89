/** `GET /bff/quota`: all that is known of the quota, as one snapshot. Times are delays, so the browser's clock does not matter. */
import { count, countTo, flag, integer, listOf, members, oneOf, type Reader, text } from './json.ts'
import type { PlanName } from './plan.ts'
import { readReply } from './problem.ts'
import type { RateNote, RequestClass } from './rate-limit.ts'
import type { RefusalCode } from './refusal.ts'

/** One class of the minute (8.2). */
export interface WindowSnapshot {
  /** How it is known: reported by an answer; reported, but its reset has passed since; or never reported. */
  known: 'measured' | 'expired' | 'unseen'
  limit?: number
  /** Only when measured. As the service reported it: below zero means over by that much. */
  remaining?: number
  reset_in_ms?: number
  /** Milliseconds since the newest answer that reported it. */
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

export const rateNote: Reader<RateNote> = oneOf([
  'reset_in_milliseconds',
  'reset_as_delay',
  'reset_far',
  'long_window',
])
export const refusalCode: Reader<RefusalCode> = oneOf(['rate_limited', 'month_suspected', 'limit_unknown'])

const readWindow = members(
  {
    known: oneOf(['measured', 'expired', 'unseen']),
    in_flight: count,
    inconsistent: flag,
    assumed: flag,
    notes: listOf(rateNote),
  },
  { limit: count, remaining: integer, reset_in_ms: count, age_ms: count },
)

/** A month is over within 31 days, wherever it begins; more is no date that can be shown. */
const delayToReset = countTo(33 * 86_400_000)

const readMonth = members(
  { low: count, high: count, resets_in_ms: members({ earliest: delayToReset, latest: delayToReset }, {}) },
  { limit: count, plan: oneOf(['business', 'standard']) },
)

const readPause = members(
  { code: refusalCode, ends_in_ms: count, reasons: listOf(text) },
  { class: oneOf(['read', 'update']) },
)

const readSnapshot = members(
  { read: readWindow, update: readWindow, month: readMonth, pauses: listOf(readPause) },
  {},
)

/** Reads the answer of `GET /bff/quota`. @throws Problem `unexpected_reply` for anything that is not a snapshot */
export const parseQuota = (body: unknown): QuotaSnapshot =>
  readReply((value) => {
    const snapshot = readSnapshot(value)
    if (snapshot.month.low > snapshot.month.high) throw new TypeError('expected low to be at most high')
    return snapshot
  }, body)
