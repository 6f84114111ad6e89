/** Watch links: each shows what is left of an organization's quota, without a sign-in (docs/security.md). */
import { parseChosenName } from './chosen-name.ts'
import { closedObject } from './closed-object.ts'
import { HOUR_MS, SECOND_MS } from './duration.ts'
import { count, listOf, members, type Reader, text, time } from './json.ts'
import { type LedgerDay, parseLedgerDays } from './ledger.ts'
import { Problem, readReply } from './problem.ts'
import type { QuotaSnapshot } from './quota.ts'
import type { Reading } from './readings.ts'

/** Limit of an organization's open links. */
export const MOST_LINKS = 20
/** A link lives this many days. */
export const LINK_DAYS = { least: 1, most: 365, usual: 30 } as const

/** An item of `GET /bff/watch-links`. It does not open anything. */
export interface WatchLink {
  id: string
  name: string
  /** RFC 3339. */
  made_at: string
  /** RFC 3339. */
  ends_at: string
  /** Absent until it is used. */
  last_use?: LastUse
}

export interface LastUse {
  /** Of UTC: `2026-11-26`. */
  day: string
  /** `Firefox on Linux`. */
  browser: string
}

/** The newest first. */
export interface WatchLinks {
  links: WatchLink[]
}

/** The answer of `POST /bff/watch-links`: the only time that the secret leaves the server. */
export interface MadeLink extends WatchLink {
  secret: string
}

/** The body of `POST /bff/watch-links`. */
export interface LinkRequest {
  name: string
  days: number
}

/** `GET` and `POST /watch/session/{id}`: the link that this browser has opened. */
export interface Watching {
  name: string
  /** Seconds until the link ends. */
  ends_in: number
}

/** What a link shows: the quota without requests, prices and names. */
export type WatchedQuota = Pick<QuotaSnapshot, 'version' | 'token' | 'read' | 'update' | 'month' | 'pauses'>

/** `GET /watch/days/{id}`: what the chart is drawn from. */
export interface WatchedDays {
  days: LedgerDay[]
  readings: Pick<Reading, 'count' | 'read_at'>[]
}

/** @throws Problem `invalid_request` for any other body */
export function parseLinkRequest(body: unknown): LinkRequest {
  const { name: given, days = LINK_DAYS.usual } = closedObject(body, ['name', 'days'])
  const name = parseChosenName(given)
  if (name === '') throw new Problem('invalid_request', { fault: 'name_missing' })
  if (!Number.isInteger(days) || (days as number) < LINK_DAYS.least || (days as number) > LINK_DAYS.most)
    throw new Problem('invalid_request', { fault: 'days_not_in_range' })
  return { name, days: days as number }
}

const DELAY = /^(?:earliest|latest|.*_in_ms)$/
const AGE = /(?:^age|^silent|_age)_ms$/

/**
 * Two answers with the same text say the same (RFC 9110 8.8.1): delays and ages become instants, so time
 * alone changes nothing. A forecast changes all the time, so it is rounded to the hour.
 * @param nowMs the time of the snapshot
 */
export const watchedState = (quota: WatchedQuota, nowMs: number): string =>
  JSON.stringify({ ...quota, version: 0 }, (name, value: unknown) => {
    if (typeof value !== 'number') return value
    const unitMs = name === 'runs_out_in_ms' ? HOUR_MS : SECOND_MS
    if (DELAY.test(name)) return Math.round((nowMs + value) / unitMs)
    return AGE.test(name) ? Math.round((nowMs - value) / unitMs) : value
  })

const lastUse = members({ day: text, browser: text }, {})
const readLink: Reader<WatchLink> = members(
  { id: text, name: text, made_at: time, ends_at: time },
  { last_use: lastUse },
)

/** @throws Problem `unexpected_reply` */
export const parseWatchLinks = (body: unknown): WatchLinks =>
  readReply(members({ links: listOf(readLink) }, {}), body)

/** @throws Problem `unexpected_reply` */
export const parseMadeLink = (body: unknown): MadeLink =>
  readReply((value) => ({ ...readLink(value), ...members({ secret: text }, {})(value) }), body)

/** @throws Problem `unexpected_reply` */
export const parseWatching = (body: unknown): Watching =>
  readReply(members({ name: text, ends_in: count }, {}), body)

/** @throws Problem `unexpected_reply` */
export const parseWatchedDays = (body: unknown): WatchedDays => ({
  ...parseLedgerDays(body),
  ...readReply(members({ readings: listOf(members({ count, read_at: time }, {})) }, {}), body),
})
