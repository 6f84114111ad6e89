/** Loads code after the first load. Once a newer build is served, the files of this page are gone. */
import { isReplaced, throwUnreachable } from './api.ts'
import { upgrade } from './upgrade.ts'

/**
 * Never settles if there is a newer build: the page loads anew.
 * @param href the address at which it does, if it is another one
 * @throws Problem `bff_unreachable`
 */
export async function late<Loaded>(loading: Promise<Loaded>, href?: string): Promise<Loaded> {
  try {
    return await loading
  } catch (cause) {
    if (!(await isReplaced())) throwUnreachable(cause)
    upgrade(href)
    return new Promise(() => {})
  }
}

/** Ends a task, since a long one holds up what a person presses on a slow phone. */
export const nextTask = (): Promise<void> => new Promise((begin) => setTimeout(begin))
