/** Loads code that the first page does not need. A newer build of the server no longer has its files. */
import { isReplaced, throwUnreachable } from './api.ts'
import { upgrade } from './upgrade.ts'

/**
 * Never settles if there is a newer build: the page loads anew.
 * @throws Problem `bff_unreachable`
 */
export async function late<Loaded>(loading: Promise<Loaded>): Promise<Loaded> {
  try {
    return await loading
  } catch (cause) {
    if (!(await isReplaced())) throwUnreachable(cause)
    upgrade()
    return new Promise(() => {})
  }
}

/** Ends a task, since a long one holds up what a person presses on a slow phone. */
export const nextTask = (): Promise<void> => new Promise((begin) => setTimeout(begin))
