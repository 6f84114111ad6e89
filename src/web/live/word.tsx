import styles from './word.module.css'
import { useOffline } from '../lib/online.ts'
import { useElapsed } from '../lib/clock.ts'
import { clockWords, countdownWords } from '../text/format.ts'
import { words } from '../text/text.ts'
import { useUi } from '../lib/ui.ts'

/** Says if the page shows the changes of others by itself, or since when it does not. */
export function LiveWord() {
  const live = useUi((ui) => ui.live)
  const isOffline = useOffline()
  const t = words().header
  return (
    <span className={styles.live} data-live={isOffline ? 'not_live' : live}>
      <span className={styles.shape} aria-hidden="true" />
      {isOffline ? t.offline : live === 'not_live' ? <NotLive /> : t[live]}
    </span>
  )
}

/** On two lines, which leave room for the name of the organization. */
function NotLive() {
  const sinceMs = useUi((ui) => ui.notLiveSinceMs)
  const inMs = useUi((ui) => ui.liveRetryAtMs) - useElapsed(0)
  const t = words().header
  return (
    <span className={styles.words}>
      <span>{t.notLive(sinceWords(sinceMs))}</span>{' '}
      <span>{inMs > 0 ? t.retryIn(countdownWords(inMs)) : t.retrying}</span>
    </span>
  )
}

const sinceWords = (atMs: number): string => clockWords(atMs, Date.now())
