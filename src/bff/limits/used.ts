/** The use of the month on which an admission is decided (8.3). */
import type { Assumptions } from '../../contract/assumptions.ts'
import { type ClockCorrection, partsSince } from '../../contract/clock-correction.ts'
import { countRequests } from '../../contract/month.ts'
import { type CountedReading, usedAtMost } from '../../contract/month-count.ts'
import type { Reason } from '../../contract/reason.ts'
import type { AdmissionState } from '../../store/store.ts'
import { isTimed, sumOf } from './sent.ts'

export interface Used {
  atMost: number
  /** The reason without the limit. */
  reason: Reason
}

interface Month {
  startMs: number
  /** The service's time, UNIX milliseconds. */
  nowMs: number
  assumed: Assumptions
  corrections: readonly ClockCorrection[]
}

/** Our own count, or the newest reading if that gives more. */
export function usedBy(state: AdmissionState, { startMs, nowMs, assumed, corrections }: Month): Used {
  const own = countRequests(sumOf(state.counts, partsSince(startMs, corrections)), assumed)
  const { sinceReading } = state
  const isOfMonth =
    sinceReading !== undefined &&
    sinceReading.reading.readAtMs >= startMs &&
    isTimed(corrections, nowMs)(sinceReading.reading)
  const newest: CountedReading | undefined = isOfMonth
    ? { ...sinceReading.reading, ownSince: countRequests(sinceReading.counts, assumed) }
    : undefined
  const atMost = usedAtMost(own, newest)
  if (newest === undefined || atMost === own.high)
    return { atMost, reason: { code: 'month_used_by_app', count: atMost } }
  const { count, readAtMs } = newest
  const age_ms = Math.max(0, Math.floor(nowMs - readAtMs))
  return { atMost, reason: { code: 'month_used_by_reading', count, since: atMost - count, age_ms } }
}
