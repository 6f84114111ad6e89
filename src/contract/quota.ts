/** `GET /bff/quota`, `GET /bff/events`: the quota as delays, so the browser's clock does not matter. */
import type { Interval } from './month.ts'
import type { PlanName } from './plan.ts'
import type { PriceFacts } from './price.ts'
import type { RequestClass } from './rate-limit.ts'
import type { Reason } from './reason.ts'
import type { RefusalCode } from './refusal.ts'

/** One class of the minute (8.2). */
export interface WindowSnapshot {
  /** An answer has reported it; its reset has passed since; or no answer has reported it. */
  known: 'measured' | 'expired' | 'unseen'
  limit?: number
  /** As the service reported it; absent unless measured. Below zero means over the limit by that much. */
  remaining?: number
  reset_in_ms?: number
  /** Milliseconds since the newest answer with a report. */
  age_ms?: number
  /** Requests without an answer yet; `remaining` does not include them. */
  in_flight: number
}

/** The month (8.3). `low` and `high` come from our own ledger: only requests of this app. */
export interface MonthSnapshot extends Interval {
  /** Absent on Business (unlimited), and while the plan is unknown. */
  limit?: number
  /** Guessed from the observed minute limits; absent until then. */
  plan?: PlanName
  /** The reset lies between these two delays: its time zone is not shown (8.3). */
  resets_in_ms: { earliest: number; latest: number }
  /** The month has ended in some zones but not in all, so the count may have been reset. */
  may_have_reset: boolean
  /** The newest reading and the requests after it. Absent without one of this month. */
  organization?: OrganizationCount
  /** Set from a refusal that seems to mean the month, until a success or a reset in every zone. */
  suspected?: Suspicion
  /** The reason why a new reading would help; absent if it would not. */
  reading_wanted?: ReadingWanted
  /** Requests a day that leave the reserve at the reset; absent without a limit. */
  allowance_per_day?: number
  /** Absent without a limit. */
  forecast?: Forecast
  /** Requests at the end that only a person's presses, or only sign-ins, may use. Absent without a limit. */
  reserve?: { person: number; sign_in: number }
}

export interface OrganizationCount extends Interval {
  reading_age_ms: number
}

export interface Suspicion {
  age_ms: number
  reasons: readonly Reason[]
}

/**
 * There is no reading; it is old (5 days); since then half or four fifths of the month were used, or all but
 * a reserve; a refusal seems to mean the month; the number is below our own.
 */
export type ReadingWanted = 'none' | 'old' | 'half' | 'four_fifths' | 'reserve' | 'suspected' | 'below_own'

/**
 * The state at the reset by the present pace. `under`, `over`: it uses fewer or more requests, by
 * `difference`, than the limit without the reserve. `runs_out`: it uses the whole limit in `runs_out_in_ms`,
 * before the reset. `stale`: the newest reading is too old for a forecast of the organization.
 */
export interface Forecast {
  state: 'too_early' | 'on_pace' | 'under' | 'over' | 'runs_out' | 'used_up' | 'stale'
  /** Less than a tenth of the month has passed. */
  early: boolean
  difference?: number
  runs_out_in_ms?: number
}

/** A pause after a limit was reached. */
export interface Pause {
  code: RefusalCode
  /** Absent if the pause is for the whole organization. */
  class?: RequestClass
  ends_in_ms: number
  reasons: readonly Reason[]
}

/**
 * A request of this app to the service. A sign-in is one, however many requests it needs, and a read includes
 * the refresh that it needed.
 */
export interface RecentRequest {
  /** Of its entry in the ledger. */
  id: string
  age_ms: number
  kind: 'sign_in' | 'read' | 'check' | 'refresh'
  /** As in the ledger. */
  by: 'you' | 'another'
  /** Refused, or without an answer. */
  failed: boolean
}

export interface QuotaSnapshot extends PriceFacts {
  /** Of the stored versions: a restored database has another one. */
  epoch?: string
  /** A snapshot with a higher number includes all changes of one with a lower number, of the same epoch. */
  version: number
  /** The name of the token or key whose minute it is. It gives no access. */
  token: string
  read: WindowSnapshot
  update: WindowSnapshot
  month: MonthSnapshot
  pauses: readonly Pause[]
  /** The last requests of the organization, at most three, newest first. */
  recent?: readonly RecentRequest[]
}
