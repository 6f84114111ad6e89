/** Finds rows of the ledger again that were recorded by a clock which turned out to be wrong (8.3). */
import { type AgreedClock, CLOCK_JUMP_MS, type ClockOffset } from './clock.ts'

/** Requests recorded from `fromMs` to `toMs` were sent `byMs` later; UNIX milliseconds. */
export interface ClockCorrection {
  readonly fromMs: number
  readonly toMs: number
  readonly byMs: number
}

/** The clock that all processes share; absent until an answer of the service contradicts a clock of ours. */
export interface SharedClock {
  agreed?: AgreedClock
  /** The offset of a good answer that contradicted the belief, and the time of the first row in doubt. */
  rival?: { offset: ClockOffset; sinceMs: number }
  corrections: readonly ClockCorrection[]
}

/** Years of a clock that is wrong again and again. */
const MOST_CORRECTIONS = 10

/** Adds one in front. It may extend an older one; of two that contradict each other, the newer counts. */
export function withCorrection(
  known: readonly ClockCorrection[],
  { fromMs, toMs, byMs }: ClockCorrection,
): ClockCorrection[] {
  const meets = (one: ClockCorrection) => one.fromMs <= toMs && one.toMs >= fromMs
  const same = known.filter((one) => meets(one) && Math.abs(one.byMs - byMs) <= CLOCK_JUMP_MS)
  const whole = {
    fromMs: Math.min(fromMs, ...same.map((one) => one.fromMs)),
    toMs: Math.max(toMs, ...same.map((one) => one.toMs)),
    byMs,
  }
  return [whole, ...known.flatMap((one) => without(one, whole))].slice(0, MOST_CORRECTIONS)
}

const without = (one: ClockCorrection, { fromMs, toMs }: ClockCorrection): ClockCorrection[] =>
  [
    { ...one, toMs: Math.min(one.toMs, fromMs - 1) },
    { ...one, fromMs: Math.max(one.fromMs, toMs + 1) },
  ].filter((part) => part.fromMs <= part.toMs)

/** When a request was sent that was recorded at an instant. */
export const correctedMs = (atMs: number, corrections: readonly ClockCorrection[]): number =>
  atMs + (corrections.find(({ fromMs, toMs }) => atMs >= fromMs && atMs <= toMs)?.byMs ?? 0)

/** Requests recorded from `sinceMs` on, to be added (1) or subtracted (-1). */
export interface CountedPart {
  sinceMs: number
  by: 1 | -1
}

/** The parts of the ledger whose sum is the number of requests sent from an instant on. */
export function partsSince(sinceMs: number, corrections: readonly ClockCorrection[]): CountedPart[] {
  const parts = corrections.flatMap(({ fromMs, toMs, byMs }): CountedPart[] => {
    // Recorded before the instant and sent after it, or the reverse.
    const first = Math.max(fromMs, Math.min(sinceMs, sinceMs - byMs))
    const end = Math.min(toMs + 1, Math.max(sinceMs, sinceMs - byMs))
    if (first >= end) return []
    const by = byMs > 0 ? 1 : -1
    return [
      { sinceMs: first, by },
      { sinceMs: end, by: by === 1 ? -1 : 1 },
    ]
  })
  return [{ sinceMs, by: 1 }, ...parts]
}

/** Corrections by which requests that were recorded before an instant were sent after it. */
export const correctionsInto = (
  sinceMs: number,
  corrections: readonly ClockCorrection[],
): readonly ClockCorrection[] =>
  corrections.filter(({ fromMs, toMs, byMs }) => fromMs < sinceMs && toMs + byMs >= sinceMs)

/** The times of record before an instant at which requests were recorded that were sent after it. */
export const spansBefore = (
  sinceMs: number,
  corrections: readonly ClockCorrection[],
): { sinceMs: number; untilMs: number }[] =>
  correctionsInto(sinceMs, corrections).map(({ fromMs, toMs }) => ({
    sinceMs: fromMs,
    untilMs: Math.min(toMs + 1, sinceMs),
  }))
