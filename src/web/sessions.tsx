import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { asProblem, type Problem } from '../contract/problem.ts'
import type { SignedIn } from '../contract/session.ts'
import { MAX_OWN_SESSIONS, type OwnSession } from '../contract/sessions.ts'
import { deleteOtherSessions, deleteOwnSession } from './api.ts'
import app from './app.module.css'
import data from './data.module.css'
import { Header } from './header.tsx'
import { Notice } from './notice.tsx'
import { ownSessionsQuery } from './query.ts'
import { followLink, useTitle } from './router.ts'
import styles from './sessions.module.css'
import { signOut } from './sign-out.ts'
import { dateWords, plural } from './time.ts'

const WHOSE = {
  oauth:
    'The service does not say who a person is, so these are the sessions that were opened in this browser.',
  api_key: 'These are the sessions that were opened with your API key, in any browser.',
} as const

export function Sessions({ session }: { session: SignedIn }) {
  useTitle('Your sessions')
  const { data: sessions, error, isFetching, refetch } = useQuery(ownSessionsQuery(session))
  const heading = useRef<HTMLHeadingElement>(null)
  const headingId = useId()
  useEffect(() => heading.current?.focus(), [])
  // The button that was pressed is gone then.
  const ending = useEnding(async () => {
    await refetch()
    heading.current?.focus()
  })
  const problem = ending.problem ?? (isFetching ? undefined : error)
  return (
    <>
      <Header session={session} />
      <main className={app.main}>
        <section className={data.card} aria-labelledby={headingId} aria-busy={isFetching || ending.busy}>
          <div className={styles.lead}>
            <h1 id={headingId} tabIndex={-1} ref={heading}>
              Your sessions
            </h1>
            <p>{WHOSE[session.method]}</p>
            <p className={data.quiet}>
              At most {MAX_OWN_SESSIONS} are open: when another one is opened, the oldest ends. This page asks
              the service nothing.
            </p>
          </div>
          <output className={ending.done === '' ? 'unseen' : styles.done}>{ending.done}</output>
          {problem && <Notice problem={problem} actions={{ again: retryOf(refetch) }} />}
          {!sessions && isFetching && <p className={data.quiet}>Looking for your sessions…</p>}
          {sessions && <List sessions={sessions} ending={ending} />}
        </section>
        <p>
          <a href="/" onClick={followLink}>
            Back to quota and organization
          </a>
        </p>
      </main>
    </>
  )
}

const retryOf = (refetch: () => unknown) => ({ label: 'Try again · free', run: () => void refetch() })

/** Ends sessions, one press at a time. @param after runs when the server has confirmed it */
function useEnding(after: () => Promise<void>) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const [done, setDone] = useState('')
  const run = async (work: () => Promise<void>, sentence: string): Promise<void> => {
    if (busy) return
    setBusy(true)
    setDone('')
    setProblem(undefined)
    try {
      await work()
      await after()
      setDone(sentence)
    } catch (error) {
      setProblem(asProblem(error))
    }
    setBusy(false)
  }
  return { busy, problem, done, run }
}

type Ending = ReturnType<typeof useEnding>

function List({ sessions, ending }: { sessions: OwnSession[]; ending: Ending }) {
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

function Row({ session, ending }: { session: OwnSession; ending: Ending }) {
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
