import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import type { SignedIn } from '../contract/session.ts'
import { MAX_OWN_SESSIONS, type OwnSession } from '../contract/sessions.ts'
import app from './app.module.css'
import data from './data.module.css'
import { type FreeWork, useFreeWork } from './free-work.ts'
import { deleteOtherSessions, deleteOwnSession, ownSessionsQuery } from './sessions-data.ts'
import styles from './sessions.module.css'
import { SidePage, useHeading } from './side-page.tsx'
import { signOut } from './sign-out.ts'
import { dateWords, plural } from './time.ts'

const WHOSE = {
  oauth:
    'The service does not say who a person is, so these are the sessions that were opened in this browser.',
  api_key: 'These are the sessions that were opened with your API key, in any browser.',
} as const

export function Sessions({ session }: { session: SignedIn }) {
  const { data: sessions, error, isFetching, refetch } = useQuery(ownSessionsQuery(session))
  const heading = useHeading()
  // The button that was pressed is gone then.
  const ending = useFreeWork(async () => {
    await refetch()
    heading.current?.focus()
  })
  return (
    <SidePage
      session={session}
      title="Your sessions"
      heading={heading}
      busy={isFetching || ending.busy}
      done={ending.done}
      problem={ending.problem ?? (isFetching ? undefined : error)}
      onAgain={() => void refetch()}
      lead={
        <>
          <p>{WHOSE[session.method]}</p>
          <p className={data.quiet}>
            At most {MAX_OWN_SESSIONS} are open: when another one is opened, the oldest ends. This page asks
            the service nothing.
          </p>
        </>
      }
    >
      {!sessions && isFetching && <p className={data.quiet}>Looking for your sessions…</p>}
      {sessions && <List sessions={sessions} ending={ending} />}
    </SidePage>
  )
}

function List({ sessions, ending }: { sessions: OwnSession[]; ending: FreeWork }) {
  const others = sessions.filter(({ current }) => !current)
  const endOthers = (): void =>
    void ending.run(deleteOtherSessions, `${plural(others.length, 'other session')} ended.`)
  return (
    <>
      <ul className={styles.list}>
        {sessions.map((session) => (
          <Row key={session.id} session={session} ending={ending} />
        ))}
      </ul>
      {others.length === 0 ? (
        <p className={data.quiet}>No other session is open.</p>
      ) : (
        <button type="button" className={styles.all} aria-disabled={ending.busy} onClick={endOthers}>
          End all others
        </button>
      )}
    </>
  )
}

function Row({ session, ending }: { session: OwnSession; ending: FreeWork }) {
  const client = useQueryClient()
  const name = useId()
  const { id, browser, current, opened_at, seen_at } = session
  const end = (): void =>
    current
      ? void signOut(client)
      : void ending.run(() => deleteOwnSession(id), `${browser}: the session has ended.`)
  return (
    <li className={styles.row} data-current={current}>
      <div className={styles.what}>
        <p id={name} className={styles.browser}>
          {browser} {current && <span className={app.method}>This browser</span>}
        </p>
        <p className={data.quiet}>
          <Instant label="Opened" at={opened_at} /> · <Instant label="last seen" at={seen_at} />
        </p>
      </div>
      <button type="button" aria-describedby={name} aria-disabled={ending.busy} onClick={end}>
        {current ? 'Sign out here' : 'End'}
      </button>
    </li>
  )
}

const Instant = ({ label, at }: { label: string; at: string }) => (
  <span className={styles.instant}>
    {label} <time dateTime={at}>{dateWords(Date.parse(at))}</time>
  </span>
)
