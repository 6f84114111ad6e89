/** Counts the requests of the ledger by the time at which they were sent, as known today (8.3). */
import type { ClockCorrection } from '../../contract/clock-correction.ts'
import { correctedMs, type CountedPart, partsSince } from '../../contract/clock-correction.ts'
import { MINUTE_MS } from '../../contract/duration.ts'
import type { KindCount } from '../../contract/month.ts'
import { correctionsOf } from '../core/clock.ts'
import type { Within } from '../core/context.ts'
import type { StoredReading } from '../../store/store.ts'

/** The sum of the counts; a count may be negative. */
export const sumOf = (
  counts: readonly (readonly KindCount[])[],
  parts: readonly Pick<CountedPart, 'by'>[],
): KindCount[] =>
  counts.flatMap((ofPart, nth) =>
    parts[nth]?.by === -1 ? ofPart.map((one) => ({ ...one, count: -one.count })) : ofPart,
  )

/** Requests that were sent from an instant on. */
export async function countSent(
  { store, memory }: Pick<Within, 'store' | 'memory'>,
  organization: string,
  sinceMs: number,
): Promise<KindCount[]> {
  const parts = partsSince(sinceMs, correctionsOf(memory))
  return sumOf(await Promise.all(parts.map((part) => store.countByKind(organization, part.sinceMs))), parts)
}

/** A reading whose time is right: no clock that was wrong has stamped it. @param nowMs the service's time */
export const isTimed =
  (corrections: readonly ClockCorrection[], nowMs: number) =>
  ({ readAtMs }: StoredReading): boolean =>
    readAtMs <= nowMs + MINUTE_MS && correctedMs(readAtMs, corrections) === readAtMs
