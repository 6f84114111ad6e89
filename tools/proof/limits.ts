/** Reads what an answer reports about a limit that is over. It knows the choices, so it need not guess. */
import { readRetryAfter } from '../../src/contract/refusal.ts'
import type { Choices } from '../../src/sandbox/choices/choices.ts'
import type { Call } from './recording.ts'

const READ_LIMITS = ['60', '600']
const LONGEST_HINT_MS = 120_000
const wholeSecond = (ms: number): number => Math.floor(ms / 1000) * 1000

/**
 * @returns until when the limit of this request is over by its answer, on the client's clock; `undefined` if
 * the answer states nothing about it. The nearest of several hints counts, so the client is accused only of
 * what no client could doubt. A month that is over is left out, because a person may try again.
 */
export function overUntil({ answer, over, sentAtMs }: Call, choices: Choices): number | undefined {
  if (answer === undefined || over === 'month') return undefined
  const { status, headers } = answer
  const isOfReads = READ_LIMITS.includes(headers.get('X-RateLimit-Limit') ?? '')
  const isHint = (ms: number) => ms > sentAtMs && ms <= sentAtMs + LONGEST_HINT_MS
  const resets = isOfReads ? [resetOf(headers, sentAtMs, choices)].filter(isHint) : []
  if (status === 429) {
    // The service may have written its times before it sent the answer.
    const retryAfterMs = readRetryAfter(headers, Date.parse(headers.get('Date') ?? '') || sentAtMs)
    const hints = [...resets, wholeSecond(sentAtMs) + (retryAfterMs ?? Number.NaN)].filter(isHint)
    return hints.length > 0 ? Math.min(...hints) : undefined
  }
  const left = headers.get('X-RateLimit-Remaining')
  return left !== null && Number(left) <= 0 && choices.remaining === 'after_request' ? resets[0] : undefined
}

/** The reset in the unit of the choices. The service's clock is only as exact as its Date header. */
function resetOf(headers: Headers, sentAtMs: number, { resetunit }: Choices): number {
  const text = headers.get('X-RateLimit-Reset') || 'none'
  const aheadMs = (Date.parse(headers.get('Date') ?? '') || wholeSecond(sentAtMs)) - wholeSecond(sentAtMs)
  const read: Record<Choices['resetunit'], () => number> = {
    epoch_seconds: () => Number(text) * 1000 - aheadMs,
    epoch_milliseconds: () => Number(text) - aheadMs,
    seconds_left: () => sentAtMs + Number(text) * 1000,
    iso_date: () => Date.parse(text) - aheadMs,
  }
  return read[resetunit]()
}
