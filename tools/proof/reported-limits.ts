/** What an answer reports of a limit that is over: read with the choices at hand, so that nothing has to be guessed. */
import { readRetryAfter } from '../../src/contract/refusal.ts'
import type { Choices } from '../../src/sandbox/choices/choices.ts'
import type { Call } from './recording.ts'

const READ_LIMITS = ['60', '600']
const LONGEST_HINT_MS = 120_000

/**
 * Until when the limit that this request met is over by what its answer states, on the client's clock, counted from the sending
 * as the service may have written it before it sent it; `undefined` when it states nothing of the kind. Of several hints the
 * nearest counts, so that only what no client could doubt is held against it. A month that is over is left out, since a user
 * may try all the same.
 */
export function reportedOverUntil({ answer, over, sentAtMs }: Call, choices: Choices): number | undefined {
  if (answer === undefined || over === 'month') return undefined
  const { status, headers } = answer
  const limit = headers.get('X-RateLimit-Limit') ?? ''
  const remaining = headers.get('X-RateLimit-Remaining')
  const isRead = READ_LIMITS.includes(limit)
  const resetMs = isRead ? resetOf(headers, sentAtMs, choices) : undefined
  if (status === 429) {
    const serviceNowMs = Date.parse(headers.get('Date') ?? '') || sentAtMs
    const retryAfterMs = readRetryAfter(headers, serviceNowMs)
    const hints = [
      resetMs,
      retryAfterMs === undefined ? undefined : wholeSecond(sentAtMs) + retryAfterMs,
    ].filter(
      (hint) => hint !== undefined && hint > sentAtMs && hint <= sentAtMs + LONGEST_HINT_MS,
    ) as number[]
    return hints.length > 0 ? Math.min(...hints) : undefined
  }
  const isUsedUp =
    isRead && remaining !== null && Number(remaining) <= 0 && choices.remaining === 'after_request'
  return isUsedUp ? resetMs : undefined
}

/** A date has no parts of a second. */
const wholeSecond = (ms: number): number => Math.floor(ms / 1000) * 1000

/** The reset in the unit of the choices; the service's clock is only as good as its Date. */
function resetOf(headers: Headers, sentAtMs: number, choices: Choices): number | undefined {
  const text = headers.get('X-RateLimit-Reset') ?? ''
  const dateMs = Date.parse(headers.get('Date') ?? '')
  const aheadMs = Number.isNaN(dateMs) ? 0 : dateMs - Math.floor(sentAtMs / 1000) * 1000
  const read: Record<Choices['resetunit'], () => number> = {
    epoch_seconds: () => Number(text) * 1000 - aheadMs,
    epoch_milliseconds: () => Number(text) - aheadMs,
    seconds_left: () => sentAtMs + Number(text) * 1000,
    iso_date: () => Date.parse(text) - aheadMs,
  }
  const ms = text === '' ? Number.NaN : read[choices.resetunit]()
  return ms > sentAtMs && ms <= sentAtMs + LONGEST_HINT_MS ? ms : undefined
}
