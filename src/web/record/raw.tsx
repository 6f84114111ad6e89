import { useMemo, useState } from 'react'
import { indentJson } from './json-text.ts'
import styles from './record.module.css'
import { words } from '../text/text.ts'

/** The answer as it came, also as a file. Neither costs a request. */
export function RawJson({ text, file }: { text: string; file: string }) {
  const t = words().record
  const [open, setOpen] = useState(false)
  const { shown, cut } = useMemo(() => (open ? indentJson(text) : { shown: '', cut: 0 }), [open, text])
  return (
    <div className={styles.raw}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t.raw}</summary>
        {open && (
          <>
            {/* It scrolls, so the keyboard must reach it. */}
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
            <section className={styles.scroll} tabIndex={0} aria-label={t.raw}>
              <pre dir="ltr">{shown}</pre>
            </section>
            {cut > 0 && <p>{t.cut(cut)}</p>}
          </>
        )}
      </details>
      <button type="button" onClick={() => saveJson(text, file)}>
        {t.download}
      </button>
    </div>
  )
}

function saveJson(text: string, file: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href: address, download: file }).click()
  URL.revokeObjectURL(address)
}
