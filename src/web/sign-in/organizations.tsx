/** Organizations that one press opens: those that are still open here, of the sandbox, and used last. */
import { type ReactNode, useId } from 'react'
import type { OrganizationId } from '../../contract/organization.ts'
import type { EmbeddedSandbox, OtherSession } from '../../contract/session.ts'
import {
  forgetOrganizations,
  type LastOrganization,
  useLastOrganizations,
} from '../session/last-organizations.ts'
import { Sentence } from '../text/sentence.tsx'
import { text } from '../text/text.ts'
import type { Entry, Way } from './entry.ts'
import { ORGANIZATION_FIELD } from './forms.tsx'
import styles from './sign-in.module.css'

interface WayButtonProps {
  entry: Entry
  way: Way
  primary?: boolean
  /** Replaces the label while the organization opens. */
  busy?: string
  children: ReactNode
}

function WayButton({ entry, way, primary, busy, children }: WayButtonProps) {
  const isOwn = entry.busy && entry.way?.by === way.by && entry.way.with === way.with
  return (
    <button
      type="button"
      className={styles.way}
      data-kind={primary ? 'primary' : undefined}
      aria-disabled={entry.busy}
      aria-busy={isOwn}
      onClick={() => entry.run(way)}
    >
      {isOwn ? (busy ?? children) : children}
    </button>
  )
}

interface UseButtonProps {
  entry: Entry
  session: OtherSession
  primary?: boolean
  /** In place of the usual words. */
  children?: ReactNode
}

/** Changes to another session of this browser, for free. */
export function UseButton({ session, children, ...button }: UseButtonProps) {
  const named = useSessionWords()(session)
  return (
    <WayButton {...button} way={{ by: 'session', with: session.id, named }}>
      {children ?? text().open.use(named)}
    </WayButton>
  )
}

/** Names a session's organization by its id, and its name if this browser knows it. */
export function useSessionWords(): (of: Pick<OtherSession, 'organization_id'>) => string {
  const last = useLastOrganizations()
  const t = text().open
  return ({ organization_id: id }) => {
    if (id === undefined) return t.ofKey
    const name = last.find((one) => one.id === id)?.name
    return name === undefined ? t.numbered(id) : t.named(name, id)
  }
}

interface SignInButtonProps {
  entry: Entry
  price: string
  of: LastOrganization
}

/** Starts the sign-in at once. */
export function SignInButton({ entry, price, of: { id, name } }: SignInButtonProps) {
  const t = text().signIn
  return (
    <WayButton entry={entry} way={{ by: 'sign_in', with: id }} busy={t.organization.busy}>
      {name === undefined ? (
        t.directWithoutName(id)
      ) : (
        <Sentence of={(slot) => t.direct(slot, id)}>
          <bdi>{name}</bdi>
        </Sentence>
      )}
      <span className="price">{price}</span>
    </WayButton>
  )
}

interface BoxProps {
  heading: string
  isSandbox?: boolean
  children: ReactNode
}

function Box({ heading, isSandbox, children }: BoxProps) {
  const id = useId()
  return (
    <section className={styles.box} data-sandbox={isSandbox} aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {children}
    </section>
  )
}

/** Those that this browser is signed in to. */
export function Open({ entry, sessions }: { entry: Entry; sessions: readonly OtherSession[] }) {
  if (sessions.length === 0) return null
  return (
    <Box heading={text().open.heading}>
      {sessions.map((session) => (
        <UseButton key={session.id} session={session} entry={entry} />
      ))}
    </Box>
  )
}

interface KnownProps {
  entry: Entry
  price: string
  sandbox: EmbeddedSandbox | undefined
  /** Organizations that are not offered. */
  without?: readonly (OrganizationId | undefined)[]
}

/** Those of the embedded sandbox, or those that this browser was signed in to last. */
export function Known({ sandbox, without, ...rest }: KnownProps) {
  const last = useLastOrganizations()
  const offered = (sandbox?.organizations ?? last).filter(({ id }) => !without?.includes(id))
  if (offered.length === 0) return null
  if (!sandbox) return <Last offered={offered} {...rest} />
  const t = text().signIn.sandbox
  return (
    <Box heading={t.ribbon} isSandbox>
      <p className="quiet">{t.words}</p>
      {offered.map((one) => (
        <SignInButton key={one.id} of={one} {...rest} />
      ))}
      <a href={sandbox.control_url}>{t.control}</a>
    </Box>
  )
}

function Last({
  offered,
  ...rest
}: Omit<SignInButtonProps, 'of'> & { offered: readonly LastOrganization[] }) {
  const t = text().signIn.last
  const forget = (): void => {
    forgetOrganizations(offered.map(({ id }) => id))
    // The pressed button is gone.
    document.getElementById(ORGANIZATION_FIELD)?.focus()
  }
  return (
    <Box heading={t.heading}>
      {offered.map((one) => (
        <SignInButton key={one.id} of={one} {...rest} />
      ))}
      <p className="quiet">
        {t.words}{' '}
        <button type="button" data-kind="quiet" onClick={forget}>
          {t.removeAll}
        </button>
      </p>
    </Box>
  )
}
