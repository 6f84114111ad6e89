import styles from '../components/gauge.module.css'
import { useOffline } from '../lib/online.ts'
import { Shape } from '../components/icons.tsx'
import { signedInText } from '../text/text.ts'
import { agoWords, useElapsed } from '../lib/time.ts'
import { useUi } from '../lib/ui.ts'

/** Whether what the cards show may be older than what the server knows. */
export function useStale(): boolean {
  const isOffline = useOffline()
  return useUi(({ live, quotaProblem }) => live === 'not_live' || quotaProblem !== undefined) || isOffline
}

/** The same words for the space of {@link Stale}, with room for its shape. */
export const staleWords = (): string => `\u2003\u2003${signedInText().minute.lastUpdate(agoWords(0))}`

/** Of when the values of a card are, where no newer ones come. */
export function Stale({ atMs }: { atMs: number }) {
  return (
    <p className={styles.stale}>
      <Shape of="diamond" /> {signedInText().minute.lastUpdate(agoWords(useElapsed(atMs)))}
    </p>
  )
}
