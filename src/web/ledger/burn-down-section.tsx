import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useId } from 'react'
import type { LedgerDay } from '../../contract/ledger.ts'
import type { MonthSnapshot } from '../../contract/quota.ts'
import type { SignedIn } from '../../contract/session.ts'
import { burnDownOf } from './burn-down.ts'
import data from '../components/data.module.css'
import { readingsQuery } from '../readings/queries.ts'
import { signedInText } from '../text/text.ts'
import { useUi } from '../lib/ui.ts'

const Chart = lazy(() => import('./burn-down-chart.tsx').then(({ Chart }) => ({ default: Chart })))

/** Draws nothing for a plan without a limit. */
export function BurnDownSection({ days, session }: { days: readonly LedgerDay[]; session: SignedIn }) {
  const id = useId()
  const quota = useUi((ui) => ui.quota)
  const { data: { readings } = { readings: [] } } = useQuery(readingsQuery(session))
  if (quota === undefined || !hasLimit(quota.snapshot.month)) return null
  const burnDown = burnDownOf({
    nowMs: quota.wallMs,
    month: quota.snapshot.month,
    days,
    readings: readings.map(({ count, read_at }) => ({ count, atMs: Date.parse(read_at) })),
  })
  const t = signedInText().burnDown
  return (
    <section className={data.card} aria-labelledby={id}>
      <h2 id={id}>{t.heading}</h2>
      <Suspense fallback={<p className={data.quiet}>{t.loading}</p>}>
        <Chart burnDown={burnDown} forecast={quota.snapshot.month.forecast} labelledBy={id} />
      </Suspense>
    </section>
  )
}

const hasLimit = (month: MonthSnapshot): month is MonthSnapshot & { limit: number } =>
  month.limit !== undefined
