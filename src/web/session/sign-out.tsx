/** A sign-out: from the press on the page shows nothing of the session, whatever the server answers. */
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import type { Problem } from '../../contract/problem.ts'
import { Centre, Waiting } from '../components/centre.tsx'
import { deleteSession } from '../lib/api.ts'
import { Notice } from '../components/notice.tsx'
import { Footer } from '../preferences/choices.tsx'
import { text } from '../text/text.ts'
import { forgetOrganizations } from './last-organizations.ts'
import { announceSignOut, changeSession } from './session.ts'

const KEY = ['sign-out']

export function useSignOut(): () => void {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: KEY,
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
    if (client.isMutating({ mutationKey: KEY }) === 0) mutate()
  }, [client, mutate])
}

/** Absent before the first press. */
export const useSignOutState = (): { error: Problem | null } | undefined =>
  useMutationState({ filters: { mutationKey: KEY }, select: ({ state: { error } }) => ({ error }) }).at(-1)

/** Takes the place of every page. */
export function SigningOut({ error }: { error: Problem | null }) {
  const client = useQueryClient()
  const signOut = useSignOut()
  useEffect(() => client.getQueryCache().clear(), [client])
  useEffect(() => {
    if (!error) return undefined
    addEventListener('online', signOut)
    return () => removeEventListener('online', signOut)
  }, [error, signOut])
  if (!error) return <Waiting words={text().app.signingOut} />
  return (
    <>
      <Centre title={text().app.signedOutHere}>
        <Notice problem={error} next={{ label: text().app.tryAgain, run: signOut }} />
      </Centre>
      <Footer />
    </>
  )
}
