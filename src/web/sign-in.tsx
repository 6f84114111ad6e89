import { useState } from 'react'
import type { OrganizationId } from '../contract/organization.ts'
import { Problem } from '../contract/problem.ts'
import type { SessionEnd, SignedOut } from '../contract/session.ts'
import { MAX_OWN_SESSIONS } from '../contract/sessions.ts'
import { KeyForm } from './key-form.tsx'
import { Mark } from './mark.tsx'
import { Notice } from './notice.tsx'
import { OrganizationForm } from './organization-form.tsx'
import { currentAddress } from './return-to.ts'
import { useTitle } from './router.ts'
import styles from './sign-in.module.css'
import { text } from './text/text.ts'
import { useUi } from './ui.ts'

type Application = SignedOut['authorize']

export function SignIn({
  application,
  ended: end,
}: {
  application: Application
  ended?: SessionEnd | undefined
}) {
  const t = text().signIn
  useTitle(t.title)
  const signOut = useUi((ui) => ui.signOut)
  const [problem, setProblem] = useState<Problem>()
  const because = signOut?.kind === 'ended' ? signOut.problem : undefined
  const ended = end === undefined ? because : new Problem('signed_out', { detail: endWords(end) })
  const shown = problem ?? ended
  const home = new URL(application.redirect_uri).origin
  const start = async (id: OrganizationId): Promise<void> => {
    const { startSignIn } = await import('./authorize.ts').catch(unreachable)
    location.assign(await startSignIn(application, id, currentAddress()))
  }
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <p className={styles.mark}>
          <Mark size={64} />
        </p>
        <h1>Plimsoll</h1>
        <p className={styles.lead}>{t.lead}</p>
        {signOut?.kind === 'done' && <output className={styles.done}>{t.done}</output>}
        {shown && <Notice problem={shown} actions={below()} />}
        {home === location.origin ? (
          <OrganizationForm start={start} onProblem={setProblem} />
        ) : (
          <OtherAddress home={home} />
        )}
        <details className={styles.other}>
          <summary>{t.key.summary}</summary>
          <KeyForm onProblem={setProblem} />
        </details>
      </div>
    </main>
  )
}

/** A sign-in that begins at another address than the redirect URI ends there, without the state of this page. */
function OtherAddress({ home }: { home: string }) {
  const t = text().signIn.otherAddress
  return (
    <div className={styles.form}>
      <p>{t.words(home)}</p>
      <p>
        <a href={home + currentAddress()}>{t.go(home)}</a>
      </p>
    </div>
  )
}

function endWords(end: SessionEnd): string {
  const { elsewhere, too_many } = text().signIn.ended
  return end === 'elsewhere' ? elsewhere : too_many(MAX_OWN_SESSIONS)
}

const focusField = (): void => document.querySelector<HTMLElement>('form input')?.focus()

function below() {
  const { sign_in, again } = text().signIn.below
  return { sign_in: { label: sign_in, run: focusField }, again: { label: again, run: focusField } }
}

const unreachable = (cause: unknown): never => {
  throw new Problem('bff_unreachable', { cause })
}
