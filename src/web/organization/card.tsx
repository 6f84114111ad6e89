import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useDeferredValue, useEffect, useState } from 'react'
import type { SignedIn } from '../../contract/session.ts'
import { Notice } from '../components/notice.tsx'
import { organizationAddress, type ReceivedAnswer } from '../lib/api.ts'
import { onServer } from '../lib/clock.ts'
import { late, nextTask } from '../lib/late.ts'
import { organizationQuery } from '../lib/query.ts'
import { useSignOut } from '../session/sign-out.tsx'
import { SpendButton, SpendNotice } from '../spend/button.tsx'
import { usePaidRead } from '../spend/paid.ts'
import { text, words } from '../text/text.ts'
import { AsOf } from './as-of.tsx'
import { beforeQuery, summaryOf, useOrganizationName } from './name.ts'
import styles from './organization.module.css'
import { SummaryList } from './summary-list.tsx'

/** `awaited`: the page looks for a stored copy. `missing`: none is stored. */
type Stage = 'awaited' | 'missing' | 'failed' | 'shown'

export function OrganizationCard({ session }: { session: SignedIn }) {
  const client = useQueryClient()
  const query = organizationQuery(session)
  const { data: newest, error, isFetching, refetch } = useQuery(query)
  // It is drawn in steps: it may have many members, and the phone may be slow.
  const answer = useDeferredValue(newest)
  const spend = usePaidRead('read', organizationAddress(session), (answer) => {
    const shown = client.getQueryData(query.queryKey)
    // The next one names what is new in it.
    if (shown)
      client.setQueryData(beforeQuery(session).queryKey, { text: shown.text, readAtMs: readAtMs(shown) })
    // A sign-out has removed the query, so the answer is dropped.
    if (client.getQueryState(query.queryKey)) client.setQueryData(query.queryKey, answer)
  })
  const signInAgain = { label: words().organization.signInAgain, run: useSignOut() }
  const failed = error?.code === 'costs_a_request' ? 'missing' : 'failed'
  const stage: Stage = answer ? 'shown' : isFetching || newest ? 'awaited' : failed
  const { organization: t } = words()
  return (
    <section className="card" aria-labelledby="organization" aria-busy={spend.busy}>
      <div className={styles.head}>
        <h2 id="organization">{t.heading}</h2>
        {stage !== 'failed' && (
          // The button stays the same element while its words change, so it keeps the focus.
          <div data-hidden={stage === 'awaited' || undefined}>
            <SpendButton label={stage === 'missing' ? t.read : t.refresh} spend={spend} primary />
          </div>
        )}
      </div>
      <SpendNotice spend={spend} again={text().app.tryAgain} />
      <Record answer={answer} stage={stage} session={session} />
      {error && stage === 'failed' && (
        <Notice problem={error} again={() => void refetch()} actions={{ sign_in: signInAgain }} />
      )}
    </section>
  )
}

const readAtMs = ({ ageMs, atMs }: ReceivedAnswer): number => onServer(atMs) - ageMs

interface RecordProps {
  answer: ReceivedAnswer | undefined
  stage: Stage
  session: SignedIn
}

function Record({ answer, stage, session }: RecordProps) {
  const { data: before } = useQuery(beforeQuery(session))
  const name = useOrganizationName(session)
  const { organization: t } = words()
  const shown = answer && { answer, before, session }
  const isRenamed = answer && before && summaryOf(answer).name !== summaryOf(before).name
  return (
    <div className={styles.record}>
      <div>
        <h3 className={styles.name}>
          <bdi>{name}</bdi>
          {isRenamed && <strong className="tag">{t.changed}</strong>}
        </h3>
        {shown && <AsOf {...shown} />}
        {stage === 'awaited' && <p className="quiet">{t.looking}</p>}
        {stage === 'missing' && (
          <p className={styles.missing}>{session.confirmed === false ? t.unconfirmed : t.missing}</p>
        )}
      </div>
      {stage === 'awaited' && <div className={styles.space} />}
      {shown && <SummaryList {...shown} />}
      {answer && <AllFields answer={answer} />}
    </div>
  )
}

const loadFields = () => late(import('./fields.tsx'))
const Fields = lazy(() => loadFields().then(({ Fields }) => ({ default: Fields })))

/** Drawn when it is opened for the first time. */
function AllFields({ answer }: { answer: ReceivedAnswer }) {
  const [wasOpen, setWasOpen] = useState(false)
  // Loaded when the summary is on the page, so that it opens at once.
  useEffect(
    () =>
      void nextTask()
        .then(loadFields)
        .catch(() => {}),
    [],
  )
  return (
    <details className={styles.all} onToggle={({ currentTarget }) => currentTarget.open && setWasOpen(true)}>
      <summary>{words().organization.allFields}</summary>
      {wasOpen && (
        <Suspense fallback={<p className="quiet">{text().app.loadingPage}</p>}>
          <Fields answer={answer} />
        </Suspense>
      )}
    </details>
  )
}
