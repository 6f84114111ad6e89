import styles from './word.module.css'
import { useOffline } from '../lib/online.ts'
import { signedInText } from '../text/text.ts'
import { countdownWords, useElapsed } from '../lib/time.ts'
import { useUi } from '../lib/ui.ts'

/** Says if the page shows the changes of others by itself, or when it tries again. */
export function LiveWord() {
  const live = useUi((ui) => ui.live)
  const retryAtMs = useUi((ui) => ui.liveRetryAtMs)
  const isOffline = useOffline()
  const t = signedInText().header
  return (
    <span className={styles.live} data-live={isOffline ? 'not_live' : live}>
      <span className={styles.shape} aria-hidden="true" />
      {isOffline ? t.offline : live === 'not_live' ? <Retry atMs={retryAtMs} /> : t[live]}
    </span>
  )
}

function Retry({ atMs }: { atMs: number }) {
  const inMs = atMs - useElapsed(0)
  const { notLive, notLiveFor } = signedInText().header
  return inMs > 0 ? notLiveFor(countdownWords(inMs)) : notLive
}
