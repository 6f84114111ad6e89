import styles from '../components/gauge.module.css'
import { useOffline } from '../lib/online.ts'
import { Shape } from '../components/icons.tsx'
import { useElapsed } from '../lib/clock.ts'
import { agoWords } from '../text/format.ts'
import { words } from '../text/text.ts'
import { useUi } from '../lib/ui.ts'

/** True if the values of the cards may be older than those of the server. */
export function useStale(): boolean {
  const isOffline = useOffline()
  return useUi(({ live, quotaProblem }) => live === 'not_live' || quotaProblem !== undefined) || isOffline
}

/** Says how old the values are while no newer ones come. */
export function Stale({ atMs }: { atMs: number }) {
  return (
    <p className={styles.stale}>
      <Shape of="diamond" /> {words().minute.lastUpdate(agoWords(useElapsed(atMs)))}
    </p>
  )
}
