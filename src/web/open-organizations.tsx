import { useId, useState } from 'react'
import { asProblem } from '../contract/problem.ts'
import type { OtherSession } from '../contract/session.ts'
import { postUse } from './api.ts'
import styles from './known-organizations.module.css'
import { nameOf } from './last-organizations.ts'
import type { Reports } from './one-field.tsx'
import { navigate } from './router.ts'
import { openSession, recheckSession } from './session.ts'
import { text } from './text/text.ts'

/** The organizations that this browser is signed in to, but for the one in use: each is opened by one press, for free. */
export function OpenOrganizations({
  sessions,
  ...reports
}: Reports & { sessions: readonly OtherSession[] | undefined }) {
  const heading = useId()
  if (sessions === undefined) return null
  return (
    <section className={styles.last} aria-labelledby={heading}>
      <h2 id={heading}>{text().open.heading}</h2>
      <ul>
        {sessions.map((session) => (
          <li key={session.id}>
            <UseButton session={session} {...reports} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Opens the organization of another session of this browser. */
export function UseButton({ session, primary, onProblem }: UseButtonProps) {
  const [busy, setBusy] = useState(false)
  const t = text().open
  const press = async (): Promise<void> => {
    if (busy) return
    onProblem(undefined)
    setBusy(true)
    try {
      openSession(await postUse(session.id))
      navigate('/')
    } catch (cause) {
      setBusy(false)
      onProblem(asProblem(cause))
      // It may have ended meanwhile: then it goes from the list.
      void recheckSession()
    }
  }
  return (
    <button
      type="button"
      className={styles.direct}
      data-kind={primary ? 'primary' : undefined}
      aria-disabled={busy}
      aria-busy={busy}
      onClick={() => void press()}
    >
      {t.use(sessionWords(session))}
    </button>
  )
}

interface UseButtonProps extends Reports {
  session: OtherSession
  primary?: boolean
}

/** The organization of a session, by its name where this browser knows it. */
export function sessionWords({ organization_id: id }: Pick<OtherSession, 'organization_id'>): string {
  const t = text().open
  if (id === undefined) return t.ofKey
  const name = nameOf(id)
  return name === undefined ? t.numbered(id) : t.named(name, id)
}
