import { type ReactNode, useId } from 'react'
import { pauseOf } from '../../contract/pause.ts'
import { PLANS } from '../../contract/plan.ts'
import { Announce } from '../components/announce.tsx'
import { Shape } from '../components/icons.tsx'
import { useElapsed } from '../lib/clock.ts'
import { Stale, useStale } from '../quota/live-word.tsx'
import { type ReceivedQuota, useQuota } from '../quota/query.ts'
import { countdownWords, agoWords, listText } from '../text/format.ts'
import { words } from '../text/text.ts'
import { gaugeOf, Ring, spokenWords } from './ring.tsx'
import styles from './minute.module.css'
import { SECOND_MS } from '../../contract/duration.ts'
import type { RecentRequest } from '../../contract/quota.ts'
import { SpendButton, SpendNotice } from '../spend/button.tsx'
import { useLimitsCheck } from '../spend/paid.ts'

/** What is left of the minute, for a person who is signed in and for a watch link. */
export function MinutePanel({ checkedAtMs = 0, children }: { checkedAtMs?: number; children?: ReactNode }) {
  const quota = useQuota()
  if (!quota) return null
  return (
    <section className="card" aria-labelledby="minute">
      <div className={styles.head}>
        <h2 id="minute">{words().minute.heading}</h2>
        <Aside quota={quota} />
      </div>
      <Rings quota={quota} checkedAtMs={checkedAtMs} />
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

/** What a check has shown is read out. */
function Rings({ quota: { snapshot, atMs }, checkedAtMs }: { quota: ReceivedQuota; checkedAtMs: number }) {
  const elapsedMs = useElapsed(atMs)
  const plan = snapshot.month.plan && PLANS[snapshot.month.plan]
  const rings = (['read', 'update'] as const).map((of) => ({
    of,
    gauge: gaugeOf(snapshot[of], elapsedMs, plan?.[`${of}_per_minute`]),
  }))
  return (
    <div className={styles.rings}>
      {rings.map((ring) => (
        <Ring key={ring.of} {...ring} />
      ))}
      <Announce state={checkedAtMs} words={checkedAtMs === 0 ? '' : listText(rings.map(spokenWords))} />
    </div>
  )
}

export function MinuteCard() {
  const t = words().minute
  const limits = useLimitsCheck()
  return (
    <MinutePanel checkedAtMs={limits.answer?.atMs ?? 0}>
      {/* Nothing above it changes its height, so that it does not move under a finger. */}
      <SpendButton label={t.check} spend={limits} />
      <SpendNotice spend={limits} again={t.checkAgain} />
      <Recent />
    </MinutePanel>
  )
}

/** The last requests of the organization, newest first. */
function Recent() {
  const quota = useQuota()
  const elapsedMs = useElapsed(quota?.atMs ?? 0)
  const label = useId()
  return (
    <div className={styles.below}>
      <h3 id={label}>{words().minute.recent.label}</h3>
      <ul className={styles.recent} aria-labelledby={label}>
        {quota?.snapshot.recent?.map((request) => (
          <Row key={request.id} request={request} ageMs={request.age_ms + elapsedMs} />
        ))}
      </ul>
    </div>
  )
}

/** A request of somebody else is marked until it is this old. */
const MARKED_MS = 5 * SECOND_MS

function Row({ request: { kind, by, failed }, ageMs }: { request: RecentRequest; ageMs: number }) {
  const t = words().minute.recent
  return (
    <li data-new={(by === 'another' && ageMs < MARKED_MS) || undefined}>
      <span>
        <b>{t[by]}</b> {t.kinds[kind]}
      </span>{' '}
      <span className="quiet" suppressHydrationWarning>
        {failed ? t.failed(agoWords(ageMs)) : agoWords(ageMs)}
      </span>
    </li>
  )
}
