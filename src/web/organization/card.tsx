import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Problem } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import { type ReceivedAnswer, organizationAddress } from '../lib/api.ts'
import { organizationQuery } from '../lib/query.ts'
import { onServer } from '../lib/clock.ts'
import { text, words } from '../text/text.ts'
import data from '../components/data.module.css'
import { Notice } from '../components/notice.tsx'
import { beforeQuery } from '../record/queries.ts'
import { summaryOf, useOrganizationName } from '../record/organization-name.ts'
import { useSignOut } from '../session/sign-out.tsx'
import { SpendButton, SpendNotice } from '../spend/button.tsx'
import { type Paid, usePaidRead } from '../spend/paid.ts'
import { AllFields } from './all-fields.tsx'
import { AsOf } from './as-of.tsx'
import styles from './organization.module.css'
import { SummaryList } from './summary-list.tsx'

/** `awaited`: the page looks for a stored copy. `missing`: none is stored. */
type Stage = 'awaited' | 'missing' | 'failed' | 'shown'

export function OrganizationCard({ session }: { session: SignedIn }) {
  const client = useQueryClient()
  const { data: answer, error, isFetching, refetch } = useQuery(organizationQuery(session))
  const spend = usePaidRead('read', organizationAddress(session), (answer) =>
    storeAnswer(client, session, answer),
  )
  const failed = error?.code === 'costs_a_request' ? 'missing' : 'failed'
  const stage = answer ? 'shown' : isFetching ? 'awaited' : failed
  return (
    <section className={data.card} aria-labelledby="organization" aria-busy={spend.busy}>
      <Head stage={stage} spend={spend} />
      <SpendNotice spend={spend} again={text().app.tryAgain} />
      <Record answer={answer} stage={stage} session={session} />
      {error && failed === 'failed' && !isFetching && (
        <CopyNotice problem={error} again={() => void refetch()} />
      )}
    </section>
  )
}

/** The button stays the same element while its words change, so it keeps the focus. */
function Head({ stage, spend }: { stage: Stage; spend: Paid }) {
  const { organization: t } = words()
  return (
    <div className={styles.head}>
      <h2 id="organization">{t.heading}</h2>
      {stage !== 'failed' && (
        <div data-hidden={stage === 'awaited' || undefined}>
          <SpendButton label={stage === 'missing' ? t.read : t.refresh} spend={spend} primary />
        </div>
      )}
    </div>
  )
}

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
          {isRenamed && <strong className={data.changed}>{t.changed}</strong>}
        </h3>
        {shown && <AsOf {...shown} />}
        {stage === 'awaited' && <p className={data.quiet}>{t.looking}</p>}
        {stage === 'missing' && <p className={styles.missing}>{t.missing}</p>}
      </div>
      {stage === 'awaited' && <div className={styles.space} />}
      {shown && <SummaryList {...shown} />}
      {answer && <AllFields answer={answer} />}
    </div>
  )
}

/** Takes over the answer to a press, and remembers the answer that the page showed before it. */
function storeAnswer(client: QueryClient, session: SignedIn, answer: ReceivedAnswer): void {
  const { queryKey } = organizationQuery(session)
  // A sign-out has removed the query, so the answer is dropped.
  if (client.getQueryState(queryKey) === undefined) return
  const shown = client.getQueryData(queryKey)
  if (shown)
    client.setQueryData(beforeQuery(session).queryKey, { text: shown.text, readAtMs: readAtMs(shown) })
  client.setQueryData(queryKey, answer)
}

const readAtMs = ({ ageMs, atMs }: ReceivedAnswer): number => onServer(atMs) - ageMs

function CopyNotice({ problem, again }: { problem: Problem; again: () => void }) {
  return (
    <Notice
      problem={problem}
      again={again}
      actions={{ sign_in: { label: words().organization.signInAgain, run: useSignOut() } }}
    />
  )
}
