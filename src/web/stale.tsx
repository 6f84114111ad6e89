import styles from './gauge.module.css'
import { useOffline } from './online.ts'
import { Shape } from './shape.tsx'
import { signedInText } from './text/text.ts'
import { agoWords, useElapsed } from './time.ts'
import { useUi } from './ui.ts'

/** Whether what the cards show may be older than what the server knows. */
export function useStale(): boolean {
  const isOffline = useOffline()
  return useUi(({ live, quotaProblem }) => live === 'not_live' || quotaProblem !== undefined) || isOffline
}

/** Of when the values of a card are, where no newer ones come. */
export function Stale({ atMs }: { atMs: number }) {
  return (
    <p className={styles.stale}>
      <Shape of="diamond" /> {signedInText().minute.lastUpdate(agoWords(useElapsed(atMs)))}
    </p>
  )
}
