import { lazy } from 'react'
import { late } from '../lib/late.ts'

/** The chart with its data, for the pages of a person who is signed in. */
export const MonthChart = lazy(() =>
  late(import('./month-chart.tsx').then(({ MonthChart }) => ({ default: MonthChart }))),
)
