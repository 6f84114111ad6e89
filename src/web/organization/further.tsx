/** The ways from a page with a session into another organization. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { organizationPath } from '../../contract/organization.ts'
import type { SignedIn } from '../../contract/session.ts'
import { Notice } from '../components/notice.tsx'
import { isSameSession } from '../session/own.tsx'
import { type Entry, useEntry } from '../sign-in/entry.ts'
import { text, words } from '../text/text.ts'

/** `ended` says that the other session has ended. The page's own goes on. */
export type Further = Entry & { ended: string | undefined }

export function useFurther(session: SignedIn): Further {
  const client = useQueryClient()
  const entry = useEntry(session.authorize, organizationPath)
  const { problem, way } = entry
  useEffect(() => {
    // A session that has ended leaves the list.
    if (problem) void isSameSession(client, session)
    // oxlint-disable-next-line react/exhaustive-deps -- once a failure: each answer is another object
  }, [problem])
  const ended = problem?.code === 'signed_out' ? way?.named : undefined
  return { ...entry, ended: ended && words().organization.other.ended(ended) }
}

export function FurtherNotice({ entry: { problem, way, again, ended } }: { entry: Further }) {
  if (!problem) return null
  if (ended === undefined) return <Notice problem={problem} {...(way?.by === 'session' && { again })} />
  return (
    <section className="notice" role="alert">
      <h2>{ended}</h2>
      <p>{text().problem.signed_out.message}</p>
    </section>
  )
}
