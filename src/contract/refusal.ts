/** The three ways in which a limit can be reached (8.3, 8.4.3), and the wait that an answer asks for. */
import { parseHttpDate, readDate } from './clock.ts'

/** The minute; the month, which is only ever suspected, since its answer is not shown (8.3); or a limit that is not named. */
export type RefusalCode = 'rate_limited' | 'month_suspected' | 'limit_unknown'

/** Whether a code is that of a limit. */
export const isRefusalCode = (code: unknown): code is RefusalCode =>
  code === 'rate_limited' || code === 'month_suspected' || code === 'limit_unknown'

/** How far what is known of the service's clock may be ahead of it: its `Date` has no parts of a second. */
const ROUNDING_MS = 1000

/**
 * Reads `Retry-After` (RFC 9110 10.2.3): seconds, or a date in any of the three forms, which has come where the service's own
 * clock shows it.
 * @param serviceNowMs the service's time as far as it is known; of the second before it the `Date` of the answer decides
 * @returns milliseconds, 0 for a date that has passed; `undefined` when it is missing or unreadable.
 */
export function readRetryAfter(headers: Pick<Headers, 'get'>, serviceNowMs: number): number | undefined {
  const text = headers.get('Retry-After') ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const dateMs = parseHttpDate(text)
  if (dateMs === undefined) return undefined
  const shownMs = (readDate(headers) ?? Infinity) * 1000
  return Math.max(0, dateMs - Math.max(Math.min(shownMs, serviceNowMs), serviceNowMs - ROUNDING_MS))
}
