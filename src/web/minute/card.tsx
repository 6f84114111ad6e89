import { useId } from 'react'
import { SECOND_MS } from '../../contract/duration.ts'
import type { RecentRequest } from '../../contract/quota.ts'
import { useElapsed } from '../lib/clock.ts'
import { useQuota } from '../quota/query.ts'
import { SpendButton, SpendNotice } from '../spend/button.tsx'
import { useLimitsCheck } from '../spend/paid.ts'
import { agoWords } from '../text/format.ts'
import { words } from '../text/text.ts'
import styles from './minute.module.css'
import { MinutePanel } from './panel.tsx'

export function MinuteCard() {
  const t = words().minute
  const limits = useLimitsCheck()
  return (
    <MinutePanel>
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
        <b>{t[by]}</b> {failed ? t.failed(t.kinds[kind]) : t.kinds[kind]}
      </span>{' '}
      <span className="quiet" suppressHydrationWarning>
        {agoWords(ageMs)}
      </span>
    </li>
  )
}
