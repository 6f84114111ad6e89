import styles from './sign-in.module.css'

/** Parts of an address, so they are the same in every language (5.3). */
const ADDRESS_PARTS = ['…/projects?', 'organization_id=', '1001'] as const

/** The address bar of a browser, with the id marked. */
export function IdPicture({ label }: { label: string }) {
  return (
    // Made of words, so that it grows and wraps like them.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <span className={styles.picture} role="img" aria-label={label}>
      <span className={styles.rest}>{ADDRESS_PARTS[0]}</span>
      <span className={styles.marked}>
        {ADDRESS_PARTS[1]}
        <span className={styles.id}>{ADDRESS_PARTS[2]}</span>
      </span>
    </span>
  )
}
