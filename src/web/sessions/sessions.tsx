import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useRef, type KeyboardEvent, useEffect, useState } from 'react'
import { MAX_OWN_SESSIONS, type OwnSession, type OwnSessions, type SignedIn } from '../../contract/session.ts'
import { type Free, useFree } from '../components/use-free.ts'
import { browserWords } from '../lib/words.ts'
import { useSessionWords } from '../sign-in/organizations.tsx'
import { SidePage } from '../layout/side-page.tsx'
import { useSignOut } from '../session/own.tsx'
import { dateWords } from '../text/format.ts'
import { words } from '../text/text.ts'
import { MOST_NAME_LENGTH, nameFault, trimmedName } from '../../contract/chosen-name.ts'
import { coarseParts } from '../../contract/chosen-name.ts'
import { Field, Form, Submit, typedIn } from '../components/form.tsx'
import { BFF } from '../../contract/api.ts'
import { requestJson, unlessGone } from '../lib/api.ts'
import { listQuery } from '../lib/query.ts'

export function Sessions({ session }: { session: SignedIn }) {
  const query = ownSessionsQuery(session)
  const asked = useQuery(query)
  const ending = useFree(endSessions, {
    // The page's session names the others of this browser.
    changes: [query.queryKey, ['session']],
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
  const wordsOf = useSessionWords()
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
          {of && <span className="quiet">{wordsOf(of)}</span>}
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

/** Names this browser in its row of the list. The button that opens the field gets the focus back. */
export function BrowserName({ browser, own }: { browser: string; own: SignedIn }) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    setOpen(false)
    opener.current?.focus()
  }
  const naming = useFree(putBrowserName, { changes: [ownSessionsQuery(own).queryKey], onDone: close })
  const t = words().sessions.name
  const name = naming.done?.of
  return (
    <div className="stack tight">
      <button ref={opener} type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t.open}
      </button>
      <output className={name === undefined ? 'unseen' : 'quiet'}>
        {name === undefined ? '' : name === '' ? t.removed : t.saved(name)}
      </output>
      {isOpen && <NameForm browser={browser} naming={naming} close={close} />}
    </div>
  )
}

interface NameFormProps {
  /** The present name. */
  browser: string
  naming: Free<string, void>
  close: () => void
}

function NameForm({ browser, naming, close }: NameFormProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.querySelector('input')?.focus(), [])
  const t = words().sessions.name
  const onKeyDown = ({ key, nativeEvent }: KeyboardEvent): void => {
    // In an input method, Escape ends the composition.
    if (key === 'Escape' && !nativeEvent.isComposing) close()
  }
  return (
    <div ref={place} onKeyDownCapture={onKeyDown}>
      <Form read={nameIn} action={naming}>
        <Field
          name="name"
          label={t.label}
          hint={t.hint}
          dir="auto"
          defaultValue={coarseParts(browser) === undefined ? browser : ''}
        />
        <div className="row">
          <Submit>{t.save}</Submit>
          <button type="button" onClick={close}>
            {t.cancel}
          </button>
        </div>
      </Form>
    </div>
  )
}

/** What was typed, or what is wrong with it. */
export function nameIn(typed: FormData) {
  const value = trimmedName(typedIn(typed, 'name'))
  const fault = nameFault(value)
  if (fault === undefined) return { value }
  return { errors: { name: () => words().sessions.name.faults[fault](MOST_NAME_LENGTH) } }
}

export const ownSessionsQuery = (session: SignedIn) =>
  listQuery('sessions', session, BFF.sessions, ({ sessions }: OwnSessions) => sessions)

/** Ends one, or all others. Ending one that no longer exists is not an error. */
export async function endSessions(of: OwnSession | readonly OwnSession[]): Promise<void> {
  if ('id' in of) await requestJson(`${BFF.sessions}/${of.id}`, { method: 'DELETE' }).catch(unlessGone)
  else await requestJson(BFF.sessions, { method: 'DELETE' })
}

/** An empty name removes the chosen one. */
export async function putBrowserName(name: string): Promise<void> {
  await requestJson(BFF.browser, { method: 'PUT', body: { name } })
}
