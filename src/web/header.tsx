import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SignedIn } from '../contract/session.ts'
import styles from './app.module.css'
import { Mark } from './mark.tsx'
import { followLink } from './router.ts'
import { signOut } from './session.ts'

const METHODS = { oauth: 'OAuth', api_key: 'API key' } as const

export function Header({ session }: { session: SignedIn }) {
  const client = useQueryClient()
  const [leaving, setLeaving] = useState(false)
  const { organization_id: id, method } = session
  const leave = (): void => {
    if (leaving) return
    setLeaving(true)
    void signOut(client).finally(() => setLeaving(false))
  }
  return (
    <header className={styles.header}>
      <a href="/" className={styles.name} onClick={followLink}>
        <Mark size={30} />
        Plimsoll
      </a>
      <p className={styles.who}>
        {id !== undefined && <span>Organization {id}</span>}
        <span className={styles.method}>{METHODS[method]}</span>
      </p>
      <button type="button" aria-disabled={leaving} onClick={leave}>
        Sign out
      </button>
    </header>
  )
}
