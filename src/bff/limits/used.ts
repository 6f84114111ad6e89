/** The use of the month on which an admission is decided (8.3). */
import type { Assumptions } from '../../contract/assumptions.ts'
import { countRequests } from '../../contract/month.ts'
import { usedAtMost } from '../../contract/month-count.ts'
import type { Reason } from '../../contract/reason.ts'
import { correctionsOf } from '../core/clock.ts'
import type { Within } from '../core/context.ts'
import { countSent, isTimed } from './sent.ts'

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
}

/** Our own count, or the newest reading if that gives more. */
export async function usedBy(
  context: Within,
  organization: string,
  { startMs, nowMs, assumed }: Month,
): Promise<Used> {
  const countSince = async (sinceMs: number) =>
    countRequests(await countSent(context, organization, sinceMs), assumed)
  const isRight = isTimed(correctionsOf(context.memory), nowMs)
  const [own, readings] = await Promise.all([
    countSince(startMs),
    context.store.listReadings(organization, startMs),
  ])
  const reading = readings.find(isRight)
  // A request of the same millisecond was recorded before the number was read.
  const newest = reading && { ...reading, ownSince: await countSince(reading.readAtMs + 1) }
  const atMost = usedAtMost(own, newest)
  if (newest === undefined || atMost === own.high)
    return { atMost, reason: { code: 'month_used_by_app', count: atMost } }
  const { count, readAtMs } = newest
  const age_ms = Math.max(0, Math.floor(nowMs - readAtMs))
  return { atMost, reason: { code: 'month_used_by_reading', count, since: atMost - count, age_ms } }
}
