/**
 * Shares the event loop: batches the work of one iteration, and splits long work so that nothing else waits
 * for it.
 */

/** Long work lets everything else run after this long. */
const SLICE_MS = 2

/** Resolves in the next iteration of the event loop, when everything else that was waiting has run. */
export const nextIteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Collects the items of one iteration of the event loop and works on them together at its end. When many
 * requests run the same code in a row, it is in the processor's caches from the second one on, and their
 * writes wake the reader once.
 * @param work gets the items in the order in which they were added
 * @returns adds one item
 */
export function atIterationEnd<Item>(work: (items: readonly Item[]) => void): (item: Item) => void {
  let waiting: Item[] = []
  const workOnAll = () => {
    const items = waiting
    waiting = []
    work(items)
  }
  return (item) => {
    if (waiting.length === 0) setImmediate(workOnAll)
    waiting.push(item)
  }
}

/**
 * Works on one item after the other, a few milliseconds at a time. Items that are added meanwhile are
 * included, and items that are removed are not.
 * @param now milliseconds
 * @throws the first error of `work`; the remaining items are left out
 */
export async function inSlices<Item>(
  items: Iterable<Item>,
  now: () => number,
  work: (item: Item) => void,
): Promise<void> {
  let startedAtMs = now()
  for (const item of items) {
    work(item)
    // A clock that was set back ends a slice too.
    if (Math.abs(now() - startedAtMs) >= SLICE_MS) {
      await nextIteration()
      startedAtMs = now()
    }
  }
}
