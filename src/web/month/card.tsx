import { lazy } from 'react'
import type { QuotaSnapshot } from '../../contract/quota.ts'
import type { SignedIn } from '../../contract/session.ts'
import { ReadingRow } from '../readings/row.tsx'
import { useKnownPlan } from '../record/organization-name.ts'
import { How } from './how.tsx'
import { MonthPanel } from './panel.tsx'

const MonthChart = lazy(() =>
  import('../chart/month-chart.tsx').then(({ MonthChart }) => ({ default: MonthChart })),
)

export function MonthCard({ session }: { session: SignedIn }) {
  const named = useKnownPlan(session)
  return (
    <MonthPanel
      named={named}
      chart={<MonthChart session={session} />}
      renderFoot={(quota) => (
        <>
          {isReadable(quota.snapshot) && <ReadingRow session={session} quota={quota} />}
          <How quota={quota} session={session} />
        </>
      )}
    />
  )
}

/** Without a monthly limit no count is of use. */
const isReadable = ({ month }: QuotaSnapshot): boolean =>
  month.limit !== undefined || month.plan === undefined
