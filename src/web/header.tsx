import { useQueryClient } from '@tanstack/react-query'
import type { SignedIn } from '../contract/session.ts'
import styles from './app.module.css'
import { LiveWord } from './live-word.tsx'
import { Mark } from './mark.tsx'
import { useKnownName } from './organization-name.ts'
import { followLink, PATHS, placeOf, usePathname } from './router.ts'
import { SessionEnding } from './session-ending.tsx'
import { signOut } from './sign-out.ts'
import { signedInText } from './text/text.ts'

const LINKS = ['ledger', 'learnt', 'sessions'] as const

export function Header({ session }: { session: SignedIn }) {
  const client = useQueryClient()
  const pathname = usePathname()
  const { organization_id: id, method } = session
  const name = useKnownName(session)
  const place = placeOf(pathname)
  // Its place is there before it is known, where the page asks for it.
  const isComing = place.name === 'home' || (place.name === 'organization' && place.id === id)
  const t = signedInText().header
  return (
    <header className={styles.header}>
      <a href="/" className={styles.name} onClick={followLink}>
        <Mark size={30} />
        Plimsoll
      </a>
      <p className={styles.who}>
        {(isComing || name !== undefined) && <bdi className={styles.organization}>{name ?? '\u00a0'}</bdi>}
        {id !== undefined && <span>{t.organization(id)}</span>}
        <span className={styles.method}>{t.methods[method]}</span>
        <LiveWord />
      </p>
      <nav className={styles.links} aria-label={t.pages}>
        {LINKS.map((name) => (
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
      <button type="button" onClick={() => void signOut(client)}>
        {t.signOut}
      </button>
      <SessionEnding session={session} />
    </header>
  )
}
