import type { SignedIn } from '../../contract/session.ts'
import styles from '../components/app.module.css'
import { rememberedName } from '../session/last-organizations.ts'
import { LiveWord } from '../live/word.tsx'
import { Mark } from '../components/icons.tsx'
import { useKnownName } from '../record/organization-name.ts'
import { LINKS, PATHS } from '../../contract/page.ts'
import { followLink, usePathname } from '../lib/router.ts'
import { SessionEnding } from './session-ending.tsx'
import { signOut } from '../session/sign-out.ts'
import { signedInText } from '../text/text.ts'

export function Header({ session }: { session: SignedIn }) {
  const pathname = usePathname()
  const t = signedInText().header
  return (
    <header className={styles.header}>
      <a href="/" className={styles.name} onClick={followLink}>
        <Mark size={30} />
        Plimsoll
      </a>
      <Who session={session} />
      <nav className={styles.links} aria-label={t.pages}>
        {LINKS.map(([name]) => (
          <a
            key={name}
            href={PATHS[name]}
            aria-current={pathname === PATHS[name] ? 'page' : undefined}
            onClick={followLink}
          >
            {t[name]}
          </a>
        ))}
      </nav>
      <button type="button" onClick={() => void signOut()}>
        {t.signOut}
      </button>
      <SessionEnding />
    </header>
  )
}

/** Names the organization, and links to the others of this browser. */
function Who({ session }: { session: SignedIn }) {
  const { organization_id: id, method } = session
  // This browser may have stored the name; the record comes later.
  const known = useKnownName(session) ?? (id === undefined ? undefined : rememberedName(id))
  const pathname = usePathname()
  const t = signedInText().header
  return (
    <p className={styles.who}>
      <a
        href={PATHS.organizations}
        className={styles.organization}
        aria-label={known === undefined ? t.organizations : `${known}, ${t.organizations}`}
        aria-current={pathname === PATHS.organizations ? 'page' : undefined}
        onClick={followLink}
      >
        <bdi>{known ?? t.organizations}</bdi>
      </a>
      {id !== undefined && <span>{t.organization(id)}</span>}
      <span className={styles.method}>{t.methods[method]}</span>
      <LiveWord />
    </p>
  )
}
