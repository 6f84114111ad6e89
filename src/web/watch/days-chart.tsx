import { useQuery } from '@tanstack/react-query'
import { MINUTE_MS } from '../../contract/duration.ts'
import { utcDayOf } from '../../contract/ledger.ts'
import { MonthPlot } from '../chart/chart.tsx'
import { useQuota } from '../quota/query.ts'
import { watchedDaysQuery } from './queries.ts'

/** The chart of a watch link, which is read again with each new day and each new count. */
export function DaysChart({ id, isStill }: { id: string; isStill: boolean }) {
  const state = useQuota(({ snapshot: { month }, wallMs }) => {
    const readAtMs = month.organization ? wallMs - month.organization.reading_age_ms : 0
    return `${utcDayOf(wallMs)} ${Math.round(readAtMs / MINUTE_MS)}`
  })
  const days = { ...watchedDaysQuery(id, state ?? ''), enabled: state !== undefined }
  const { data, error, refetch } = useQuery(days)
  return <MonthPlot history={data} problem={error} again={() => void refetch()} isStill={isStill} />
}
