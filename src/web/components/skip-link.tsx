import type { MouseEvent } from 'react'
import styles from './skip-link.module.css'
import { text } from '../text/text.ts'

/** Leads past the header. It does not change the address, whose fragment may be a deep link. */
export function SkipLink() {
  const skip = (event: MouseEvent): void => {
    event.preventDefault()
    const main = document.querySelector('main')
    main?.setAttribute('tabindex', '-1')
    main?.focus()
  }
  return (
    <a href="#main" className={styles.skip} onClick={skip}>
      {text().preferences.skip}
    </a>
  )
}
