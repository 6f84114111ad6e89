import type { ReactNode } from 'react'
import type { SignedIn } from '../../contract/session.ts'
import { monthVerdict } from '../../contract/verdict.ts'
import { ChartPlaceholder } from '../chart/late.tsx'
import { type ReceivedQuota, useQuota, useQuotaProblem } from '../quota/query.ts'
import { SKELETON } from '../quota/skeleton.ts'
import { words } from '../text/text.ts'
import { Aside } from './aside.tsx'
import { MonthBar } from './bar.tsx'
import styles from './month.module.css'
import { Verdict } from './verdict.tsx'

interface MonthPanelProps {
  /** Absent for a watch link. */
  session?: SignedIn
  chart: ReactNode
  /** Takes counts; absent for a watch link. */
  renderFoot?: (quota: ReceivedQuota) => ReactNode
}

/** What is left of the month, for a person who is signed in and for a watch link. */
export function MonthPanel(props: MonthPanelProps) {
  const quota = useQuota()
  const problem = useQuotaProblem()
  const t = words().month
  return (
    <section
      className="card"
      aria-labelledby="month"
      data-tone={quota && monthVerdict(quota.snapshot.month, quota.wallMs).tone}
    >
      <div className="apart head">
        <h2 id="month">{t.heading}</h2>
        <Aside quota={quota} session={props.session} isLoading={!problem} />
      </div>
      {quota && <MonthContent {...props} quota={quota} />}
      {!quota && problem && <p className={styles.quiet}>{t.notKnown}</p>}
      {!quota && !problem && <Unread {...props} />}
    </section>
  )
}

/** Before the first snapshot: as high as the card after a sign-in, so that nothing moves when it comes. */
function Unread(props: MonthPanelProps) {
  return (
    <div className={styles.space} style={{ visibility: 'hidden' }}>
      <MonthContent {...props} chart={<ChartPlaceholder />} quota={SKELETON} />
    </div>
  )
}

function MonthContent({ quota, chart, renderFoot }: MonthPanelProps & { quota: ReceivedQuota }) {
  const { month } = quota.snapshot
  // While the month turns, every share and pace would be of two months.
  const limit = month.may_have_reset ? undefined : month.limit
  return (
    <>
      <div className={styles.body} data-chart={limit !== undefined || undefined}>
        <div className={styles.count}>
          <Verdict quota={quota} canEnter={renderFoot !== undefined} />
          {limit !== undefined && <MonthBar month={month} limit={limit} />}
        </div>
        {limit !== undefined && chart}
      </div>
      {renderFoot && <div className={styles.foot}>{renderFoot(quota)}</div>}
    </>
  )
}
