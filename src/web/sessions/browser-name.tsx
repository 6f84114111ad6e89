import { lazy, Suspense, useRef, useState } from 'react'
import type { SignedIn } from '../../contract/session.ts'
import data from '../components/data.module.css'
import { useFree } from '../components/use-free.ts'
import { late } from '../lib/late.ts'
import { ownSessionsQuery, putBrowserName } from './queries.ts'
import { words } from '../text/text.ts'
import styles from './sessions.module.css'

const NameForm = lazy(() => late(import('./name-form.tsx').then(({ NameForm }) => ({ default: NameForm }))))

/** Names this browser in its row of the list. The button that opens the field gets the focus back. */
export function BrowserName({ browser, own }: { browser: string; own: SignedIn }) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    setOpen(false)
    opener.current?.focus()
  }
  const naming = useFree(putBrowserName, { changes: [ownSessionsQuery(own).queryKey], onDone: close })
  const { open, saved, removed } = words().sessions.name
  const name = naming.done?.of
  return (
    <div className={styles.stack}>
      <button
        ref={opener}
        type="button"
        aria-expanded={isOpen}
        onClick={isOpen ? close : () => setOpen(true)}
      >
        {open}
      </button>
      <output className={name === undefined ? 'unseen' : data.quiet}>
        {name === undefined ? '' : name === '' ? removed : saved(name)}
      </output>
      <Suspense>{isOpen && <NameForm browser={browser} naming={naming} close={close} />}</Suspense>
    </div>
  )
}
