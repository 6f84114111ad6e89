import { lazy, Suspense, useRef, useState } from 'react'
import data from '../components/data.module.css'
import { useFreeWork } from '../lib/free-work.ts'
import { late } from '../lib/late.ts'
import { words } from '../text/text.ts'
import styles from './sessions.module.css'

const NameForm = lazy(() => late(import('./name-form.tsx').then(({ NameForm }) => ({ default: NameForm }))))

interface BrowserNameProps {
  /** The present name. */
  browser: string
  /** Resolves when the list has the new name. */
  onNamed: () => Promise<unknown>
}

/** Names this browser in its row of the list. The button that opens the field gets the focus back. */
export function BrowserName({ browser, onNamed }: BrowserNameProps) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    setOpen(false)
    opener.current?.focus()
  }
  const naming = useFreeWork(async () => {
    await onNamed()
    close()
  })
  return (
    <div className={styles.stack}>
      <button
        ref={opener}
        type="button"
        aria-expanded={isOpen}
        onClick={isOpen ? close : () => setOpen(true)}
      >
        {words().sessions.name.open}
      </button>
      <output className={naming.done === '' ? 'unseen' : data.quiet}>{naming.done}</output>
      <Suspense>{isOpen && <NameForm browser={browser} naming={naming} close={close} />}</Suspense>
    </div>
  )
}
