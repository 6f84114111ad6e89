/** The three kinds of a reached limit (8.3, 8.4.3), and the wait that an answer asks for. */
import { parseHttpDate, readDate } from './clock.ts'

/** The minute; the month, only suspected, since its answer is not shown (8.3); an unnamed limit. */
export type RefusalCode = 'rate_limited' | 'month_suspected' | 'limit_unknown'

export const isRefusalCode = (code: unknown): code is RefusalCode =>
  code === 'rate_limited' || code === 'month_suspected' || code === 'limit_unknown'

/** Our estimate of the service's clock may be ahead by this much, since its `Date` has whole seconds. */
const ROUNDING_MS = 1000

/**
 * `Retry-After` (RFC 9110 10.2.3): seconds, or a date in any of the three forms, by the service's own clock.
 * @param serviceNowMs estimated; within the second before it, the `Date` of the answer decides
 * @returns milliseconds, 0 for a past date; `undefined` if missing or unreadable
 */
export function readRetryAfter(headers: Pick<Headers, 'get'>, serviceNowMs: number): number | undefined {
  const text = headers.get('Retry-After') ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const dateMs = parseHttpDate(text)
  if (dateMs === undefined) return undefined
  const shownMs = (readDate(headers) ?? Infinity) * 1000
  return Math.max(0, dateMs - Math.max(Math.min(shownMs, serviceNowMs), serviceNowMs - ROUNDING_MS))
}
