import { useEffect, useId, useRef, useState } from 'react'
import type { MadeLink } from '../../contract/watch-links.ts'
import data from '../components/data.module.css'
import styles from '../sessions/sessions.module.css'
import { words } from '../text/text.ts'

/** The addresses of a new link. No later answer has them. */
export function MadeLinkCard({ link: { id, name, secret } }: { link: MadeLink }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const t = words().watch
  const addressOf = (query: string): string => `${location.origin}/watch/${id}${query}#${secret}`
  return (
    <div className={data.card}>
      <h2 ref={heading} tabIndex={-1}>
        {t.made(name)}
      </h2>
      <Address label={t.address} value={addressOf('')} />
      <Address label={t.wall} value={addressOf('?wall')} />
    </div>
  )
}

function Address({ label, value }: { label: string; value: string }) {
  const id = useId()
  const [done, setDone] = useState<'copied' | 'refused'>()
  const t = words().watch
  // A browser has no clipboard at an address of http.
  const copy = (): void =>
    void (async () => navigator.clipboard.writeText(value))().then(
      () => setDone('copied'),
      () => setDone('refused'),
    )
  return (
    <div className={styles.stack}>
      <label htmlFor={id}>{label}</label>
      <input id={id} readOnly value={value} onFocus={({ target }) => target.select()} />
      <div className={styles.actions}>
        <button type="button" aria-describedby={id} onClick={copy}>
          {t.copy}
        </button>
        <output className={data.quiet}>{done && t[done]}</output>
      </div>
    </div>
  )
}
