import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import type { Problem } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import { Notice } from '../components/notice.tsx'
import { organizationAddress, type ReceivedAnswer } from '../lib/api.ts'
import { useElapsed } from '../lib/clock.ts'
import { latePart } from '../components/late-part.tsx'
import { nextTask } from '../lib/late.ts'
import { organizationQuery } from '../lib/query.ts'
import { usePriceFacts } from '../quota/query.ts'
import { isSameSession } from '../session/own.tsx'
import { signInPrice } from '../sign-in/entry.ts'
import { SpendButton, SpendNotice, spentWords } from '../spend/button.tsx'
import { usePaidRead } from '../spend/paid.ts'
import { agoWords, listText, writtenDayWords } from '../text/format.ts'
import { text, words } from '../text/text.ts'
import {
  useOrganizationName,
  planNamed,
  summaryOf,
  changedFields,
  type Person,
  type Summary,
} from './summary.ts'
import { FurtherNotice, useFurther } from './further.tsx'
import styles from './organization.module.css'
import { List } from '../text/sentence.tsx'
import type { OrganizationId } from '../../contract/organization.ts'
import { followLink } from '../lib/router.ts'
import { useLastOrganizations } from '../session/last-organizations.ts'
import { SignInButton, UseButton } from '../sign-in/organizations.tsx'

export function OrganizationCard({ session }: { session: SignedIn }) {
  const client = useQueryClient()
  const query = organizationQuery(session)
  const { data: answer, error, refetch } = useQuery(query)
  const [before, setBefore] = useState<string>()
  const spend = usePaidRead('read', organizationAddress(session), (read) => {
    setBefore(answer?.text)
    // The read has confirmed the session, so it ends later than the page says.
    if (session.confirmed === false) void isSameSession(client, session)
    // A sign-out has removed the query, so the answer is dropped.
    if (client.getQueryState(query.queryKey)) client.setQueryData(query.queryKey, read)
  })
  const { organization: t } = words()
  const stage = stageOf(answer, error)
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
function stageOf(answer: ReceivedAnswer | null | undefined, error: Problem | null) {
  if (answer === undefined) return error ? 'failed' : 'awaited'
  return answer ? 'shown' : 'missing'
}

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
  return (
    <p className={styles.asOf}>
      <span>{id === undefined ? age.plain(ago) : age.numbered(id, ago)}</span>{' '}
      <span>{answer.spent > 0 ? cost.spent(spentWords(answer, facts)) : cost.stored}</span>{' '}
      {/* Each press makes a new element, so that the same words are announced again. */}
      <output key={answer.atMs}>{before !== undefined && <bdi>{changeWords(before, answer)}</bdi>}</output>
    </p>
  )
}

const Fields = latePart(
  () => import('./fields.tsx').then(({ Fields }) => Fields),
  () => <p className="quiet">{text().app.loadingPage}</p>,
)

/** All fields are drawn when they are opened for the first time. */
function Record({ answer }: { answer: ReceivedAnswer }) {
  const [wasOpen, setWasOpen] = useState(false)
  // Loaded when the summary is on the page, so that it opens at once.
  useEffect(
    () =>
      void nextTask()
        .then(Fields.preload)
        .catch(() => {}),
    [],
  )
  return (
    <>
      <SummaryList answer={answer} />
      <details onToggle={({ currentTarget }) => currentTarget.open && setWasOpen(true)}>
        <summary>{words().organization.allFields}</summary>
        {wasOpen && <Fields answer={answer} />}
      </details>
    </>
  )
}

/** The few facts that most people look for, in this order. */
const FACTS = {
  plan: ({ plan }) => {
    const named = planNamed(plan)
    return <bdi>{named ? words().organization.plans[named] : plan}</bdi>
  },
  members: ({ members = [] }) => <People of={members} />,
  address: ({ address }) => <bdi>{address}</bdi>,
  created: ({ created = '' }) => <time dateTime={created}>{writtenDayWords(created)}</time>,
} satisfies Partial<Record<keyof Summary, (summary: Summary) => ReactNode>>
const MOST_PEOPLE = 6

export function SummaryList({ answer }: { answer: { text: string } }) {
  const { organization: t } = words()
  const summary = summaryOf(answer)
  const all = Object.keys(FACTS) as (keyof typeof FACTS)[]
  const facts = all.filter((fact) => summary[fact] !== undefined)
  if (facts.length === 0) return null
  return (
    <dl className={styles.summary}>
      {facts.map((fact) => (
        <div key={fact}>
          <dt>{t.labels[fact]}</dt>
          <dd>{FACTS[fact](summary)}</dd>
        </div>
      ))}
    </dl>
  )
}

function People({ of: people }: { of: readonly Person[] }): ReactNode {
  const { organization: t } = words()
  const names = people
    .slice(0, MOST_PEOPLE)
    .map(({ name, isAdministrator }) => (
      <bdi key={name}>{isAdministrator ? t.administrator(name) : name}</bdi>
    ))
  const more = people.length - names.length
  return <List of={more > 0 ? [...names, t.moreMembers(more)] : names} />
}

/** For the address of an organization that does not belong to the session in use. */
export function OtherOrganization({ session, id }: { session: SignedIn; id: OrganizationId }) {
  const { organization_id: own, others = [] } = session
  const entry = useFurther(session)
  const price = signInPrice(usePriceFacts(session))
  const { other: t } = words().organization
  const open = others.find(({ organization_id }) => organization_id === id)
  const known = useLastOrganizations().find((one) => one.id === id) ?? { id }
  return (
    <section className="card" aria-labelledby="other">
      <h2 id="other">{t.heading(id)}</h2>
      <p>{own === undefined ? t.ofKey(id) : t.own(own)}</p>
      <FurtherNotice entry={entry} />
      <div className="stack">
        {open ? (
          <UseButton session={open} primary entry={entry} />
        ) : (
          <>
            <p>{t.stays}</p>
            <SignInButton of={known} price={price} entry={entry} />
          </>
        )}
        <a href="/" onClick={followLink}>
          {own === undefined ? t.goToKey : t.goToOwn(own)}
        </a>
      </div>
    </section>
  )
}
