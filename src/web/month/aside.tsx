/** The plan and the reset, or how old the values are, beside the heading of the card. */
import type { PlanName } from '../../contract/plan.ts'
import gauge from '../components/gauge.module.css'
import { useElapsed } from '../lib/clock.ts'
import { resetSpan } from '../quota/words.ts'
import { dayWords, spanWords } from '../text/format.ts'
import { words } from '../text/text.ts'
import type { ReceivedQuota } from '../quota/query.ts'
import { SKELETON } from '../quota/skeleton.ts'
import { Stale, useStale } from '../quota/live-word.tsx'
import { Sentence } from '../text/sentence.tsx'
import styles from './month.module.css'

interface AsideProps {
  quota: ReceivedQuota | undefined
  named: PlanName | undefined
  isLoading: boolean
}

export function Aside({ quota, named, isLoading }: AsideProps) {
  const isStale = useStale()
  if (!quota) return isLoading && <Loading named={named} />
  return isStale ? <Stale atMs={quota.atMs} /> : <PlanAndReset quota={quota} named={named} />
}

/** It has the room of the line that follows, so that nothing moves when that comes. */
function Loading({ named }: Pick<AsideProps, 'named'>) {
  return (
    <div className={styles.late}>
      <p className={gauge.loading}>{words().month.loading}</p>
      <div style={{ visibility: 'hidden' }} aria-hidden="true">
        <PlanAndReset quota={SKELETON} named={named} />
      </div>
    </div>
  )
}

function PlanAndReset({ quota, named }: { quota: ReceivedQuota; named: PlanName | undefined }) {
  const { month } = quota.snapshot
  const { month: t, organization } = words()
  // A record that contradicts the limits may be older than a change of the plan.
  const plan = named === (month.plan ?? named) ? named : month.plan
  const soonMs = Math.max(0, month.resets_in_ms.earliest - useElapsed(quota.atMs))
  const name = plan && organization.plans[plan]
  if (month.limit === undefined || month.may_have_reset)
    return <p className={styles.quiet}>{name ?? t.noPlan}</p>
  const { high } = resetSpan(month, quota.wallMs)
  const resets = (day: string): string => {
    const reset = t.reset(day, spanWords(soonMs))
    return name === undefined ? reset : t.planAndReset(name, reset)
  }
  return (
    <p className={styles.quiet}>
      <Sentence of={resets}>
        <time dateTime={new Date(high).toISOString()}>{dayWords(high)}</time>
      </Sentence>
    </p>
  )
}
