/** A sign-out: from the press on the page shows nothing of the session, whatever the server answers. */
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import type { Problem } from '../../contract/problem.ts'
import app from '../components/app.module.css'
import { Mark } from '../components/icons.tsx'
import { Waiting } from '../components/waiting.tsx'
import { deleteSession } from '../lib/api.ts'
import { useTitle } from '../lib/router.ts'
import { dateWords } from '../text/format.ts'
import { Footer } from '../preferences/footer.tsx'
import { text } from '../text/text.ts'
import { SIGN_OUT_KEY } from '../quota/query.ts'
import { forgetOrganizations } from './last-organizations.ts'
import { announceSignOut, changeSession } from './session.ts'

export function useSignOut(): () => void {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: SIGN_OUT_KEY,
    mutationFn: () => {
      announceSignOut()
      return deleteSession()
    },
    onSuccess: () => changeSession('/', { ended: 'done' }),
  })
  return useCallback(() => {
    if (client.isMutating({ mutationKey: SIGN_OUT_KEY }) === 0) mutate()
  }, [client, mutate])
}

/** Absent before the first press. */
export const useSignOutState = (): { error: Problem | null } | undefined =>
  useMutationState({
    filters: { mutationKey: SIGN_OUT_KEY },
    select: ({ state: { error } }) => ({ error }),
  }).at(-1)

/** In place of every page. @param endsAtMs when the session ends by itself, UNIX milliseconds */
export function SigningOut({ error, endsAtMs }: { error: Problem | null; endsAtMs: number }) {
  const client = useQueryClient()
  const signOut = useSignOut()
  useEffect(() => {
    // What is drawn once more must not ask again.
    const { queries, ...others } = client.getDefaultOptions()
    client.setDefaultOptions({ ...others, queries: { ...queries, enabled: false } })
    client.getQueryCache().clear()
    forgetOrganizations()
  }, [client])
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
      <main id="main" className={app.centre}>
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
