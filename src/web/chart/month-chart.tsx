import { useQuery } from '@tanstack/react-query'
import type { SignedIn } from '../../contract/session.ts'
import { MonthPlot } from './month-plot.tsx'
import { ledgerDaysQuery } from './queries.ts'
import { readingsQuery } from '../readings/queries.ts'

/** @param large with a legend and a table, for the ledger. On the home page it is a link to the ledger. */
export function MonthChart({ session, large = false }: { session: SignedIn; large?: boolean }) {
  const days = useQuery(ledgerDaysQuery(session))
  const readings = useQuery(readingsQuery(session))
  // After a failure the chart has what is known.
  const history = { days: days.data ?? [], readings: readings.data ?? [] }
  return <MonthPlot history={days.isPending || readings.isPending ? undefined : history} large={large} />
}
