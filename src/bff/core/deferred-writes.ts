/** Writes that follow an answer. It was paid for, so it goes out after a moment even if they fail. */
import { isStoreFailure } from '../../contract/problem.ts'
import { type Context, inBackground } from './context.ts'

/** An answer waits this long for what is stored of it. */
const ANSWER_WAITS_MS = 150
/** The waits between tries: half a minute, together with the time that each try waits for the database. */
const WAITS_MS = [200, 500, 1000, 2000, 5000, 10_000]

/** Waits a moment for work, which continues in the background; `undefined` if it is still running. */
export const briefly = <T>(context: Context, work: Promise<T>): Promise<T | undefined> =>
  Promise.race([inBackground(context.memory, work), context.wait(ANSWER_WAITS_MS).then(() => undefined)])

/** Tries again for a while if the store fails. @throws Problem `store_unavailable` after the last try */
export async function untilStored<T>(context: Context, write: () => Promise<T>): Promise<T> {
  for (const waitMs of WAITS_MS) {
    try {
      return await write()
    } catch (error) {
      if (!isStoreFailure(error)) throw error
    }
    await context.wait(waitMs)
  }
  return write()
}
