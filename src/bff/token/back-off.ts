/** How long to leave an endpoint alone that has failed. */
import { randomInt } from 'node:crypto'

/** So that a session is usable again soon after the service is well, whatever the service asked for. */
export const LONGEST_BACK_OFF_MS = 30_000
const SHORTEST_MS = 1000

/**
 * The wait after a failure: at random between a second and a bound that doubles with each one (2 s, 4 s, ...), so that
 * those who failed together do not come back together.
 * @param failures how many there were in a row, this one included
 * @param askedMs what the service asked for (`Retry-After`)
 * @returns milliseconds, 1000 to 30000
 */
export function backOffMs(failures: number, askedMs = 0): number {
  const bound = Math.min(LONGEST_BACK_OFF_MS, SHORTEST_MS * 2 ** failures)
  return Math.min(LONGEST_BACK_OFF_MS, Math.max(askedMs, randomInt(SHORTEST_MS, bound)))
}
