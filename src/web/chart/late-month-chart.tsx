import type { SignedIn } from '../../contract/session.ts'
import { late, useLate } from '../lib/late.ts'
import { ChartPlaceholder } from './placeholder.tsx'

const load = () => late(import('./month-chart.tsx'))

/** The chart with its data, for the pages of a person who is signed in. */
export function MonthChart(of: { session: SignedIn; large?: boolean }) {
  const loaded = useLate(load)
  return loaded ? <loaded.MonthChart {...of} /> : <ChartPlaceholder large={of.large} />
}
