import { onServer } from '../lib/server-time.ts'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { MINUTE_MS } from '../../contract/duration.ts'
import type { Problem } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import { type ReceivedAnswer, organizationAddress } from '../lib/api.ts'
import styles from '../components/data.module.css'
import { Notice } from '../components/notice.tsx'
import { beforeQuery } from '../record/queries.ts'
import { useKnownName, useOrganizationName } from '../record/organization-name.ts'
import { useSameSignInPrice } from '../sign-in/price.ts'
import { spentWords } from '../spend/price.ts'
import { readPaid } from '../spend/paid-read.ts'
import { organizationQuery } from '../lib/query.ts'
import { Room } from '../components/room.tsx'
import { useSessionState } from '../session/session.ts'
import { signOut } from '../session/sign-out.ts'
import { type Spend, SpendButton, SpendNotice, useSpend } from '../spend/button.tsx'
import { signedInText, text } from '../text/text.ts'
import { agoWords, useElapsed } from '../lib/time.ts'
import { useUi } from '../lib/ui.ts'

// Loaded at once, in parallel with the record.
const viewModule = import('../record/view.tsx')
const JsonView = lazy(() => viewModule.then(({ JsonView }) => ({ default: JsonView })))

export function OrganizationCard({ session }: { session: SignedIn }) {
  const client = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery(organizationQuery(session))
  const spend = useSpend(
    'read',
    () => readPaid(organizationAddress(session)),
    (answer) => storeAnswer(client, session, answer),
  )
  const { organization: t } = signedInText()
  const offered = error?.code === 'costs_a_request' && !data
  return (
    <section className={styles.card} aria-labelledby="organization" aria-busy={spend.busy}>
      <div className={styles.top}>
        <div className={styles.heading}>
          <Name session={session} />
          {data && <AsOf answer={data} session={session} />}
        </div>
        {data && <SpendButton label={t.refresh} anyway={t.anyway} spend={spend} shortcut="r" />}
      </div>
      <SpendNotice spend={spend} again={t.again} />
      {data && <Record text={data.text} session={session} />}
      {isFetching && !data && <Space words={t.looking} />}
      {offered && <Offer spend={spend} />}
      {error && !offered && !isFetching && <CopyNotice problem={error} again={() => void refetch()} />}
    </section>
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

const readAtMs = ({ ageMs, atMs }: ReceivedAnswer): number =>
  onServer(Date.now()) - (performance.now() - atMs) - ageMs

function Name({ session }: { session: SignedIn }) {
  const known = useKnownName(session)
  const name = useOrganizationName(session)
  const { organization_id: id } = session
  return (
    <>
      <h2 id="organization">
        <bdi>{name}</bdi>
      </h2>
      {known !== undefined && id !== undefined && (
        <p className={styles.quiet}>{signedInText().organization.numbered(id)}</p>
      )}
    </>
  )
}

function Record({ text: json, session }: { text: string; session: SignedIn }) {
  const { data: before } = useQuery(beforeQuery(session))
  return (
    <Suspense fallback={<Space words={text().app.loadingPage} />}>
      <JsonView
        text={json}
        before={before}
        file={`organization-${session.organization_id ?? 'of-key'}.json`}
      />
    </Suspense>
  )
}

/** About as high as a record, so that nothing below jumps. */
const Space = ({ words }: { words: string }) => (
  <p className={styles.quiet} style={{ minHeight: '32rem' }} data-awaited="">
    {words}
  </p>
)

function Offer({ spend }: { spend: Spend }) {
  const { organization: t } = signedInText()
  return (
    <div className={styles.offer}>
      <p>{t.missing}</p>
      <SpendButton label={t.read} anyway={t.anyway} spend={spend} primary shortcut="r" />
    </div>
  )
}

function CopyNotice({ problem, again }: { problem: Problem; again: () => void }) {
  return (
    <Notice
      problem={problem}
      actions={{
        again: { label: text().app.tryAgainFree, run: again },
        sign_in: { label: signedInText().organization.signInAgain, run: () => void signOut() },
      }}
    />
  )
}

const RECENT_MS = MINUTE_MS
/** An age whose words are as long as most others. */
const LONG_AGO_MS = 59 * MINUTE_MS

/** Says when the record was read, and at which price. */
function AsOf({ answer, session }: { answer: ReceivedAnswer; session: SignedIn }) {
  const { asOf } = signedInText().organization
  const { ageMs, atMs, spent } = answer
  const facts = useUi(({ quota }) => quota?.snapshot)
  const price = useSameSignInPrice(session)
  const isFresh = useSessionState(({ openedId }) => openedId === session.id)
  const passedMs = ageMs + useElapsed(atMs)
  const ago = agoWords(passedMs)
  const longest = [0, LONG_AGO_MS].map(agoWords)
  const atSignIn = passedMs < RECENT_MS ? asOf.signIn(price) : asOf.signInAgo(ago, price)
  const free = isFresh ? atSignIn : asOf.stored(ago)
  return (
    <Room
      className={styles.quiet}
      others={longest.flatMap((age) => [asOf.stored(age), asOf.spent(age, text().app.requests(1, 2))])}
    >
      {spent > 0 ? asOf.spent(ago, spentWords(answer, facts)) : free}
    </Room>
  )
}
