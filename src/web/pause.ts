/** Whether a person may spend a request of a class just now, and if not, for how long and why. */
import type { QuotaSnapshot } from '../contract/quota.ts'
import type { RequestClass } from '../contract/rate-limit.ts'
import type { RefusalCode } from '../contract/refusal.ts'

export interface Wait {
  code: RefusalCode
  endsInMs: number
  reasons: readonly string[]
}

const finite = (value: unknown, otherwise = 0): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : otherwise

/**
 * What stands in the way of a request, at an instant. A used-up minute and an unknown limit are waited out; a suspicion of
 * the month is only that, so it comes last, and a person may try once more.
 */
export function waitOf(
  snapshot: QuotaSnapshot,
  requested: RequestClass,
  elapsedMs: number,
): Wait | undefined {
  const waits: Wait[] = snapshot.pauses
    .filter((pause) => pause.class === undefined || pause.class === requested)
    .map((pause) => ({
      code: pause.code,
      endsInMs: finite(pause.ends_in_ms) - elapsedMs,
      reasons: Array.isArray(pause.reasons) ? pause.reasons : [],
    }))
  const window = snapshot[requested]
  if (window.known === 'measured' && finite(window.remaining, Infinity) <= finite(window.in_flight)) {
    waits.push({
      code: 'rate_limited',
      endsInMs: finite(window.reset_in_ms) - elapsedMs,
      reasons: ['No requests of this minute are left.'],
    })
  }
  const open = waits.filter(({ endsInMs }) => endsInMs > 0).toSorted((a, b) => b.endsInMs - a.endsInMs)
  return open.find(({ code }) => code !== 'month_suspected') ?? open[0]
}

/** Milliseconds until the next pause ends; `undefined` when there is none. */
export function nextEnd(snapshot: QuotaSnapshot, elapsedMs: number): number | undefined {
  const ends = snapshot.pauses.map((pause) => finite(pause.ends_in_ms) - elapsedMs)
  return ends.length === 0 ? undefined : Math.max(0, Math.min(...ends))
}
