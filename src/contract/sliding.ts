/** Detects a sliding window: its reset moves before it is reached (2.2 does not show the kinds). */

/** Resets of a window that is reset as a whole are at least so far apart. */
const WINDOW_SECONDS = 60
/** Resets at most this far apart are the same: they are in whole seconds, and may have been delays. */
export const SAME_RESET_SECONDS = 2
/** One of them may come from a late answer. */
const RESETS_IN_A_ROW = 3

/** @param resets of windows in use, UNIX seconds, the greatest first */
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
