import { useQuery } from '@tanstack/react-query'
import type { MonthSnapshot } from '../../contract/quota.ts'
import type { SignedIn } from '../../contract/session.ts'
import { burnDownOf } from './burn-down.ts'
import { Chart } from './chart.tsx'
import { ChartPlaceholder } from './placeholder.tsx'
import { ledgerDaysQuery } from './queries.ts'
import { readingsQuery } from '../readings/queries.ts'
import { useUi } from '../lib/ui.ts'

/** Draws nothing for a plan without a limit. @param large with a legend and a table, for the ledger */
export function MonthChart({ session, large = false }: { session: SignedIn; large?: boolean }) {
  const quota = useUi((ui) => ui.quota)
  const days = useQuery(ledgerDaysQuery(session))
  const readings = useQuery(readingsQuery(session))
  if (quota && !hasLimit(quota.snapshot.month)) return null
  if (!quota || days.isPending || readings.isPending) return <ChartPlaceholder large={large} />
  const { month } = quota.snapshot
  if (!hasLimit(month)) return null
  const burnDown = burnDownOf({
    nowMs: quota.wallMs,
    month,
    // After a failure the chart has what is known.
    days: days.data ?? [],
    readings: (readings.data ?? []).map(({ count, read_at }) => ({
      count,
      atMs: Date.parse(read_at),
    })),
  })
  return <Chart burnDown={burnDown} large={large} />
}

const hasLimit = (month: MonthSnapshot): month is MonthSnapshot & { limit: number } =>
  month.limit !== undefined
