/** The plan and the reset, or how old the values are, beside the heading of the card. */
import { resetOf } from '../../contract/month-state.ts'
import type { PlanName } from '../../contract/plan.ts'
import type { SignedIn } from '../../contract/session.ts'
import { useElapsed } from '../lib/clock.ts'
import { useKnownPlan } from '../organization/name.ts'
import { Stale, useStale } from '../quota/live-word.tsx'
import type { ReceivedQuota } from '../quota/query.ts'
import { SKELETON } from '../quota/skeleton.ts'
import { dayWords, spanWords } from '../text/format.ts'
import { Sentence } from '../text/sentence.tsx'
import { words } from '../text/text.ts'
import styles from './month.module.css'

interface AsideProps {
  quota: ReceivedQuota | undefined
  /** Absent for a watch link. */
  session: SignedIn | undefined
  isLoading: boolean
}

export function Aside({ quota, session, isLoading }: AsideProps) {
  const isStale = useStale()
  if (quota && isStale) return <Stale atMs={quota.atMs} />
  if (quota) return session ? <OwnPlan quota={quota} session={session} /> : <PlanAndReset quota={quota} />
  if (!isLoading) return null
  // It has the room of the line that follows, so that nothing moves when that comes.
  return (
    <div className={styles.late}>
      <p className="quiet loading">{words().month.loading}</p>
      <div style={{ visibility: 'hidden' }} aria-hidden="true">
        <PlanAndReset quota={SKELETON} />
      </div>
    </div>
  )
}

/** The record may name the plan. */
const OwnPlan = ({ quota, session }: { quota: ReceivedQuota; session: SignedIn }) => (
  <PlanAndReset quota={quota} named={useKnownPlan(session)} />
)

function PlanAndReset({ quota, named }: { quota: ReceivedQuota; named?: PlanName | undefined }) {
  const { month } = quota.snapshot
  const { month: t, organization } = words()
  const elapsedMs = useElapsed(quota.atMs)
  // A record that contradicts the limits may be older than a change of the plan.
  const plan = named === (month.plan ?? named) ? named : month.plan
  const name = plan && organization.plans[plan]
  if (month.limit === undefined || month.may_have_reset)
    return <p className={styles.quiet}>{name ?? t.noPlan}</p>
  const resetMs = resetOf(month, quota.wallMs)
  const wait = spanWords(Math.max(0, resetMs - quota.wallMs - elapsedMs))
  const line = (day: string) =>
    name === undefined ? t.reset(day, wait) : t.planAndReset(name, t.reset(day, wait))
  return (
    <p className={styles.quiet}>
      <Sentence of={line}>
        <time dateTime={new Date(resetMs).toISOString()} suppressHydrationWarning>
          {dayWords(resetMs)}
        </time>
      </Sentence>
    </p>
  )
}
