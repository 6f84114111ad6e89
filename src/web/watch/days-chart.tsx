import { useQuery } from '@tanstack/react-query'
import { MINUTE_MS } from '../../contract/duration.ts'
import { utcDayOf } from '../../contract/ledger.ts'
import { MonthPlot } from '../chart/month-plot.tsx'
import { useQuota } from '../quota/query.ts'
import { watchedDaysQuery } from './queries.ts'
import { isWall } from './wall.ts'

/** The chart of a watch link, which is read again with each new day and each new count. */
export function DaysChart({ id }: { id: string }) {
  const state = useQuota(({ snapshot: { month }, wallMs }) => {
    const readAtMs = month.organization ? wallMs - month.organization.reading_age_ms : 0
    return `${utcDayOf(wallMs)} ${Math.round(readAtMs / MINUTE_MS)}`
  })
  const { data, isPending } = useQuery({ ...watchedDaysQuery(id, state ?? ''), enabled: state !== undefined })
  const known = data ?? { days: [], readings: [] }
  return <MonthPlot history={isPending ? undefined : known} plot={isWall() ? 'still' : 'slider'} />
}
