/** Waits that are counted in iterations of the event loop, so that the load of the machine does not decide what comes first. */

let iteration = 0
/** By the iteration in which they end. */
const waiting = new Map<number, (() => void)[]>()

/** Resolves after so many iterations; nothing that the client does in a process of its own takes as many as a short wait. */
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
