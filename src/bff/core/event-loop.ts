/** Splits long work, so that nothing waits for it. */

/** Long work lets everything else run after this long. */
const SLICE_MS = 2

/** Resolves in the next iteration of the event loop, when everything else that was waiting has run. */
export const nextIteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Works a few milliseconds at a time. Items that are added meanwhile are included, removed ones are not.
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
