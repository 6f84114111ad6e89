/** `GET /bff/ledger` and the paths below it: this app's requests of the organization's month (8.3). */
import { ASSUMED, COUNTS, type Counts } from './assumptions.ts'
import { count, listOf, members, oneOf, type Reader, text, time } from './json.ts'
import type { Outcome, RequestKind } from './month.ts'
import { readReply } from './problem.ts'

export interface LedgerEntry {
  /** The service's time, RFC 3339. */
  at: string
  kind: RequestKind
  initiator: (typeof INITIATORS)[number]
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

/** Requests of one day of UTC and one kind. */
export interface LedgerDay {
  /** For example `2026-11-21`. */
  day: string
  kind: RequestKind
  /** The number that counts in the month lies between these. */
  low: number
  high: number
}

export interface LedgerDays {
  days: LedgerDay[]
}

/** Requests of all browsers of one name. */
export interface LedgerBrowser {
  /** Absent: of browsers whose name is unknown. */
  browser?: string
  /** The number that counts in the month lies between these. */
  low: number
  high: number
}

/** The name with the most requests first, and those without a name last. */
export interface LedgerBrowsers {
  browsers: LedgerBrowser[]
}

export const INITIATORS = ['sign_in', 'person', 'call'] as const
export const OUTCOMES = ['reserved', 'settled', 'void', 'uncertain'] as const satisfies readonly Outcome[]
export const REQUEST_KINDS = Object.keys(ASSUMED.counts_in_month) as RequestKind[]

const kind = oneOf(REQUEST_KINDS)
/** The day of UTC, as `2026-11-21`. */
export const utcDayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)

/** A day, as `2026-11-21`. */
export const utcDay: Reader<string> = (value) => time(`${text(value)}T00:00:00Z`).slice(0, 10)

const readEntry = members(
  {
    at: time,
    kind,
    initiator: oneOf(INITIATORS),
    by: oneOf(['you', 'another']),
    outcome: oneOf(OUTCOMES),
    counts: oneOf(COUNTS),
  },
  { status: count, browser: text },
)

/** @throws Problem `unexpected_reply` */
export const parseLedger = (body: unknown): LedgerPage =>
  readReply(members({ entries: listOf(readEntry) }, { next: text }), body)

/** @throws Problem `unexpected_reply` */
export const parseLedgerDays = (body: unknown): LedgerDays =>
  readReply(members({ days: listOf(members({ day: utcDay, kind, low: count, high: count }, {})) }, {}), body)

/** @throws Problem `unexpected_reply` */
export const parseLedgerBrowsers = (body: unknown): LedgerBrowsers =>
  readReply(members({ browsers: listOf(members({ low: count, high: count }, { browser: text })) }, {}), body)
