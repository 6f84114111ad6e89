/** Tells if a person may spend a request of a class now, and if not, for how long and why. */
import { waitFor } from './gauge.ts'
import type { QuotaSnapshot } from './quota.ts'
import type { RequestClass } from './rate-limit.ts'
import type { Reason } from './reason.ts'
import type { RefusalCode } from './refusal.ts'

export interface Wait {
  code: RefusalCode
  endsInMs: number
  reasons: readonly Reason[]
}

/** A used-up minute and an unknown limit come before a suspected month, in which a person may still try. */
export function waitOf(
  snapshot: QuotaSnapshot,
  requested: RequestClass,
  elapsedMs: number,
): Wait | undefined {
  const waits: Wait[] = snapshot.pauses
    .filter((pause) => pause.class === undefined || pause.class === requested)
    .map(({ code, ends_in_ms, reasons }) => ({ code, endsInMs: ends_in_ms - elapsedMs, reasons }))
  const window = snapshot[requested]
  const endsInMs = waitFor(window, window.in_flight)
  if (endsInMs !== undefined)
    waits.push({
      code: 'rate_limited',
      endsInMs: endsInMs - elapsedMs,
      reasons: [{ code: 'minute_used_up' }],
    })
  const open = waits.filter(({ endsInMs }) => endsInMs > 0).toSorted((a, b) => b.endsInMs - a.endsInMs)
  return open.find(({ code }) => code !== 'month_suspected') ?? open[0]
}

/** Milliseconds until a pause ends, or the month in the first of the zones that it may have. */
export function nextEnd({ pauses, month }: QuotaSnapshot, elapsedMs: number): number {
  const ends = pauses.map((pause) => pause.ends_in_ms)
  return Math.max(0, Math.min(month.resets_in_ms.earliest, ...ends) - elapsedMs)
}

/** While there is one, no press sends a read. In a suspected month a person may still try. */
export function pauseOf(snapshot: QuotaSnapshot, elapsedMs: number): Wait | undefined {
  const wait = waitOf(snapshot, 'read', elapsedMs)
  return wait?.code === 'month_suspected' ? undefined : wait
}
