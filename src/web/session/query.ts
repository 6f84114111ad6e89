/** The session as a query: asked again, for free, when a person comes back to the page or after a refusal. */
import { type QueryClient, queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { SECOND_MS } from '../../contract/duration.ts'
import type { Problem, ProblemCode } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import { getSession } from '../lib/api.ts'
import { followSession } from './session.ts'

const KEY = ['session'] as const

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
  })

/** @returns when the session ends by itself as far as this page knows, UNIX milliseconds */
export function endOf(client: QueryClient, own: SignedIn): number {
  const { data = own, dataUpdatedAt = Date.now() } = client.getQueryState(sessionQuery(own).queryKey) ?? {}
  return dataUpdatedAt + data.ends_in * SECOND_MS
}

/** @returns false if the server did not answer */
export const isSameSession = (client: QueryClient, own: SignedIn, because?: Problem): Promise<boolean> =>
  client.fetchQuery({ ...sessionQuery(own, because?.code), staleTime: 0 }).then(
    () => true,
    () => false,
  )

/** Absent on a page without a session. */
export const useSession = (): SignedIn | undefined =>
  useQuery<SignedIn>({ queryKey: KEY, queryFn: skipToken }).data
