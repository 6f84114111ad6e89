import type { SignedIn } from '../../contract/session.ts'
import styles from './header.module.css'
import { LiveWord } from '../quota/live-word.tsx'
import { Mark, Icon } from '../components/icons.tsx'
import { PATHS, type SidePageName } from '../../contract/page.ts'
import { followLink, usePathname } from '../lib/router.ts'
import { words, text } from '../text/text.ts'
import { AlertSetting } from '../alerts/alerts.tsx'
import { LanguageChoice, ThemeChoice } from '../preferences/choices.tsx'
import { useIsOwn } from '../lib/ui.ts'
import { useSignOut, sessionQuery } from '../session/own.tsx'
import { useQuota } from '../quota/query.ts'
import { useQuery } from '@tanstack/react-query'
import type { FocusEvent, KeyboardEvent, MouseEvent, ReactNode } from 'react'
import menu from './menu.module.css'
import { UseButton } from '../sign-in/organizations.tsx'
import { useFurther } from '../organization/further.tsx'
import { useNames, useOrganizationName } from '../organization/summary.ts'
import { HOUR_MS, SECOND_MS } from '../../contract/duration.ts'
import { onServer, useNow } from '../lib/clock.ts'
import { dateWords, spanWords } from '../text/format.ts'

/** One row, and two in a narrow window. */
export function Header({ session }: { session: SignedIn }) {
  const isLedger = usePathname() === PATHS.ledger
  const t = words().header
  return (
    <header className={styles.header}>
      <div className={styles.parts}>
        <a href="/" className={styles.mark} onClick={followLink}>
          <Mark size={30} />
          Plimsoll
        </a>
        <div className={styles.place}>
          <OrganizationMenu session={session} />
          <LiveWord />
        </div>
        <div className={styles.end}>
          <nav aria-label={t.pages}>
            <a href={PATHS.ledger} aria-current={isLedger ? 'page' : undefined} onClick={followLink}>
              {t.ledger}
            </a>
          </nav>
          <AccountMenu session={session} />
        </div>
      </div>
      <SessionEnding session={session} />
    </header>
  )
}

/** The last 12 months are linked from the ledger. */
const LINKS = ['sessions', 'links', 'device'] as const

/** The service names no person (2.1, 4.4), so its button has an icon. */
export function AccountMenu({ session }: { session: SignedIn }) {
  const { organization_id: id, method, others = [] } = session
  const quota = useQuota()
  const isOwn = useIsOwn()
  const { header: t, organization } = words()
  return (
    <Menu id="account" label={t.account} button={<Icon of="person" />}>
      <p>
        {id !== undefined && <span>{organization.numbered(id)}</span>}
        {method === 'api_key' && <span>{t.byKey}</span>}
      </p>
      <nav aria-label={t.account}>
        <ul>
          {/* With several organizations, their own menu has this link. */}
          {[...LINKS, ...(others.length === 0 ? (['organizations'] as const) : [])].map((name) => (
            <MenuLink key={name} to={name}>
              {t[name]}
            </MenuLink>
          ))}
        </ul>
      </nav>
      <div>
        <LanguageChoice />
        <ThemeChoice />
      </div>
      {isOwn && quota && <AlertSetting session={session} quota={quota} />}
      <button type="button" onClick={useSignOut()}>
        {t.signOut}
      </button>
    </Menu>
  )
}

/** Names the organization. If this browser is signed in to others, its name opens their list. */
export function OrganizationMenu({ session }: { session: SignedIn }) {
  const name = useOrganizationName(session)
  const nameOf = useNames()
  const entry = useFurther(session)
  const { problem, ended } = entry
  const { others = [] } = session
  const { header: t } = words()
  const label = <bdi>{name}</bdi>
  if (others.length === 0 && !problem) return <p className={menu.organizationName}>{label}</p>
  const button = (
    <>
      {label}
      <Icon of="down" />
    </>
  )
  return (
    <Menu id="organization" label={`${name}, ${t.organizations}`} button={button}>
      {problem && <p role="alert">{ended ?? text().problem[problem.code].title}</p>}
      <ul>
        {others.map((other) => (
          <li key={other.id}>
            <UseButton session={other} entry={entry}>
              <bdi>{nameOf(other)}</bdi>
            </UseButton>
          </li>
        ))}
        <MenuLink to="organizations">{t.allOrganizations}</MenuLink>
      </ul>
    </Menu>
  )
}

/** The page asks more often, which extends every session that can go on. */
const ENDS_SOON_MS = 12 * HOUR_MS

export function SessionEnding({ session: own }: { session: SignedIn }) {
  const nowMs = useNow()
  const { data: session, dataUpdatedAt } = useQuery(sessionQuery(own))
  const endsAtMs = dataUpdatedAt + session.ends_in * SECOND_MS
  const leftMs = Math.max(0, endsAtMs - nowMs)
  if (leftMs > ENDS_SOON_MS) return null
  const t = words().sessionEnding
  return (
    <div className="notice">
      <p>
        <time dateTime={new Date(onServer(endsAtMs)).toISOString()} title={dateWords(onServer(endsAtMs))}>
          {t.endsIn(spanWords(leftMs))}
        </time>{' '}
        <a href={PATHS.organizations} onClick={followLink}>
          {t.again}
        </a>
      </p>
    </div>
  )
}

interface MenuProps {
  /** The id of the menu; its button has the name as its class. */
  id: 'account' | 'organization'
  /** Names the button, and the menu's links. */
  label: string
  /** The content of the button. */
  button: ReactNode
  children: ReactNode
}

/** The browser opens and closes it, also before the script is there. */
export function Menu({ id, label, button, children }: MenuProps) {
  return (
    <>
      <button
        type="button"
        id={`${id}-button`}
        className={menu[`${id}Button`]}
        popoverTarget={`${id}-menu`}
        aria-label={label}
      >
        {button}
      </button>
      <div
        popover="auto"
        id={`${id}-menu`}
        className={menu.menu}
        onBlur={closeBehindFocus}
        onKeyDownCapture={closeBehindTab}
      >
        {children}
      </div>
    </>
  )
}

/** An open menu would hide what has the focus. Its own button closes it by itself when it is clicked. */
function closeBehindFocus({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void {
  if (relatedTarget === null || currentTarget.contains(relatedTarget)) return
  if (relatedTarget.id !== currentTarget.id.replace('menu', 'button')) currentTarget.hidePopover()
}

/** Also when it goes back to that button, or out of the page. The browser moves it after the event. */
function closeBehindTab({ key, currentTarget }: KeyboardEvent<HTMLElement>): void {
  const close = (): void => {
    if (!currentTarget.contains(document.activeElement)) currentTarget.hidePopover()
  }
  if (key === 'Tab') setTimeout(close)
}

export function MenuLink({ to, children }: { to: SidePageName; children: string }) {
  const isCurrent = usePathname() === PATHS[to]
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
    followLink(event)
  }
  return (
    <li>
      <a href={PATHS[to]} aria-current={isCurrent ? 'page' : undefined} onClick={follow}>
        {children}
      </a>
    </li>
  )
}
