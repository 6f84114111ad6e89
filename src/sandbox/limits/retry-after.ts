/** The header Retry-After of a refusal over a limit (U64, RFC 9110 10.2.3). */
import { SECOND_MS } from '../../contract/duration.ts'
import type { Choices } from '../choices/choices.ts'
import { reportedNowMs } from '../state/clock.ts'
import type { Context } from '../state/context.ts'

/** @param inSeconds the seconds until the limit is reset, at least 1 */
type WriteRetryAfter = (inSeconds: number, reportedNowMs: number) => string | undefined

const RETRY_AFTER: Record<Choices['retryafter'], WriteRetryAfter> = {
  absent: () => undefined,
  seconds: (inSeconds) => String(inSeconds),
  http_date: (inSeconds, nowMs) => new Date(nowMs + inSeconds * SECOND_MS).toUTCString(),
  zero_or_negative: (inSeconds) => (inSeconds % 2 === 0 ? '0' : '-1'),
  // A client that follows this is refused again: it is before the reset.
  conflicts_with_reset: (inSeconds) => String(Math.max(1, Math.floor(inSeconds / 4))),
}

/** @param resetSeconds UNIX seconds */
export function retryAfter(context: Context, resetSeconds: number): Record<string, string> {
  const inSeconds = Math.max(1, Math.ceil(resetSeconds - context.nowMs / SECOND_MS))
  const value = RETRY_AFTER[context.choices.retryafter](inSeconds, reportedNowMs(context))
  return value === undefined ? {} : { 'Retry-After': value }
}
