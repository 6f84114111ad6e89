/** Recognizes a window that slides: its reset moves on before it is reached (2.2 does not show which windows there are). */

/** A window of a minute that is reset as a whole opens again after its reset, so two of its resets are at least so far apart. */
const WINDOW_SECONDS = 60
/** Resets up to this much apart are one: they have whole seconds, and may have been delays. */
export const SAME_RESET_SECONDS = 2
/** One of them may be an answer that was late. */
const RESETS_IN_A_ROW = 3

/**
 * @param resets of windows in use, UNIX seconds, the greatest first
 * @returns whether three in a row follow each other within less than a window
 */
export function isSliding(resets: readonly number[]): boolean {
  let row = 0
  let later = Infinity
  for (const reset of resets) {
    const gap = later - reset
    if (gap <= SAME_RESET_SECONDS) continue
    row = gap < WINDOW_SECONDS - SAME_RESET_SECONDS ? row + 1 : 1
    later = reset
    if (row === RESETS_IN_A_ROW) return true
  }
  return false
}
