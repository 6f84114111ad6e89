import { useId } from 'react'
import { SECOND_MS } from '../../contract/duration.ts'
import type { RecentRequest } from '../../contract/quota.ts'
import { useElapsed } from '../lib/clock.ts'
import { agoWords } from '../text/format.ts'
import { words } from '../text/text.ts'
import type { ReceivedQuota } from '../quota/query.ts'
import styles from './minute.module.css'

/** A request of somebody else is marked until it is this old. */
const MARKED_MS = 5 * SECOND_MS

/** The last requests of the organization, newest first. */
export function Recent({ quota }: { quota: ReceivedQuota | undefined }) {
  const elapsedMs = useElapsed(quota?.atMs ?? 0)
  const recent = quota?.snapshot.recent ?? []
  const label = useId()
  return (
    <>
      <h3 id={label} className={styles.label}>
        {words().minute.recent.label}
      </h3>
      <ul className={styles.recent} aria-labelledby={label}>
        {recent.map((request) => (
          <Row key={request.id} request={request} ageMs={request.age_ms + elapsedMs} />
        ))}
      </ul>
    </>
  )
}

function Row({ request: { kind, by, failed }, ageMs }: { request: RecentRequest; ageMs: number }) {
  const t = words().minute.recent
  return (
    <li data-new={(by === 'another' && ageMs < MARKED_MS) || undefined}>
      <span>
        <b>{t[by]}</b> {failed ? t.failed(t.kinds[kind]) : t.kinds[kind]}
      </span>{' '}
      <span className={styles.when} suppressHydrationWarning>
        {agoWords(ageMs)}
      </span>
    </li>
  )
}
