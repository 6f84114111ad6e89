/** A sign-out: from the press on the page shows nothing of the session, whatever the server answers. */
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import type { Problem } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import { Mark } from '../components/icons.tsx'
import { Waiting } from '../components/centre.tsx'
import { deleteSession } from '../lib/api.ts'
import { useTitle } from '../lib/router.ts'
import { Footer } from '../preferences/footer.tsx'
import { dateWords } from '../text/format.ts'
import { text } from '../text/text.ts'
import { forgetOrganizations } from './last-organizations.ts'
import { endOf } from './query.ts'
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
      // The answer may come before the page is drawn again.
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

/** In place of every page. */
export function SigningOut({ error, own }: { error: Problem | null; own: SignedIn }) {
  const client = useQueryClient()
  // Read once: whatever observes the session after the cache is emptied asks for it again.
  const [endsAtMs] = useState(() => endOf(client, own))
  const signOut = useSignOut()
  useEffect(() => client.getQueryCache().clear(), [client])
  useEffect(() => {
    if (!error) return undefined
    addEventListener('online', signOut)
    return () => removeEventListener('online', signOut)
  }, [error, signOut])
  return error ? (
    <Unreported problem={error} endsAtMs={endsAtMs} again={signOut} />
  ) : (
    <Waiting words={text().app.signingOut} />
  )
}

interface UnreportedProps {
  problem: Problem
  endsAtMs: number
  again: () => void
}

function Unreported({ problem: { code, supportId }, endsAtMs, again }: UnreportedProps) {
  const t = text().app.unreported
  useTitle(t.title)
  return (
    <>
      <main id="main" className="centre">
        <Mark size={56} />
        <h1>{t.heading}</h1>
        <p>{t.words(dateWords(endsAtMs))}</p>
        <p role="alert">{t.problem(text().problem[code].title, supportId)}</p>
        <button type="button" data-kind="primary" onClick={again}>
          {t.again}
        </button>
      </main>
      <Footer />
    </>
  )
}
