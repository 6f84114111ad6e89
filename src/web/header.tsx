import { useQueryClient } from '@tanstack/react-query'
import type { SignedIn } from '../contract/session.ts'
import styles from './app.module.css'
import { LiveWord } from './live-word.tsx'
import { Mark } from './mark.tsx'
import { followLink, PATHS, usePathname } from './router.ts'
import { signOut } from './sign-out.ts'

const LINKS = [
  [PATHS.ledger, 'Ledger'],
  [PATHS.learnt, 'What we learnt'],
  [PATHS.sessions, 'Your sessions'],
] as const

const METHODS = { oauth: 'OAuth', api_key: 'API key' } as const

export function Header({ session }: { session: SignedIn }) {
  const client = useQueryClient()
  const pathname = usePathname()
  const { organization_id: id, method } = session
  return (
    <header className={styles.header}>
      <a href="/" className={styles.name} onClick={followLink}>
        <Mark size={30} />
        Plimsoll
      </a>
      <p className={styles.who}>
        {id !== undefined && <span>Organization {id}</span>}
        <span className={styles.method}>{METHODS[method]}</span>
        <LiveWord />
      </p>
      <nav className={styles.links} aria-label="Pages">
        {LINKS.map(([path, words]) => (
          <a
            key={path}
            href={path}
            aria-current={pathname === path ? 'page' : undefined}
            onClick={followLink}
          >
            {words}
          </a>
        ))}
      </nav>
      <button type="button" onClick={() => void signOut(client)}>
        Sign out
      </button>
    </header>
  )
}
