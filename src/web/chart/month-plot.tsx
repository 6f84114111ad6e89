import type { MonthSnapshot } from '../../contract/quota.ts'
import type { WatchedDays } from '../../contract/watch.ts'
import { useQuota } from '../quota/query.ts'
import { burnDownOf } from './burn-down.ts'
import { Chart, type ChartProps } from './chart.tsx'
import { ChartPlaceholder } from './placeholder.tsx'

interface MonthPlotProps extends Omit<ChartProps, 'burnDown'> {
  /** Absent until it is known. */
  history: WatchedDays | undefined
}

/** Draws nothing for a plan without a limit. */
export function MonthPlot({ history, large = false, ...looks }: MonthPlotProps) {
  const quota = useQuota()
  if (!quota) return <ChartPlaceholder large={large} />
  const { month } = quota.snapshot
  if (!hasLimit(month)) return null
  if (!history) return <ChartPlaceholder large={large} />
  const burnDown = burnDownOf({
    nowMs: quota.wallMs,
    month,
    days: history.days,
    readings: history.readings.map(({ count, read_at }) => ({ count, atMs: Date.parse(read_at) })),
  })
  return <Chart burnDown={burnDown} large={large} {...looks} />
}

const hasLimit = (month: MonthSnapshot): month is MonthSnapshot & { limit: number } =>
  month.limit !== undefined
