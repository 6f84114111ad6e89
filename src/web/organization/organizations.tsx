import { useState } from 'react'
import { organizationPath } from '../../contract/organization.ts'
import type { Problem } from '../../contract/problem.ts'
import { MOST_ORGANIZATIONS, type OtherSession, type SignedIn } from '../../contract/session.ts'
import app from '../components/app.module.css'
import data from '../components/data.module.css'
import { failedSignIn } from '../sign-in/failed-attempt.ts'
import { KeyForm } from '../sign-in/key-form.tsx'
import { KnownOrganizations } from '../sign-in/known-organizations.tsx'
import { Notice } from '../components/notice.tsx'
import { useFree } from '../components/use-free.ts'
import { openOther, sessionWords } from '../sign-in/open-organizations.tsx'
import { OrganizationForm } from '../sign-in/organization-form.tsx'
import { useOrganizationName } from '../record/organization-name.ts'
import styles from './organizations.module.css'
import known from '../sign-in/known-organizations.module.css'
import { SidePage, useHeading } from '../layout/side-page.tsx'
import { usePriceFacts } from '../quota/query.ts'
import { signInPrice } from '../sign-in/price.ts'
import { useStart } from '../sign-in/start.ts'
import { text, words } from '../text/text.ts'

/** Lists the organizations that this browser is signed in to, and adds another one. */
export function Organizations({ session }: { session: SignedIn }) {
  const heading = useHeading()
  const opening = useFree(openOther)
  const { busy, problem, again } = opening
  const t = words().organizations
  const { others = [] } = session
  return (
    <SidePage
      session={session}
      title={words().header.organizations}
      heading={heading}
      busy={busy}
      problem={problem}
      onAgain={again}
      lead={
        <>
          <p>{t.words}</p>
          <p className={data.quiet}>{t.most(MOST_ORGANIZATIONS)}</p>
        </>
      }
      below={<Further session={session} />}
    >
      <div className={data.card}>
        <ul className={styles.list}>
          <li>
            <InUse session={session} />
          </li>
          <Others sessions={others} busy={busy} open={opening.run} />
        </ul>
      </div>
    </SidePage>
  )
}

interface OthersProps {
  sessions: readonly OtherSession[]
  busy: boolean
  open: (session: OtherSession) => void
}

function Others({ sessions, busy, open }: OthersProps) {
  return sessions.map((session) => (
    <li key={session.id}>
      <button type="button" className={known.direct} aria-disabled={busy} onClick={() => open(session)}>
        {text().open.use(sessionWords(session))}
      </button>
    </li>
  ))
}

function InUse({ session }: { session: SignedIn }) {
  const name = useOrganizationName(session)
  const id = session.organization_id
  return (
    <p className={styles.inUse} aria-current="true">
      <bdi>{id === undefined ? name : sessionWords(session)}</bdi>{' '}
      <span className={app.method}>{words().organizations.inUse}</span>
    </p>
  )
}

function Further({ session }: { session: SignedIn }) {
  const { authorize, sandbox, others = [] } = session
  const [problem, setProblem] = useState<Problem>()
  const start = useStart(authorize, organizationPath)
  const [typed] = useState(() => failedSignIn()?.organizationId ?? '')
  const open = [session, ...others].map(({ organization_id: id }) => id)
  const form = { start, price: signInPrice(usePriceFacts(session)), onProblem: setProblem }
  return (
    <section className={data.card} aria-labelledby="further">
      <h2 id="further">{words().organizations.further}</h2>
      {problem && <Notice problem={problem} />}
      <div className={styles.further}>
        <KnownOrganizations sandbox={sandbox} without={open} {...form} />
        <OrganizationForm initial={typed} {...form} />
        <details>
          <summary>{text().signIn.key.summary}</summary>
          <KeyForm onProblem={setProblem} />
        </details>
      </div>
    </section>
  )
}
