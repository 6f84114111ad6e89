/** Loads code that the first page does not need. A newer build of the server no longer has its files. */
import { Problem } from '../../contract/problem.ts'
import { isReachable, isReplaced } from './api.ts'
import { upgrade } from './upgrade.ts'

/**
 * Never settles if there is a newer build: the page loads anew.
 * @throws Problem `bff_unreachable`, or, if only the file is missing, `invalid_request`: reload
 */
export async function late<Loaded>(loading: Promise<Loaded>): Promise<Loaded> {
  try {
    return await loading
  } catch (cause) {
    if (await isReplaced()) {
      upgrade()
      return new Promise(() => {})
    }
    // Some browsers never ask for a file again that has failed.
    throw new Problem((await isReachable()) ? 'invalid_request' : 'bff_unreachable', { cause })
  }
}

/** Ends a task, since a long one holds up what a person presses on a slow phone. */
export const nextTask = (): Promise<void> => new Promise((begin) => setTimeout(begin))
