/** What a watch link shows without a sign-in: what is left of an organization's quota (docs/security.md). */
import { HOUR_MS, SECOND_MS } from './duration.ts'
import type { Interval } from './month.ts'
import { leftOf } from './month-state.ts'
import type { QuotaSnapshot } from './quota.ts'

/** `GET` and `POST /watch/session/{id}`: the link that this browser has opened. */
export interface Watching {
  name: string
  /** Seconds until the link ends. */
  ends_in: number
}

/** What a link shows: the quota without requests, prices and names. */
export type WatchedQuota = Pick<QuotaSnapshot, 'version' | 'token' | 'read' | 'update' | 'month' | 'pauses'>

/** `GET /watch/quota`: with the subtraction done, for scripts. */
export interface ScriptQuota extends WatchedQuota {
  /** Of the month. At most that much while `month.organization` is absent. Absent without a limit. */
  left?: Interval
}

export function scriptQuotaOf(quota: WatchedQuota): ScriptQuota {
  const { limit } = quota.month
  return limit === undefined ? quota : { ...quota, left: leftOf(quota.month, limit) }
}

const DELAY = /(?:earliest|latest|_in_ms)$/
const AGE = /age_ms$/

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

/** The routes that a watch link opens. All but `quota` are followed by `/` and the id of the link. */
export const WATCH = {
  /** Exchanges the secret for a cookie. */
  session: '/watch/session',
  /** Without an id it is for scripts, which send the secret in `Authorization`. */
  quota: '/watch/quota',
  events: '/watch/events',
  days: '/watch/days',
} as const
