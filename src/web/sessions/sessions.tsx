import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useRef } from 'react'
import { MAX_OWN_SESSIONS, type OwnSession, type SignedIn } from '../../contract/session.ts'
import { type Free, useFree } from '../components/use-free.ts'
import { browserWords } from '../lib/browser-words.ts'
import { sessionWords } from '../sign-in/organizations.tsx'
import { BrowserName } from './name-form.tsx'
import { endSessions, ownSessionsQuery } from './queries.ts'
import { SidePage } from '../layout/side-page.tsx'
import { useSignOut } from '../session/sign-out.tsx'
import { dateWords } from '../text/format.ts'
import { words } from '../text/text.ts'

export function Sessions({ session }: { session: SignedIn }) {
  const query = ownSessionsQuery(session)
  const asked = useQuery(query)
  const heading = useRef<HTMLHeadingElement>(null)
  const ending = useFree(endSessions, {
    changes: [query.queryKey],
    // The pressed button is gone by then.
    onDone: () => heading.current?.focus(),
  })
  const ended = ending.done?.of
  const t = words().sessions
  return (
    <SidePage
      session={session}
      title={t.title}
      lead={[t.whose[session.method], t.most(MAX_OWN_SESSIONS)]}
      links={{ device: t.device, links: t.links }}
      asked={{ ...asked, loading: t.loading }}
      action={ending}
      done={ended ? ('id' in ended ? t.ended(browserWords(ended.browser)) : t.othersEnded(ended.length)) : ''}
      heading={heading}
    >
      {asked.data && <List sessions={asked.data} own={session} ending={ending} />}
    </SidePage>
  )
}

type Ending = Free<OwnSession | readonly OwnSession[], void>

interface ListProps {
  sessions: OwnSession[]
  own: SignedIn
  ending: Ending
}

function List({ sessions, own, ending }: ListProps) {
  const t = words().sessions
  // The list does not name the organization: the server knows it only with the session's cookie.
  const openIn = (id: string) => [own, ...(own.others ?? [])].find((one) => one.id === id)
  const others = sessions.filter(({ current }) => !current)
  return (
    <div className="card">
      <ul className="rows">
        {sessions.map((session) => (
          <SessionRow key={session.id} listed={session} of={openIn(session.id)} ending={ending}>
            {session.current && <BrowserName browser={session.browser} own={own} />}
          </SessionRow>
        ))}
      </ul>
      {others.length === 0 ? (
        <p className="quiet">{t.noOther}</p>
      ) : (
        <button type="button" aria-disabled={ending.busy} onClick={() => ending.run(others)}>
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
  ending: Ending
  children: ReactNode
}

function SessionRow({ listed, of, ending, children }: SessionRowProps) {
  const name = useId()
  const signOut = useSignOut()
  const { current, paired, opened_at, seen_at } = listed
  const t = words().sessions
  const browser = browserWords(listed.browser)
  const end = (): void => (current ? signOut() : ending.run(listed))
  return (
    <li className="apart" data-current={current}>
      <div className="what">
        <p id={name} className="row">
          <bdi>{browser}</bdi> {current && <span className="tag">{t.thisBrowser}</span>}
          {paired && <span className="tag">{t.byCode}</span>}
          {of && <span className="quiet">{sessionWords(of)}</span>}
        </p>
        <p className="quiet row">
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
