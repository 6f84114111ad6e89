/** What an answer told the client of a limit that is over: read with the choices at hand, so that nothing has to be guessed. */
import { readRetryAfter } from '../../src/contract/refusal.ts'
import type { Choices } from '../../src/sandbox/choices/choices.ts'
import type { Call } from './recording.ts'

const READ_LIMITS = ['60', '600']
const LONGEST_HINT_MS = 120_000

/**
 * Until when the limit that this request met is over by what its answer said, on the client's clock; `undefined` when it said
 * nothing of the kind. Of several hints the nearest counts, so that only what nobody could have doubted is held against the
 * client. A month that is over is left out, since a person may try all the same.
 */
export function reportedOverUntil({ answer, over, answeredAtMs }: Call, choices: Choices): number | undefined {
  if (answer === undefined || over === 'month') return undefined
  const { status, headers } = answer
  const limit = headers.get('X-RateLimit-Limit') ?? ''
  const remaining = headers.get('X-RateLimit-Remaining')
  const isRead = READ_LIMITS.includes(limit)
  const resetMs = isRead ? resetOf(headers, answeredAtMs, choices) : undefined
  if (status === 429) {
    const serviceNowMs = Date.parse(headers.get('Date') ?? '') || answeredAtMs
    const retryAfterMs = readRetryAfter(headers, serviceNowMs)
    const hints = [resetMs, retryAfterMs === undefined ? undefined : answeredAtMs + retryAfterMs].filter(
      (hint) => hint !== undefined && hint > answeredAtMs && hint <= answeredAtMs + LONGEST_HINT_MS,
    ) as number[]
    return hints.length > 0 ? Math.min(...hints) : undefined
  }
  const isUsedUp =
    isRead && remaining !== null && Number(remaining) <= 0 && choices.remaining === 'after_request'
  return isUsedUp ? resetMs : undefined
}

/** The reset in the unit of the choices; the service's clock is only as good as its Date. */
function resetOf(headers: Headers, answeredAtMs: number, choices: Choices): number | undefined {
  const text = headers.get('X-RateLimit-Reset') ?? ''
  const dateMs = Date.parse(headers.get('Date') ?? '')
  const aheadMs = Number.isNaN(dateMs) ? 0 : dateMs - Math.floor(answeredAtMs / 1000) * 1000
  const read: Record<Choices['resetunit'], () => number> = {
    epoch_seconds: () => Number(text) * 1000 - aheadMs,
    epoch_milliseconds: () => Number(text) - aheadMs,
    seconds_left: () => answeredAtMs + Number(text) * 1000,
    iso_date: () => Date.parse(text) - aheadMs,
  }
  const ms = text === '' ? Number.NaN : read[choices.resetunit]()
  return ms > answeredAtMs && ms <= answeredAtMs + LONGEST_HINT_MS ? ms : undefined
}
