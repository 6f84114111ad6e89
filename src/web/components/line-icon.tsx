import styles from './icons.module.css'

const LINES = {
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20c.8-3.4 3.8-5 7.5-5s6.7 1.6 7.5 5',
  down: 'm6 9 6 6 6-6',
}

/** A word stands beside it, or names its button. */
export function Icon({ of }: { of: keyof typeof LINES }) {
  return (
    <svg className={styles.icon} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={LINES[of]} />
    </svg>
  )
}
