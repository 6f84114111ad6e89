import { useQuery } from '@tanstack/react-query'
import type { Problem } from '../../contract/problem.ts'
import type { MonthSnapshot } from '../../contract/quota.ts'
import type { SignedIn } from '../../contract/session.ts'
import type { WatchedDays } from '../../contract/watch.ts'
import { Notice } from '../components/notice.tsx'
import { useQuota } from '../quota/query.ts'
import { readingsQuery } from '../readings/queries.ts'
import { burnDownOf } from './burn-down.ts'
import { Chart, type ChartProps } from './chart.tsx'
import { ChartPlaceholder } from './placeholder.tsx'
import { ledgerDaysQuery } from '../lib/query.ts'

/** @param large for the ledger: with its sentence, a legend and a table */
export function MonthChart({ session, large = false }: { session: SignedIn; large?: boolean }) {
  const days = useQuery(ledgerDaysQuery(session))
  const readings = useQuery(readingsQuery(session))
  const again = (): void => void Promise.all([days.refetch(), readings.refetch()])
  const history = days.data && readings.data && { days: days.data, readings: readings.data }
  return <MonthPlot history={history} problem={days.error ?? readings.error} again={again} large={large} />
}

interface MonthPlotProps extends Omit<ChartProps, 'burnDown'> {
  /** Absent until it is known: a past without it would look unused. */
  history: WatchedDays | undefined
  problem: Problem | null
  again: () => void
}

/** Draws nothing for a plan without a limit, and while the month turns. */
export function MonthPlot({ history, problem, again, ...looks }: MonthPlotProps) {
  const quota = useQuota()
  const month = quota?.snapshot.month
  if (month && !isDrawn(month)) return null
  if (!history && problem) return <Notice problem={problem} again={again} />
  if (!month || !history) return <ChartPlaceholder large={looks.large} />
  const readings = history.readings.map(({ count, read_at }) => ({ count, atMs: Date.parse(read_at) }))
  return <Chart burnDown={burnDownOf({ nowMs: quota.wallMs, month, ...history, readings })} {...looks} />
}

const isDrawn = (month: MonthSnapshot): month is MonthSnapshot & { limit: number } =>
  month.limit !== undefined && !month.may_have_reset
