/** Small work for each of many, a few milliseconds at a time. */

/** After so long everything else that waits goes first. */
const MOST_MS = 2

/**
 * Works on one after the other: also on those that are added meanwhile, and not on those that are taken away.
 * @param now milliseconds
 * @throws what the work throws; then the rest is left out
 */
export async function inSlices<Item>(
  items: Iterable<Item>,
  now: () => number,
  work: (item: Item) => void,
): Promise<void> {
  let startedAtMs = now()
  for (const item of items) {
    work(item)
    // Also a clock that was set back ends a slice.
    if (Math.abs(now() - startedAtMs) >= MOST_MS) {
      await othersFirst()
      startedAtMs = now()
    }
  }
}

/** Resolves when all else has run that waits. */
export const othersFirst = () => new Promise<void>((resolve) => setImmediate(resolve))
