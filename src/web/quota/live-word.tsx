import { useQueryClient } from '@tanstack/react-query'
import { Notice } from '../components/notice.tsx'
import { Shape } from '../components/icons.tsx'
import { onServer, useElapsed, useNow } from '../lib/clock.ts'
import { useUi } from '../lib/ui.ts'
import { agoWords, clockWords } from '../text/format.ts'
import { text, words } from '../text/text.ts'
import styles from './live-word.module.css'
import { refetchQuota, useQuotaProblem } from './query.ts'

/** Says if the page shows the changes of others by itself, or since when it does not. */
export function LiveWord() {
  const { live, notLiveSinceMs } = useUi()
  const t = words().header
  const nowMs = useNow()
  return (
    <span className={styles.live} data-live={live}>
      <span className={styles.shape} aria-hidden="true" />
      {live === 'not_live' ? t.notLive(clockWords(onServer(notLiveSinceMs), onServer(nowMs))) : t[live]}
    </span>
  )
}

/** In place of the cards, which come with the first snapshot. The document of a signed-in person has it. */
export function Unread() {
  const client = useQueryClient()
  const problem = useQuotaProblem()
  if (problem) return <Notice problem={problem} again={() => void refetchQuota(client)} />
  return <p className="quiet">{text().app.loadingPage}</p>
}

/** True if the values of the cards may be older than those of the server. */
export function useStale(): boolean {
  const isNotLive = useUi(({ live }) => live === 'not_live')
  return useQuotaProblem() !== null || isNotLive
}

/** Says how old the values are while no newer ones come. */
export function Stale({ atMs }: { atMs: number }) {
  return (
    <p className={styles.stale}>
      <Shape of="diamond" /> {words().minute.lastUpdate(agoWords(useElapsed(atMs)))}
    </p>
  )
}
