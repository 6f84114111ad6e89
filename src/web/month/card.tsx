import { lazy, Suspense } from 'react'
import type { QuotaSnapshot } from '../../contract/quota.ts'
import type { SignedIn } from '../../contract/session.ts'
import { monthState, type MonthState } from '../../contract/month-state.ts'
import { ChartPlaceholder } from '../chart/placeholder.tsx'
import gauge from '../components/gauge.module.css'
import { type ReceivedQuota, useUi } from '../lib/ui.ts'
import { SKELETON } from '../quota/skeleton.ts'
import { ReadingRow } from '../readings/row.tsx'
import { signedInText } from '../text/text.ts'
import { Aside } from './aside.tsx'
import { MonthBar } from './bar.tsx'
import { ClockNotice } from './clock-notice.tsx'
import { How } from './how.tsx'
import styles from './month.module.css'
import { Verdict } from './verdict.tsx'

const MonthChart = lazy(() =>
  import('../chart/month-chart.tsx').then(({ MonthChart }) => ({ default: MonthChart })),
)

export function MonthCard({ session }: { session: SignedIn }) {
  const quota = useUi((ui) => ui.quota)
  const problem = useUi((ui) => ui.quotaProblem)
  const t = signedInText().month
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
        <Aside quota={quota} session={session} isLoading={!problem} />
      </div>
      {quota && <MonthContent quota={quota} session={session} />}
      {!quota && problem && <p className={styles.quiet}>{t.notKnown}</p>}
      {!quota && !problem && <Unread session={session} />}
    </section>
  )
}

/** What is left has the colour of the verdict. */
function colourOf({ month }: QuotaSnapshot): MonthState {
  const state = monthState(month)
  return state === 'plenty' && month.forecast?.state === 'runs_out' ? 'low' : state
}

/** Before the first snapshot: as high as the card after a sign-in, so that nothing moves when it comes. */
function Unread({ session }: { session: SignedIn }) {
  return (
    <div className={styles.space} style={{ visibility: 'hidden' }}>
      <MonthContent quota={SKELETON} session={session} />
    </div>
  )
}

function MonthContent({ quota, session }: { quota: ReceivedQuota; session: SignedIn }) {
  const { month } = quota.snapshot
  return (
    <>
      <div className={styles.body} data-chart={month.limit !== undefined || undefined}>
        <div className={styles.count}>
          <Verdict quota={quota} />
          {month.limit !== undefined && <MonthBar month={month} limit={month.limit} />}
          <ClockNotice />
        </div>
        {month.limit !== undefined && (
          <Suspense fallback={<ChartPlaceholder />}>
            <MonthChart session={session} />
          </Suspense>
        )}
      </div>
      <div className={styles.foot}>
        {isReadable(quota.snapshot) && <ReadingRow session={session} quota={quota} />}
        <How quota={quota} session={session} />
      </div>
    </>
  )
}

/** Without a monthly limit no count is of use. */
const isReadable = ({ month }: QuotaSnapshot): boolean =>
  month.limit !== undefined || month.plan === undefined
