import type { SignedIn } from '../../contract/session.ts'
import { MonthChart } from '../chart/late.tsx'
import { useKnownPlan } from '../organization/name.ts'
import { ReadingRow } from '../readings/row.tsx'
import { How } from './how.tsx'
import { MonthPanel } from './panel.tsx'

export function MonthCard({ session }: { session: SignedIn }) {
  return (
    <MonthPanel
      named={useKnownPlan(session)}
      chart={<MonthChart session={session} />}
      renderFoot={(quota) => {
        const { limit, plan } = quota.snapshot.month
        return (
          <>
            {/* Without a monthly limit no count is of use. */}
            {(limit !== undefined || plan === undefined) && <ReadingRow session={session} quota={quota} />}
            <How quota={quota} />
          </>
        )
      }}
    />
  )
}
