/** A lease says in the note of a piece of work who does it alone. It is never renewed. */
import { SECOND_MS } from '../../contract/duration.ts'

export interface Lease {
  holder: string
  /** By the clock of the store, UNIX milliseconds. */
  untilMs: number
}

/** The holder has this long for what comes before and after its request. */
const MARGIN_MS = 5 * SECOND_MS

/** @param clockMs of the store @param deadlineMs of the request for which it is taken */
export const takeLease = (holder: string, clockMs: number, deadlineMs: number): Lease => ({
  holder,
  untilMs: clockMs + deadlineMs + MARGIN_MS,
})

/**
 * A lease that would outlast a new one was taken before the clock was set back.
 * @param graceMs how much longer it is respected
 */
export function isHeld(lease: Lease | undefined, clockMs: number, deadlineMs: number, graceMs = 0): boolean {
  const leftMs = (lease?.untilMs ?? -Infinity) - clockMs
  return leftMs > -graceMs && leftMs <= deadlineMs + MARGIN_MS
}
