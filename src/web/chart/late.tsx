import { latePart } from '../components/late-part.tsx'
import type { MonthChartProps } from './chart.tsx'
import { ChartPlaceholder } from './placeholder.tsx'

/** The chart with its data. */
export const MonthChart = latePart<MonthChartProps>(
  () => import('./chart.tsx').then(({ MonthChart }) => MonthChart),
  ChartPlaceholder,
)
