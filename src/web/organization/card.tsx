import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Problem } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import { Notice } from '../components/notice.tsx'
import { organizationAddress, type ReceivedAnswer } from '../lib/api.ts'
import { useElapsed } from '../lib/clock.ts'
import { late, nextTask } from '../lib/late.ts'
import { organizationQuery } from '../lib/query.ts'
import { usePriceFacts } from '../quota/query.ts'
import { arrival } from '../session/session.ts'
import { sameSignInPrice } from '../sign-in/entry.ts'
import { SpendButton, SpendNotice } from '../spend/button.tsx'
import { usePaidRead } from '../spend/paid.ts'
import { spentWords } from '../spend/price.ts'
import { agoWords, listText } from '../text/format.ts'
import { text, words } from '../text/text.ts'
import { useOrganizationName } from './name.ts'
import styles from './organization.module.css'
import { changedFields } from './summary.ts'
import { SummaryList } from './summary-list.tsx'

export function OrganizationCard({ session }: { session: SignedIn }) {
  const client = useQueryClient()
  const query = organizationQuery(session)
  const { data: answer, error, isFetching, refetch } = useQuery(query)
  const [before, setBefore] = useState<string>()
  const spend = usePaidRead('read', organizationAddress(session), (read) => {
    setBefore(answer?.text)
    // A sign-out has removed the query, so the answer is dropped.
    if (client.getQueryState(query.queryKey)) client.setQueryData(query.queryKey, read)
  })
  const { organization: t } = words()
  const stage = answer ? 'shown' : isFetching ? 'awaited' : stageOf(error)
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
      <div>
        <h3 className={styles.name}>
          <bdi>{useOrganizationName(session)}</bdi>
        </h3>
        {answer && <AsOf answer={answer} before={before} session={session} />}
        {stage === 'missing' && <Missing session={session} />}
      </div>
      {answer && <Record answer={answer} />}
      {stage === 'awaited' && <div className={styles.space} />}
      {error && stage === 'failed' && <Notice problem={error} again={() => void refetch()} />}
    </section>
  )
}

const Missing = ({ session }: { session: SignedIn }) => {
  const { missing, unconfirmed } = words().organization
  return <p>{session.confirmed === false ? unconfirmed : missing}</p>
}

/** `missing`: no copy is stored. */
const stageOf = (error: Problem | null) => (error?.code === 'costs_a_request' ? 'missing' : 'failed')

interface AsOfProps {
  answer: ReceivedAnswer
  /** The text of the answer that this page showed before. */
  before: string | undefined
  session: SignedIn
}

const MOST_NAMES = 8

function changeWords(before: string, { text: now }: ReceivedAnswer): string {
  const t = words().organization
  if (before === now) return t.unchanged
  const names = changedFields(before, now)
  const more = names.length - MOST_NAMES
  return t.changed(listText(more > 0 ? [...names.slice(0, MOST_NAMES), t.andMore(more)] : names))
}

/** Says when the record was read, what that cost, and what has changed. */
function AsOf({ answer, before, session }: AsOfProps) {
  const { age, cost } = words().organization
  const { organization_id: id } = session
  const facts = usePriceFacts(session)
  const ago = agoWords(answer.ageMs + useElapsed(answer.atMs))
  const atSignIn = arrival().hasRead ? cost.signIn(sameSignInPrice(facts, session)) : cost.stored
  return (
    <p className={styles.asOf}>
      <span>{id === undefined ? age.plain(ago) : age.numbered(id, ago)}</span>{' '}
      <span>{answer.spent > 0 ? cost.spent(spentWords(answer, facts)) : atSignIn}</span>{' '}
      {/* Each press makes a new element, so that the same words are announced again. */}
      <output key={answer.atMs}>{before !== undefined && <bdi>{changeWords(before, answer)}</bdi>}</output>
    </p>
  )
}

const loadFields = () => late(import('./fields.tsx'))
const Fields = lazy(() => loadFields().then(({ Fields }) => ({ default: Fields })))

/** All fields are drawn when they are opened for the first time. */
function Record({ answer }: { answer: ReceivedAnswer }) {
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
    <>
      <SummaryList answer={answer} />
      <details onToggle={({ currentTarget }) => currentTarget.open && setWasOpen(true)}>
        <summary>{words().organization.allFields}</summary>
        {wasOpen && (
          <Suspense fallback={<p className="quiet">{text().app.loadingPage}</p>}>
            <Fields answer={answer} />
          </Suspense>
        )}
      </details>
    </>
  )
}
