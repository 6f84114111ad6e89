import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { OrganizationId } from '../contract/organization.ts'
import type { Problem } from '../contract/problem.ts'
import type { SignedIn } from '../contract/session.ts'
import { type Answer, organizationAddress } from './api.ts'
import styles from './data.module.css'
import { JsonView } from './json-view.tsx'
import { Notice } from './notice.tsx'
import { readPaid } from './paid-read.ts'
import { organizationQuery } from './query.ts'
import { followLink } from './router.ts'
import { signOut } from './sign-out.ts'
import { type Spend, SpendButton, SpendNotice, useSpend } from './spend-button.tsx'
import { agoWords, plural, useElapsed } from './time.ts'

export function Organization({ session }: { session: SignedIn }) {
  const client = useQueryClient()
  const query = organizationQuery(session)
  const { data, error, isFetching, refetch } = useQuery(query)
  const spend = useSpend(
    () => readPaid(organizationAddress(session)),
    // After a sign-out the query is gone, and so the answer is dropped.
    (answer) => client.getQueryState(query.queryKey) && client.setQueryData(query.queryKey, answer),
  )
  const offered = error?.code === 'costs_a_request' && !data
  return (
    <section className={styles.card} aria-labelledby="organization" aria-busy={spend.busy}>
      <div className={styles.top}>
        <div>
          <h2 id="organization">{organizationName(session)}</h2>
          {data && <AsOf answer={data} />}
        </div>
        {data && <SpendButton label="Refresh" anyway="Try anyway" spend={spend} shortcut="r" />}
      </div>
      <SpendNotice spend={spend} again="Try again" />
      {data && <JsonView text={data.text} />}
      {isFetching && !data && <p className={styles.quiet}>Looking for a copy, free…</p>}
      {offered && <Offer spend={spend} />}
      {error && !offered && !isFetching && <CopyNotice problem={error} again={() => void refetch()} />}
    </section>
  )
}

function Offer({ spend }: { spend: Spend }) {
  return (
    <div className={styles.offer}>
      <p>
        No copy of this organization is stored here. Reading it asks the service, and that costs one request
        of your month.
      </p>
      <SpendButton label="Read it" anyway="Try anyway" spend={spend} primary shortcut="r" />
    </div>
  )
}

function CopyNotice({ problem, again }: { problem: Problem; again: () => void }) {
  const client = useQueryClient()
  return (
    <Notice
      problem={problem}
      actions={{
        again: { label: 'Try again · free', run: again },
        sign_in: { label: 'Sign in again', run: () => void signOut(client) },
      }}
    />
  )
}

const organizationName = ({ organization_id: id }: SignedIn): string =>
  id === undefined ? 'The organization of your key' : `Organization ${id}`

function AsOf({ answer: { ageMs, atMs, spent } }: { answer: Answer }) {
  const elapsedMs = useElapsed(atMs)
  return (
    <p className={styles.quiet}>
      as of {agoWords(ageMs + elapsedMs)} · {spent > 0 ? `${plural(spent, 'request')} spent` : 'cached, free'}
    </p>
  )
}

export function OtherOrganization({ session, id }: { session: SignedIn; id: OrganizationId }) {
  const client = useQueryClient()
  const { organization_id: own } = session
  return (
    <section className={styles.card} aria-labelledby="other">
      <h2 id="other">This is not organization {id}</h2>
      <p>
        {own === undefined
          ? `You are signed in with an API key. It belongs to one organization, and it is not known whether that is ${id}.`
          : `You are signed in for organization ${own}. A sign-in is for one organization.`}
      </p>
      <div className={styles.offer}>
        <button type="button" data-kind="primary" onClick={() => void signOut(client)}>
          Sign out, and sign in for {id}
        </button>
        <a href="/" onClick={followLink}>
          {own === undefined ? 'See the organization of the key' : `Go to organization ${own}`}
        </a>
      </div>
    </section>
  )
}
