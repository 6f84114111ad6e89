import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { pauseOf } from '../../contract/pause.ts'
import { PLANS } from '../../contract/plan.ts'
import { Shape } from '../components/icons.tsx'
import { Notice } from '../components/notice.tsx'
import { useElapsed } from '../lib/clock.ts'
import { Stale, useStale } from '../quota/live-word.tsx'
import { type ReceivedQuota, refetchQuota, useQuota, useQuotaProblem } from '../quota/query.ts'
import { SKELETON } from '../quota/skeleton.ts'
import { countdownWords } from '../text/format.ts'
import { words } from '../text/text.ts'
import { gaugeOf } from './gauge.ts'
import styles from './minute.module.css'
import { Ring } from './ring.tsx'

/** What is left of the minute, for a person who is signed in and for a watch link. */
export function MinutePanel({ children }: { children?: ReactNode }) {
  const client = useQueryClient()
  const quota = useQuota()
  const problem = useQuotaProblem()
  return (
    <section className="card" aria-labelledby="minute">
      <div className={styles.head}>
        <h2 id="minute">{words().minute.heading}</h2>
        {quota && <Aside quota={quota} />}
      </div>
      {!quota && problem ? (
        <Notice problem={problem} again={() => void refetchQuota(client)} />
      ) : (
        <Rings quota={quota} />
      )}
      {children}
    </section>
  )
}

/** Says that the values may be out of date, or that nothing is sent for a while. */
function Aside({ quota: { snapshot, atMs } }: { quota: ReceivedQuota }) {
  const pause = pauseOf(snapshot, useElapsed(atMs))
  const isStale = useStale()
  if (pause === undefined) return isStale && <Stale atMs={atMs} />
  return (
    <p className={styles.paused}>
      <Shape of="square" /> {words().minute.paused(countdownWords(pause.endsInMs))}
    </p>
  )
}

/** Before the first snapshot the rings are invisible but keep their space, so that nothing moves. */
function Rings({ quota }: { quota: ReceivedQuota | undefined }) {
  const { snapshot, atMs } = quota ?? SKELETON
  const elapsedMs = useElapsed(atMs)
  const plan = snapshot.month.plan && PLANS[snapshot.month.plan]
  return (
    <div className={styles.rings} style={quota ? undefined : { visibility: 'hidden' }}>
      {(['read', 'update'] as const).map((of) => (
        <Ring key={of} of={of} gauge={gaugeOf(snapshot[of], elapsedMs, plan?.[`${of}_per_minute`])} />
      ))}
    </div>
  )
}
