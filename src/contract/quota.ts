/** `GET /bff/quota` and the events of `GET /bff/events`: all that is known of the quota, as one snapshot. Times are delays, so the browser's clock does not matter. */
import { DAY_MS } from './duration.ts'
import type { Counts } from './assumptions.ts'
import { count, countTo, flag, integer, listOf, members, oneOf, type Reader, text } from './json.ts'
import type { PlanName } from './plan.ts'
import { readReply } from './problem.ts'
import type { RequestClass } from './rate-limit.ts'
import { RATE_NOTES, type RateNote } from './rate-note.ts'
import { type Reason, readReasons } from './reason.ts'
import type { RefusalCode } from './refusal.ts'

/** One class of the minute (8.2). */
export interface WindowSnapshot {
  /** How it is known: reported by an answer; reported, but its reset has passed since; or never reported. */
  known: 'measured' | 'expired' | 'unseen'
  limit?: number
  /** The other limit that was reported just before, until the reset of the window in which it changed (8). */
  limit_before?: number
  /** Only when measured. As the service reported it: below zero means over by that much. */
  remaining?: number
  reset_in_ms?: number
  /** Milliseconds since the newest answer that reported it. */
  age_ms?: number
  /** Milliseconds since the newest answer that reported nothing of this class, where none that did came after it. */
  silent_ms?: number
  /** Requests that were sent and not answered yet; `remaining` does not have them. */
  in_flight: number
  inconsistent: boolean
  /** The answer did not say which class it describes (8.4.4). */
  assumed: boolean
  notes: readonly RateNote[]
}

/** The month (8.3). `low` and `high` are by our own ledger: requests of this app, not those of others in the organization. */
export interface MonthSnapshot {
  low: number
  high: number
  /** Absent on Business (unlimited), and while the plan is not known. */
  limit?: number
  /** Guessed from the minute limits seen; absent until then. */
  plan?: PlanName
  /** The reset lies between these two delays: its time zone is not shown (8.3). */
  resets_in_ms: { earliest: number; latest: number }
  /** Whether the count may have been reset since the last time that it is known not to have been: between the two delays. */
  may_have_reset: boolean
  /** All requests of the organization, from the newest reading and what came after it; absent without a reading of this month. */
  organization?: OrganizationCount
  /** Present from a refusal that seems to be of the month until a success, or the last instant at which the month may be reset. */
  suspected?: Suspicion
  /** Why a new reading would help; absent while it would not. */
  reading_wanted?: ReadingWanted
  /** Requests a day that can be sent until the reset with the reserve left over; absent without a limit. */
  allowance_per_day?: number
  /** Absent without a limit. */
  forecast?: Forecast
  /** How many of the last requests are only for presses of a person, and only for sign-ins; absent without a limit. */
  reserve?: { person: number; sign_in: number }
}

export interface OrganizationCount {
  low: number
  high: number
  /** Since the newest reading was read. */
  reading_age_ms: number
}

export interface Suspicion {
  /** Since the service refused. */
  age_ms: number
  reasons: readonly Reason[]
}

/**
 * There is none; it is old (5 days); since it half or four fifths of the month were used, or all but a reserve; a refusal that
 * seems to be of the month; a lower number than our own.
 */
export type ReadingWanted = (typeof READING_REASONS)[number]
export const READING_REASONS = [
  'none',
  'old',
  'half',
  'four_fifths',
  'reserve',
  'suspected',
  'below_own',
] as const

/**
 * Where the present pace leads by the reset. `under`, `over`: it uses fewer or more requests, by `difference`, than the limit has
 * without the reserve; `runs_out`: all of the limit, in `runs_out_in_ms`, before the reset; `stale`: the newest reading is too
 * old for a forecast of the organization.
 */
export interface Forecast {
  state: (typeof FORECAST_STATES)[number]
  /** Fewer than a tenth of the month has passed. */
  early: boolean
  difference?: number
  runs_out_in_ms?: number
}
export const FORECAST_STATES = [
  'too_early',
  'on_pace',
  'under',
  'over',
  'runs_out',
  'used_up',
  'stale',
] as const

/** The refresh that a press will need first; absent with an API key. */
export interface RefreshSnapshot {
  /** Until the access token is to be replaced; 0 when it is. */
  due_in_ms: number
  /** Whether it counts in the month. */
  counts: Counts
}

/** A limit that was reached: what is not sent, and for how long. */
export interface Pause {
  code: RefusalCode
  /** Absent where the pause is for the whole organization. */
  class?: RequestClass
  ends_in_ms: number
  reasons: readonly Reason[]
}

export interface QuotaSnapshot {
  /** Of two snapshots the one with the higher number has all that the other has. */
  version: number
  /** Names the token or key whose minute it is; opens nothing. */
  token: string
  refresh?: RefreshSnapshot
  read: WindowSnapshot
  update: WindowSnapshot
  month: MonthSnapshot
  pauses: readonly Pause[]
}

export const rateNote: Reader<RateNote> = oneOf(RATE_NOTES)
export const refusalCode: Reader<RefusalCode> = oneOf(['rate_limited', 'month_suspected', 'limit_unknown'])

const readWindow = members(
  {
    known: oneOf(['measured', 'expired', 'unseen']),
    in_flight: count,
    inconsistent: flag,
    assumed: flag,
    notes: listOf(rateNote),
  },
  {
    limit: count,
    limit_before: count,
    remaining: integer,
    reset_in_ms: count,
    age_ms: count,
    silent_ms: count,
  },
)

/** A month is over within 31 days, wherever it begins; more is no date that can be shown. */
const delayToReset = countTo(33 * DAY_MS)

const interval: Reader<{ low: number; high: number }> = (value) => {
  const read = members({ low: count, high: count }, {})(value)
  if (read.low > read.high) throw new TypeError('expected low to be at most high')
  return read
}

const readOrganization: Reader<OrganizationCount> = (value) => ({
  ...interval(value),
  ...members({ reading_age_ms: count }, {})(value),
})

const readMonthMembers = members(
  {
    resets_in_ms: members({ earliest: delayToReset, latest: delayToReset }, {}),
    may_have_reset: flag,
  },
  {
    limit: count,
    plan: oneOf(['business', 'standard']),
    organization: readOrganization,
    suspected: members({ age_ms: count, reasons: readReasons }, {}),
    reading_wanted: oneOf(READING_REASONS),
    allowance_per_day: count,
    forecast: members(
      { state: oneOf(FORECAST_STATES), early: flag },
      { difference: count, runs_out_in_ms: delayToReset },
    ),
    reserve: members({ person: count, sign_in: count }, {}),
  },
)

const readMonth: Reader<MonthSnapshot> = (value) => ({ ...interval(value), ...readMonthMembers(value) })

const readPause = members(
  { code: refusalCode, ends_in_ms: count, reasons: readReasons },
  { class: oneOf(['read', 'update']) },
)

const readSnapshot = members(
  {
    version: count,
    token: text,
    read: readWindow,
    update: readWindow,
    month: readMonth,
    pauses: listOf(readPause),
  },
  { refresh: members({ due_in_ms: count, counts: oneOf(['yes', 'unknown', 'no']) }, {}) },
)

/** Reads the answer of `GET /bff/quota`, or an event `quota`. @throws Problem `unexpected_reply` for anything that is not a snapshot */
export const parseQuota = (body: unknown): QuotaSnapshot => readReply(readSnapshot, body)
