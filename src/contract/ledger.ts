/** `GET /bff/ledger` and the paths below it: this app's requests of the organization's month (8.3). */
import { ASSUMED, type Counts } from './assumptions.ts'
import type { Interval, Outcome, RequestKind } from './month.ts'
import type { Reading } from './readings.ts'

export interface LedgerEntry {
  /** The service's time, RFC 3339. */
  at: string
  kind: RequestKind
  initiator: 'sign_in' | 'person' | 'call'
  /** `another`: another person of the organization, or the same person by another sign-in. */
  by: 'you' | 'another'
  /** The name of the browser that sent it; absent if unknown. */
  browser?: string
  outcome: Outcome
  /** Status of the answer; absent without one. */
  status?: number
  counts: Counts
}

/** A page of the ledger, newest first. */
export interface LedgerPage {
  entries: LedgerEntry[]
  /** Send this as `next` to get the entries after these; absent on the last page. */
  next?: string
}

/** The requests of one day of UTC and one kind that count in the month. */
export interface LedgerDay extends Interval {
  /** For example `2026-11-21`. */
  day: string
  kind: RequestKind
}

/** `GET /bff/ledger/days`, `GET /watch/days/{id}`: what the chart is drawn from. */
export interface LedgerDays {
  days: LedgerDay[]
  readings: Pick<Reading, 'count' | 'read_at'>[]
}

/** The requests of all browsers of one name that count in the month. */
export interface LedgerBrowser extends Interval {
  /** Absent: of browsers whose name is unknown. */
  browser?: string
}

/** The name with the most requests first, and those without a name last. */
export interface LedgerBrowsers {
  browsers: LedgerBrowser[]
}

export const REQUEST_KINDS = Object.keys(ASSUMED.counts_in_month) as RequestKind[]

/** The day of UTC, as `2026-11-21`. */
export const utcDayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)
