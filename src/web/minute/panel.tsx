import { useIsMutating, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PLANS } from '../../contract/plan.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import { Shape } from '../components/icons.tsx'
import { useElapsed } from '../lib/clock.ts'
import { countdownWords } from '../text/format.ts'
import { text, words } from '../text/text.ts'
import { pauseOf } from '../../contract/pause.ts'
import { type ReceivedQuota, refetchQuota, useQuota, useQuotaProblem } from '../quota/query.ts'
import { UNSEEN_WINDOW } from '../quota/skeleton.ts'
import { Stale, useStale } from '../quota/live-word.tsx'
import { PAID_KEY } from '../spend/paid.ts'
import { type GaugeValues, gaugeValues } from './gauge.ts'
import styles from './minute.module.css'
import { Ring } from './ring.tsx'
import { limitWords, refillWords, remarkWords } from './words.ts'

interface Pair {
  read: GaugeValues
  update: GaugeValues
}

/** What is left of the minute, for a person who is signed in and for a watch link. */
export function MinutePanel({ children, below }: { children?: ReactNode; below?: ReactNode }) {
  const t = words().minute
  const quota = useQuota()
  const pair = usePair(quota)
  return (
    <section className="card" aria-labelledby="minute">
      <div className={`apart head ${styles.head}`}>
        <h2 id="minute">{t.heading}</h2>
        <div className={styles.aside}>{quota && <Aside quota={quota} pair={pair} />}</div>
      </div>
      <div className={styles.minute}>
        <Rings pair={pair} isHidden={quota === undefined} />
        {quota === undefined && <Unread />}
      </div>
      {children}
      <div className={below ? styles.below : undefined}>
        <Remarks pair={pair} />
        {below}
      </div>
    </section>
  )
}

const UNSEEN = gaugeValues(UNSEEN_WINDOW, 0)

function usePair(quota: ReceivedQuota | undefined): Pair {
  const elapsedMs = useElapsed(quota?.atMs ?? 0)
  const sending = useIsMutating({ mutationKey: PAID_KEY })
  if (quota === undefined) return { read: UNSEEN, update: UNSEEN }
  const { snapshot } = quota
  const plan = snapshot.month.plan && PLANS[snapshot.month.plan]
  const of = (name: RequestClass, sent: number): GaugeValues =>
    gaugeValues(snapshot[name], elapsedMs, { limit: plan?.[`${name}_per_minute`], sending: sent })
  return { read: of('read', sending), update: of('update', 0) }
}

/** Says that the values are not the newest; and when they change, or that nothing is sent for a while. */
function Aside({ quota: { snapshot, atMs }, pair }: { quota: ReceivedQuota; pair: Pair }) {
  const pause = pauseOf(snapshot, useElapsed(atMs))
  const isStale = useStale()
  return (
    <>
      {isStale && <Stale atMs={atMs} />}
      {pause === undefined ? (
        <Refill pair={pair} />
      ) : (
        <p className={styles.paused}>
          <Shape of="square" /> {words().minute.paused(countdownWords(pause.endsInMs))}
        </p>
      )}
    </>
  )
}

function Refill({ pair: { read, update } }: { pair: Pair }) {
  const refill = refillWords(read, update)
  if (refill === '') return <p>{limitWords(read, update)}</p>
  return (
    <p role="timer" suppressHydrationWarning>
      {refill}
    </p>
  )
}

/** Before the first snapshot they keep their space, so that nothing moves. */
function Rings({ pair, isHidden }: { pair: Pair; isHidden: boolean }) {
  return (
    <div className={styles.rings} style={isHidden ? { visibility: 'hidden' } : undefined}>
      <Ring of="read" minute={pair.read} />
      <Ring of="update" minute={pair.update} />
    </div>
  )
}

function Unread() {
  const t = words().minute
  const client = useQueryClient()
  const problem = useQuotaProblem()
  if (problem === null) return <p className={`${styles.unread} quiet loading`}>{t.loading}</p>
  return (
    <p className={styles.unread}>
      {t.notRead(text().problem[problem.code].title)}{' '}
      <button type="button" data-kind="quiet" onClick={() => void refetchQuota(client)}>
        {t.readAgain}
      </button>
    </p>
  )
}

/** They are rare, so they have no space of their own. */
function Remarks({ pair: { read, update } }: { pair: Pair }) {
  const remarks = [remarkWords('read', read), remarkWords('update', update)].filter((words) => words !== '')
  if (remarks.length === 0) return null
  return (
    <div className={styles.remarks}>
      {remarks.map((words) => (
        <p key={words}>{words}</p>
      ))}
    </div>
  )
}
