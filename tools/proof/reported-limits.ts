/** Reads what an answer reports about a limit that is over. It knows the choices, so it need not guess. */
import { readRetryAfter } from '../../src/contract/refusal.ts'
import type { Choices } from '../../src/sandbox/choices/choices.ts'
import type { Call } from './recording.ts'

const READ_LIMITS = ['60', '600']
const LONGEST_HINT_MS = 120_000

/**
 * @returns until when the limit of this request is over by its answer, on the client's clock; `undefined` if
 * the answer states nothing about it. Times count from the sending of the request, because the service may
 * have written them before it sent the answer. The nearest of several hints counts, so the client is accused
 * only of what no client could doubt. A month that is over is left out, because a user may try again.
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

/** A date has no fractions of a second. */
const wholeSecond = (ms: number): number => Math.floor(ms / 1000) * 1000

/** The reset in the unit of the choices. The service's clock is only as exact as its Date header. */
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
