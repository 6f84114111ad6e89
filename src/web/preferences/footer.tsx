import { useCallback, useState } from 'react'
import styles from './footer.module.css'
import { LanguageChoice, ThemeChoice } from './choices.tsx'
import { ShortcutSheet } from './shortcut-sheet.tsx'
import { useShortcuts } from './shortcuts.ts'
import { text } from '../text/text.ts'

/** Stays mounted while the page above it changes. */
export function Footer() {
  const [isOpen, setOpen] = useState(false)
  const open = useCallback(() => setOpen(true), [])
  useShortcuts(open)
  return (
    <footer className={styles.footer}>
      <LanguageChoice />
      <ThemeChoice />
      <button type="button" data-kind="quiet" aria-haspopup="dialog" onClick={open}>
        {text().shortcuts.title}
      </button>
      {isOpen && <ShortcutSheet onClose={() => setOpen(false)} />}
    </footer>
  )
}
