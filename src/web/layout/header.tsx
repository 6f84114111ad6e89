import type { SignedIn } from '../../contract/session.ts'
import { AccountMenu } from './account-menu.tsx'
import styles from './header.module.css'
import { LiveWord } from '../quota/live-word.tsx'
import { Mark } from '../components/icons.tsx'
import { OrganizationMenu } from './organization-menu.tsx'
import { PATHS } from '../../contract/page.ts'
import { followLink, usePathname } from '../lib/router.ts'
import { SessionEnding } from '../session/ending.tsx'
import { words } from '../text/text.ts'

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
