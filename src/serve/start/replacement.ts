/** Decides when a worker that has ended is replaced. Pure. */

/** While no worker has ever listened, a start is given up after so many failures in a row. */
const MOST_FAILURES = 5
/** The delay doubles with each failure, from this one to the longest. */
const SHORTEST_MS = 100
const LONGEST_MS = 10_000

export interface Failures {
  /** Workers in a row that ended before they listened, since the last one that did. */
  inARow: number
  /** A worker has listened since the start. */
  hasListened: boolean
  /** The last failure has a cause that only the operator can remove, such as a port that is in use. */
  isFinal: boolean
}

/** @returns milliseconds until the next worker is started; `undefined`: the start is given up */
export function replaceAfterMs({ inARow, hasListened, isFinal }: Failures): number | undefined {
  if (!hasListened && (isFinal || inARow >= MOST_FAILURES)) return undefined
  return Math.min(LONGEST_MS, SHORTEST_MS * 2 ** inARow)
}
