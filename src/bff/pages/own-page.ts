/** The page of an organization with what it shows first, for a document that the server draws: free, from the store. */
import type { Inbound } from '../../contract/answer.ts'
import { asProblem } from '../../contract/problem.ts'
import { briefly } from '../core/deferred-writes.ts'
import type { Context } from '../core/context.ts'
import type { Documents, DrawOwn, Known } from './pages.ts'
import { logProblem } from '../core/problem.ts'
import { readQuota } from '../quota/quota.ts'
import { signedIn } from '../sign-in/session-answer.ts'
import { requireSession } from '../session/record.ts'

/** Nothing is drawn where no one is signed in, or the store does not answer at once: then the script asks, and shows why. */
export const ownPage =
  (context: Context, request: Inbound, documents: Documents | undefined): DrawOwn =>
  async (language, isChosen) => {
    if (documents?.getOwn === undefined) return undefined
    const drawn = readKnown(context, request)
      .then((known) => documents.getOwn?.(language, isChosen, known))
      .catch((error: unknown) => {
        const problem = asProblem(error)
        if (problem.code === 'unknown') logProblem(context, request, problem)
        return undefined
      })
    return briefly(context, drawn)
  }

async function readKnown(context: Context, request: Inbound): Promise<Known> {
  const session = await requireSession(context, request)
  return { session: signedIn(context, session, []), quota: await readQuota(context, session) }
}
