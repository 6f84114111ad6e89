import { setTimeout as wait } from 'node:timers/promises'
import { PATIENCE_MS } from './_patience.ts'

/** @throws Error if it is not met in time */
export async function until(isMet: () => boolean | Promise<boolean>, withinMs = PATIENCE_MS): Promise<void> {
  for (const startedAtMs = performance.now(); !(await isMet()); await wait(5))
    if (performance.now() - startedAtMs > withinMs)
      throw new Error(`not after ${withinMs} ms: ${isMet.toString()}`)
}
