/** Waits that are counted in turns of the event loop, so that the load of the machine does not decide what comes first. */

let turn = 0
/** By the turn in which they end. */
const waiting = new Map<number, (() => void)[]>()

/** Resolves after so many turns; nothing that the client does in a process of its own takes as many as a short wait. */
export const waitTurns = (turns: number): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.size === 0) setImmediate(next)
    const end = turn + Math.max(1, Math.ceil(turns))
    waiting.set(end, [...(waiting.get(end) ?? []), resolve])
  })

function next(): void {
  turn += 1
  for (const resolve of waiting.get(turn) ?? []) resolve()
  waiting.delete(turn)
  if (waiting.size > 0) setImmediate(next)
}
