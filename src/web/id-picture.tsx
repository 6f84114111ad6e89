import styles from './sign-in.module.css'

/** As in an address, so the same in every language (5.3). */
const PARTS = ['…/projects?', 'organization_id=', '1001'] as const

/** The address bar of a browser, with the id in it marked. */
export function IdPicture({ label }: { label: string }) {
  return (
    <svg className={styles.picture} viewBox="0 0 320 56" role="img" aria-label={label}>
      <rect className={styles.bar} x="1" y="8" width="318" height="40" rx="20" />
      <g className={styles.lock}>
        <rect x="16" y="26" width="12" height="10" rx="2" />
        <path d="M18.5 26v-3a3.5 3.5 0 0 1 7 0v3" />
      </g>
      <text className={styles.rest} x="36" y="33" textLength="92" lengthAdjust="spacingAndGlyphs">
        {PARTS[0]}
      </text>
      <rect className={styles.marked} x="130" y="17" width="176" height="22" rx="5" />
      <text x="134" y="33" textLength="126" lengthAdjust="spacingAndGlyphs">
        {PARTS[1]}
      </text>
      <text className={styles.id} x="262" y="33" textLength="38" lengthAdjust="spacingAndGlyphs">
        {PARTS[2]}
      </text>
    </svg>
  )
}
