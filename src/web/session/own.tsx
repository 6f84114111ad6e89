/** The page's session: its query, and its end by a sign-out. */
import {
  useMutation,
  useMutationState,
  useQueryClient,
  type QueryClient,
  queryOptions,
  skipToken,
  useQuery,
} from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import type { Problem, ProblemCode } from '../../contract/problem.ts'
import { Centre, Waiting } from '../components/centre.tsx'
import { deleteSession, getSession } from '../lib/api.ts'
import { Notice } from '../components/notice.tsx'
import { useTitle } from '../lib/router.ts'
import { Footer } from '../preferences/choices.tsx'
import { text } from '../text/text.ts'
import { forgetOrganizations } from './last-organizations.ts'
import { announceSignOut, changeSession, followSession } from './session.ts'
import { HOUR_MS } from '../../contract/duration.ts'
import type { SignedIn } from '../../contract/session.ts'

const SIGN_OUT = ['sign-out']

/** From the press on the page shows nothing of the session, whatever the server answers. */
export function useSignOut(): () => void {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: SIGN_OUT,
    // The menu that began it is gone, and a forgotten failure would bring the page back.
    gcTime: Infinity,
    mutationFn: () => {
      forgetOrganizations()
      announceSignOut()
      return deleteSession()
    },
    onSuccess: () => {
      // Here too, because the answer may come before the page is drawn again.
      client.getQueryCache().clear()
      changeSession('/', { ended: 'done' })
    },
  })
  return useCallback(() => {
    if (client.isMutating({ mutationKey: SIGN_OUT }) === 0) mutate()
  }, [client, mutate])
}

/** Absent before the first press. */
export const useSignOutState = (): { error: Problem | null } | undefined =>
  useMutationState({ filters: { mutationKey: SIGN_OUT }, select: ({ state: { error } }) => ({ error }) }).at(
    -1,
  )

/** Takes the place of every page. */
export function SigningOut({ error }: { error: Problem | null }) {
  const client = useQueryClient()
  const signOut = useSignOut()
  useTitle(error ? text().app.notSignedOut : text().app.signingOut)
  useEffect(() => client.getQueryCache().clear(), [client])
  useEffect(() => {
    if (!error) return undefined
    addEventListener('online', signOut)
    return () => removeEventListener('online', signOut)
  }, [error, signOut])
  if (!error) return <Waiting words={text().app.signingOut} />
  return (
    <>
      <Centre title={text().app.notSignedOut}>
        <Notice problem={error} next={{ label: text().app.tryAgain, run: signOut }} />
      </Centre>
      <Footer />
    </>
  )
}

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
    // The server extends a session that is in use.
    refetchInterval: 6 * HOUR_MS,
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
