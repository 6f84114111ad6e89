/** The page asks for its session again when a person comes back, after a refusal and near the end. Free. */
import { type QueryClient, queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import type { Problem, ProblemCode } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import { getSession } from '../lib/api.ts'
import { followSession } from './session.ts'

const KEY = ['session'] as const

/** The page asks this long before the end of a session, and then says when it ends. */
export const ENDS_SOON_MS = 12 * HOUR_MS
const ASKS_EACH_MS = 10 * MINUTE_MS
/** No timer of a browser can wait for more than 24.8 days. */
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
    // The server extends a session when the page asks for it.
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
