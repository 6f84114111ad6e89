/** Writes that follow an answer: it was paid for, so it waits for them a moment only, and none that fails withholds it. */
import { isStoreFailure } from '../../contract/problem.ts'
import { type Context, inBackground } from './context.ts'

/** How long an answer waits for what is stored of it. */
const ANSWER_WAITS_MS = 150
/** Between two tries. With the time that each waits for the database it is half a minute. */
const WAITS_MS = [200, 500, 1000, 2000, 5000, 10_000]

/** How long one answer waits, for all that is stored of it. */
export const aMoment = ({ wait }: Pick<Context, 'wait'>): Promise<void> => wait(ANSWER_WAITS_MS)

/** Waits for work for a moment; it goes on in the background. @returns its result, `undefined` while it is running */
export const briefly = <T>(
  context: Context,
  work: Promise<T>,
  moment: Promise<void> = aMoment(context),
): Promise<T | undefined> => Promise.race([inBackground(context.memory, work), moment.then(() => undefined)])

/** Writes, and again for a while where the store fails. @throws Problem `store_unavailable` after the last try */
export async function untilStored(context: Context, write: () => Promise<void>): Promise<void> {
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
