import styles from './sign-in.module.css'

/** Parts of an address, so they are the same in every language (5.3). */
const ADDRESS_PARTS = ['…/projects?', 'organization_id=', '1001'] as const

/** The address bar of a browser, with the id marked. */
export function IdPicture({ label }: { label: string }) {
  return (
    // Made of words, so that it grows and wraps like them.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <span className={styles.picture} role="img" aria-label={label}>
      <svg viewBox="0 0 14 16" aria-hidden="true" focusable="false">
        <rect x="1" y="6" width="12" height="9" rx="2" />
        <path d="M3.5 6v-2a3.5 3 0 0 1 7 0v2" />
      </svg>
      <span className={styles.rest}>{ADDRESS_PARTS[0]}</span>
      <span className={styles.marked}>
        {ADDRESS_PARTS[1]}
        <span className={styles.id}>{ADDRESS_PARTS[2]}</span>
      </span>
    </span>
  )
}
