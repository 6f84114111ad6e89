/** Decides how long to wait before the next request to an endpoint that failed. */
import { randomInt } from 'node:crypto'
import { SECOND_MS } from '../../contract/duration.ts'

/** Whatever the service asks for: a session is usable again this soon after it recovers. */
export const LONGEST_BACK_OFF_MS = 30 * SECOND_MS
const SHORTEST_MS = SECOND_MS

/**
 * A random time between a second and a bound that doubles with each failure (2 s, 4 s, ...), so that sessions
 * that failed together do not come back together.
 * @param failures in a row, including this one
 * @param askedMs the wait that the service asked for (`Retry-After`)
 * @returns milliseconds, 1000 to 30000
 */
export function backOffMs(failures: number, askedMs = 0): number {
  const bound = Math.min(LONGEST_BACK_OFF_MS, SHORTEST_MS * 2 ** failures)
  return Math.min(LONGEST_BACK_OFF_MS, Math.max(askedMs, randomInt(SHORTEST_MS, bound)))
}
