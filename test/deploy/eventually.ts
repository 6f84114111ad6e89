/** Waits for a condition that has to be asked for. */
import { setTimeout as wait } from 'node:timers/promises'

/** @throws Error where it is not met in time */
export async function eventually(isMet: () => boolean | Promise<boolean>, withinMs: number): Promise<void> {
  for (const startedAtMs = performance.now(); !(await isMet()); await wait(20))
    if (performance.now() - startedAtMs > withinMs)
      throw new Error(`not after ${withinMs} ms: ${isMet.toString()}`)
}
