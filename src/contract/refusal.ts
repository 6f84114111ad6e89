/** Telling one 429 from another: the minute, the month, or no telling (7, 8.3, 8.4.3). */
import { parseHttpDate } from './clock.ts'
import type { RateReading } from './rate-limit.ts'

export type RefusalCode = 'rate_limited' | 'month_suspected' | 'limit_unknown'

export interface Refusal {
  code: RefusalCode
  /** Milliseconds to wait; absent where only the month's end helps. */
  retryInMs?: number
  /** Why it was classed so, for the person who reads it. */
  reasons: string[]
}

/** The longest that a window of one minute can ask for, with room for clocks that differ. */
const MINUTE_MS = 65_000
export const UNKNOWN_PAUSE_MS = 60_000

/**
 * Classes a 429 by what came with it and by what we sent ourselves.
 * A suspicion of the month is no verdict: a person may try once more, and any success clears it.
 */
export function classifyRefusal(refused: {
  reading: RateReading
  retryAfterMs: number | undefined
  serviceNowMs: number
  /** Requests of this class that this app sent with this token in the last minute. */
  sentThisMinute: number
  /** The limit of the class, where one was ever told. */
  limit: number | undefined
  /** Whether the answer before this one was a 429 that could not be told apart either. */
  unknownBefore: boolean
}): Refusal {
  const { reading, retryAfterMs, serviceNowMs, sentThisMinute, limit, unknownBefore } = refused
  const { remaining, resetAtSeconds } = reading
  const resetInMs = resetAtSeconds === undefined ? undefined : resetAtSeconds * 1000 - serviceNowMs
  const silent = (remaining ?? reading.limit ?? resetAtSeconds) === undefined
  const few = limit !== undefined && sentThisMinute < limit / 2

  // Retry-After is the service's own word on when to come back, so it goes before reset. To wait for nothing is no word.
  if (retryAfterMs !== undefined && retryAfterMs > 0) {
    return retryAfterMs > MINUTE_MS
      ? month('The service asks to wait for longer than a minute.')
      : minute(retryAfterMs, 'The service asks to wait for a minute at most.')
  }
  if (remaining !== undefined && remaining > 0)
    return month('Requests of this minute are left, and still it was refused.')
  if (reading.notes.includes('reset_far')) return month('The reset is further away than any minute.')
  if (remaining !== undefined && resetInMs !== undefined) {
    return resetInMs > MINUTE_MS
      ? month('The reset is further away than a minute.')
      : minute(resetInMs + 1000, 'No requests of this minute are left.')
  }
  if (silent && few) return month('Far fewer requests were sent than a minute allows.')
  if (unknownBefore && (limit === undefined || sentThisMinute < limit))
    return month('It was refused again after a pause of a minute.')
  return {
    code: 'limit_unknown',
    retryInMs: UNKNOWN_PAUSE_MS,
    reasons: ['The answer does not say which limit is reached.'],
  }
}

const month = (reason: string): Refusal => ({ code: 'month_suspected', reasons: [reason] })
const minute = (retryInMs: number, reason: string): Refusal => ({
  code: 'rate_limited',
  retryInMs: Math.max(1000, retryInMs),
  reasons: [reason],
})

/**
 * Reads `Retry-After` (RFC 9110 10.2.3): seconds, or a date in any of the three forms.
 * @returns milliseconds from `serviceNowMs`, 0 for a date that has passed; `undefined` when it is missing or unreadable.
 */
export function readRetryAfter(headers: Headers, serviceNowMs: number): number | undefined {
  const text = headers.get('Retry-After')?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const dateMs = parseHttpDate(text)
  return dateMs === undefined ? undefined : Math.max(0, dateMs - serviceNowMs)
}
