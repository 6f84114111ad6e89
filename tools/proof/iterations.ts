/** Waits in iterations of the event loop, so that the load of the machine does not decide the order. */

let iteration = 0
/** The waits by the iteration in which they end. */
const waiting = new Map<number, (() => void)[]>()

/**
 * Resolves after so many iterations. The client's own work in a process takes fewer iterations than a short
 * wait.
 */
export const waitIterations = (iterations: number): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.size === 0) setImmediate(next)
    const end = iteration + Math.max(1, Math.ceil(iterations))
    waiting.set(end, [...(waiting.get(end) ?? []), resolve])
  })

function next(): void {
  iteration += 1
  for (const resolve of waiting.get(iteration) ?? []) resolve()
  waiting.delete(iteration)
  if (waiting.size > 0) setImmediate(next)
}
