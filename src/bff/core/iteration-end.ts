/** Works at the end of an iteration of the event loop on all that came in it. */

/**
 * What many requests run after each other is in the caches of the processor from the second one on, and what they write wakes its
 * reader once.
 * @param work gets them in the order in which they came
 * @returns adds one
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
