import { useQueryClient } from '@tanstack/react-query'
import type { SignedIn } from '../contract/session.ts'
import styles from './app.module.css'
import { Mark } from './mark.tsx'
import { followLink, SESSIONS_PATH, usePathname } from './router.ts'
import { signOut } from './sign-out.ts'

const METHODS = { oauth: 'OAuth', api_key: 'API key' } as const

export function Header({ session }: { session: SignedIn }) {
  const client = useQueryClient()
  const isHere = usePathname() === SESSIONS_PATH
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
        <a href={SESSIONS_PATH} aria-current={isHere ? 'page' : undefined} onClick={followLink}>
          Your sessions
        </a>
      </p>
      <button type="button" onClick={() => void signOut(client)}>
        Sign out
      </button>
    </header>
  )
}
