import styles from './word.module.css'
import { DAY_MS } from '../../contract/duration.ts'
import { useOffline } from '../lib/online.ts'
import { dateText } from '../text/language.ts'
import { signedInText } from '../text/text.ts'
import { countdownWords, instantWords, useElapsed } from '../lib/time.ts'
import { useUi } from '../lib/ui.ts'

/** Says if the page shows the changes of others by itself, or since when it does not. */
export function LiveWord() {
  const live = useUi((ui) => ui.live)
  const isOffline = useOffline()
  const t = signedInText().header
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
  const t = signedInText().header
  return (
    <span className={styles.words}>
      <span>{t.notLive(clockWords(sinceMs))}</span>{' '}
      <span>{inMs > 0 ? t.retryIn(countdownWords(inMs)) : t.retrying}</span>
    </span>
  )
}

/** As "14:02"; with the day if it is another one. */
const clockWords = (atMs: number): string =>
  Date.now() - atMs < DAY_MS / 2 ? dateText(atMs, { timeStyle: 'short' }) : instantWords(atMs)
