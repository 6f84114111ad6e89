/** The session as a query: asked again, for free, when a person comes back to the page or after a refusal. */
import { type QueryClient, queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import type { Problem, ProblemCode } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import { getSession } from '../lib/api.ts'
import { followSession } from './session.ts'

const KEY = ['session'] as const

/** So long before the end of a session the page asks, and says that it ends. */
export const ENDS_SOON_MS = 12 * HOUR_MS
const ASKS_EACH_MS = 10 * MINUTE_MS
/** A timer of a browser goes no further than 24.8 days. */
const LONGEST_MS = 24 * DAY_MS

/** Never settles if another session is in use, or none: the page loads anew. */
async function getSame(own: SignedIn, because: ProblemCode): Promise<SignedIn> {
  const session = await getSession()
  if (session.signed_in && session.id === own.id) return session
  followSession(session, because)
  return new Promise(() => {})
}

/** @param own as it was when the page opened @param because why it may have ended */
export const sessionQuery = (own: SignedIn, because: ProblemCode = 'signed_out') =>
  queryOptions({
    queryKey: KEY,
    queryFn: () => getSame(own, because),
    initialData: own,
    refetchOnWindowFocus: 'always',
    // Asking extends it.
    refetchInterval: ({ state: { data = own } }) =>
      Math.min(LONGEST_MS, Math.max(ASKS_EACH_MS, data.ends_in * SECOND_MS - ENDS_SOON_MS)),
  })

/** @returns false if the server did not answer */
export const isSameSession = (client: QueryClient, own: SignedIn, because?: Problem): Promise<boolean> =>
  client.fetchQuery({ ...sessionQuery(own, because?.code), staleTime: 0 }).then(
    () => true,
    () => false,
  )

/** Absent on a page without a session. */
export const useSession = (): SignedIn | undefined =>
  useQuery<SignedIn>({ queryKey: KEY, queryFn: skipToken }).data
