/** The three ways in which a limit can be reached (8.3, 8.4.3), and the wait that an answer asks for. */
import { parseHttpDate } from './clock.ts'

/** The minute; the month, which is only ever suspected, since its answer is not shown (8.3); or a limit that is not named. */
export type RefusalCode = 'rate_limited' | 'month_suspected' | 'limit_unknown'

/** Whether a code is that of a limit. */
export const isRefusalCode = (code: unknown): code is RefusalCode =>
  code === 'rate_limited' || code === 'month_suspected' || code === 'limit_unknown'

/**
 * Reads `Retry-After` (RFC 9110 10.2.3): seconds, or a date in any of the three forms.
 * @returns milliseconds from `serviceNowMs`, 0 for a date that has passed; `undefined` when it is missing or unreadable.
 */
export function readRetryAfter(headers: Pick<Headers, 'get'>, serviceNowMs: number): number | undefined {
  const text = headers.get('Retry-After') ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const dateMs = parseHttpDate(text)
  return dateMs === undefined ? undefined : Math.max(0, dateMs - serviceNowMs)
}
