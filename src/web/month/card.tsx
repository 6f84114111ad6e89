import type { QuotaSnapshot } from '../../contract/quota.ts'
import type { SignedIn } from '../../contract/session.ts'
import { MonthChart } from '../chart/late.tsx'
import { ReadingRow } from '../readings/row.tsx'
import { How } from './how.tsx'
import { MonthPanel } from './panel.tsx'

export function MonthCard({ session }: { session: SignedIn }) {
  return (
    <MonthPanel
      session={session}
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
