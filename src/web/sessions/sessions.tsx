import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { PATHS } from '../../contract/page.ts'
import type { SignedIn } from '../../contract/session.ts'
import { MAX_OWN_SESSIONS, type OwnSession } from '../../contract/sessions.ts'
import app from '../components/app.module.css'
import data from '../components/data.module.css'
import { browserWords } from '../lib/browser-words.ts'
import { type FreeWork, useFreeWork } from '../lib/free-work.ts'
import { sessionWords } from '../sign-in/open-organizations.tsx'
import { BrowserName } from './browser-name.tsx'
import { deleteOtherSessions, deleteOwnSession, ownSessionsQuery } from './queries.ts'
import styles from './sessions.module.css'
import { SidePage, useHeading } from '../layout/side-page.tsx'
import { useSignOut } from '../session/sign-out.tsx'
import { followLink } from '../lib/router.ts'
import { dateWords } from '../text/format.ts'
import { words } from '../text/text.ts'

export function Sessions({ session }: { session: SignedIn }) {
  const { data: sessions, error, isFetching, refetch } = useQuery(ownSessionsQuery(session))
  const heading = useHeading()
  // The pressed button is gone by then.
  const ending = useFreeWork(async () => {
    await refetch()
    heading.current?.focus()
  })
  const t = words().sessions
  return (
    <SidePage
      session={session}
      title={t.title}
      heading={heading}
      busy={isFetching || ending.busy}
      done={ending.done}
      problem={ending.problem ?? (isFetching ? undefined : error)}
      onAgain={() => void refetch()}
      lead={
        <>
          <p>{t.whose[session.method]}</p>
          <p className={data.quiet}>{t.most(MAX_OWN_SESSIONS)}</p>
          {(['device', 'links'] as const).map((name) => (
            <p key={name}>
              <a href={PATHS[name]} onClick={followLink}>
                {t[name]}
              </a>
            </p>
          ))}
        </>
      }
    >
      {!sessions && isFetching && <p className={data.quiet}>{t.loading}</p>}
      {sessions && <List sessions={sessions} own={session} ending={ending} onNamed={refetch} />}
    </SidePage>
  )
}

interface ListProps {
  sessions: OwnSession[]
  own: SignedIn
  ending: FreeWork
  onNamed: () => Promise<unknown>
}

function List({ sessions, own, ending, onNamed }: ListProps) {
  const t = words().sessions
  // The list does not name the organization: the server knows it only with the session's cookie.
  const openIn = (id: string) => [own, ...(own.others ?? [])].find((one) => one.id === id)
  const others = sessions.filter(({ current }) => !current)
  const endOthers = (): void =>
    void ending.run(deleteOtherSessions, () => words().sessions.othersEnded(others.length))
  return (
    <div className={data.card}>
      <ul className={styles.list}>
        {sessions.map((session) => (
          <SessionRow key={session.id} listed={session} of={openIn(session.id)} ending={ending}>
            {session.current && <BrowserName browser={session.browser} onNamed={onNamed} />}
          </SessionRow>
        ))}
      </ul>
      {others.length === 0 ? (
        <p className={data.quiet}>{t.noOther}</p>
      ) : (
        <button type="button" className={styles.all} aria-disabled={ending.busy} onClick={endOthers}>
          {t.endOthers}
        </button>
      )}
    </div>
  )
}

interface SessionRowProps {
  listed: OwnSession
  /** The same session, if this browser can open it. */
  of: Pick<SignedIn, 'organization_id'> | undefined
  ending: FreeWork
  children: ReactNode
}

function SessionRow({ listed, of, ending, children }: SessionRowProps) {
  const name = useId()
  const signOut = useSignOut()
  const { id, current, opened_at, seen_at } = listed
  const t = words().sessions
  const browser = browserWords(listed.browser)
  const end = (): void =>
    current
      ? signOut()
      : void ending.run(
          () => deleteOwnSession(id),
          () => words().sessions.ended(browserWords(listed.browser)),
        )
  return (
    <li className={styles.row} data-current={current}>
      <div className={styles.what}>
        <p id={name} className={styles.browser}>
          <bdi>{browser}</bdi> {current && <span className={app.method}>{t.thisBrowser}</span>}
          {of && <span className={data.quiet}>{sessionWords(of)}</span>}
        </p>
        <p className={`${data.quiet} ${styles.times}`}>
          <Instant words={t.opened} at={opened_at} />
          <Instant words={t.lastSeen} at={seen_at} />
        </p>
        {children}
      </div>
      <button type="button" aria-describedby={name} aria-disabled={ending.busy} onClick={end}>
        {current ? t.signOutHere : t.end}
      </button>
    </li>
  )
}

const Instant = ({ words, at }: { words: (date: string) => string; at: string }) => (
  <time dateTime={at}>{words(dateWords(Date.parse(at)))}</time>
)
