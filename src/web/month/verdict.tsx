import { verdictOf } from '../../contract/verdict.ts'
import { Shape } from '../components/icons.tsx'
import { useElapsed } from '../lib/clock.ts'
import type { ReceivedQuota } from '../quota/query.ts'
import { LOOKS, numberWords, verdictWords } from './verdict-words.ts'
import styles from './verdict.module.css'

/** What is left, and one sentence that says whether that is enough. */
export function Verdict({ quota }: { quota: ReceivedQuota }) {
  const { snapshot, atMs } = quota
  const elapsedMs = useElapsed(atMs)
  const verdict = verdictOf(snapshot, elapsedMs)
  const { shape, tone } = LOOKS[verdict.state]
  const [large, small] = numberWords(snapshot.month, elapsedMs)
  return (
    <div className={styles.verdict} data-tone={tone}>
      <p className={styles.number}>
        <strong>{large}</strong> <span>{small}</span>
      </p>
      <p className={styles.sentence}>
        <Shape of={shape} /> <span>{verdictWords(verdict, quota, elapsedMs)}</span>
      </p>
    </div>
  )
}
