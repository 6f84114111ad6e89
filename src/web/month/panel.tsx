import { type ReactNode, Suspense } from 'react'
import { monthState, type MonthState } from '../../contract/month-state.ts'
import type { PlanName } from '../../contract/plan.ts'
import type { QuotaSnapshot } from '../../contract/quota.ts'
import { ChartPlaceholder } from '../chart/placeholder.tsx'
import gauge from '../components/gauge.module.css'
import { type ReceivedQuota, useQuota, useQuotaProblem } from '../quota/query.ts'
import { SKELETON } from '../quota/skeleton.ts'
import { words } from '../text/text.ts'
import { Aside } from './aside.tsx'
import { MonthBar } from './bar.tsx'
import styles from './month.module.css'
import { Verdict } from './verdict.tsx'

interface MonthPanelProps {
  /** The plan that the record names, if a record is known. */
  named: PlanName | undefined
  chart: ReactNode
  renderFoot?: (quota: ReceivedQuota) => ReactNode
}

/** What is left of the month, for a person who is signed in and for a watch link. */
export function MonthPanel(props: MonthPanelProps) {
  const quota = useQuota()
  const problem = useQuotaProblem()
  const t = words().month
  return (
    <section
      className={`${gauge.card} ${styles.card}`}
      aria-labelledby="month"
      data-state={quota && colourOf(quota.snapshot)}
    >
      <div className={gauge.head}>
        <h2 id="month" className={styles.heading}>
          {t.heading}
        </h2>
        <Aside quota={quota} named={props.named} isLoading={!problem} />
      </div>
      {quota && <MonthContent {...props} quota={quota} />}
      {!quota && problem && <p className={styles.quiet}>{t.notKnown}</p>}
      {!quota && !problem && <Unread {...props} />}
    </section>
  )
}

/** What is left has the colour of the verdict. */
function colourOf({ month }: QuotaSnapshot): MonthState {
  const state = monthState(month)
  return state === 'plenty' && month.forecast?.state === 'runs_out' ? 'low' : state
}

/** Before the first snapshot: as high as the card after a sign-in, so that nothing moves when it comes. */
function Unread(props: MonthPanelProps) {
  return (
    <div className={styles.space} style={{ visibility: 'hidden' }}>
      <MonthContent {...props} quota={SKELETON} />
    </div>
  )
}

function MonthContent({ quota, chart, renderFoot }: MonthPanelProps & { quota: ReceivedQuota }) {
  const { month } = quota.snapshot
  return (
    <>
      <div className={styles.body} data-chart={month.limit !== undefined || undefined}>
        <div className={styles.count}>
          <Verdict quota={quota} />
          {month.limit !== undefined && <MonthBar month={month} limit={month.limit} />}
        </div>
        {month.limit !== undefined && <Suspense fallback={<ChartPlaceholder />}>{chart}</Suspense>}
      </div>
      {renderFoot && <div className={styles.foot}>{renderFoot(quota)}</div>}
    </>
  )
}
