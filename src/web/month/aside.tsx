/** The plan, or how old the values are, beside the heading of the card. */
import type { PlanName } from '../../contract/plan.ts'
import type { MonthSnapshot } from '../../contract/quota.ts'
import type { SignedIn } from '../../contract/session.ts'
import gauge from '../components/gauge.module.css'
import { Room } from '../components/room.tsx'
import type { ReceivedQuota } from '../lib/ui.ts'
import { SKELETON } from '../quota/skeleton.ts'
import { Stale, staleWords, useStale } from '../quota/stale.tsx'
import { useKnownPlan } from '../record/organization-name.ts'
import { signedInText } from '../text/text.ts'
import styles from './month.module.css'

const PLAN_NAMES = { business: 'Business', standard: 'Standard' } as const

interface AsideProps {
  quota: ReceivedQuota | undefined
  session: SignedIn
  isLoading: boolean
}

export function Aside({ quota, session, isLoading }: AsideProps) {
  const isStale = useStale()
  const { month } = (quota ?? SKELETON).snapshot
  const plan = planWords(month, useKnownPlan(session))
  return (
    <Room as="div" className={styles.quiet} others={[planWords(month), staleWords()]}>
      {!quota && isLoading && <p className={gauge.loading}>{signedInText().month.loading}</p>}
      {quota && (isStale ? <Stale atMs={quota.atMs} /> : <p>{plan}</p>)}
    </Room>
  )
}

/** @param named the plan in the record */
function planWords({ plan }: MonthSnapshot, named?: PlanName): string {
  const t = signedInText().month
  if (named !== undefined && named === (plan ?? named)) return t.namedPlan(PLAN_NAMES[named])
  return plan === undefined ? t.noPlan : t.plan(PLAN_NAMES[plan])
}
