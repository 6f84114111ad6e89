import { useEffect, useState } from 'react'
import { late, nextTask } from '../lib/late.ts'
import type { MonthChartProps } from './chart.tsx'
import { ChartPlaceholder } from './placeholder.tsx'

const load = () => late(import('./chart.tsx'))
type Loaded = Awaited<ReturnType<typeof load>>

/** The chart with its data. The server draws the page too, and there nothing may suspend. */
export function MonthChart(of: MonthChartProps) {
  const [found, setFound] = useState<{ loaded: Loaded } | { cause: unknown }>()
  useEffect(() => {
    nextTask()
      .then(load)
      .then(
        (loaded) => setFound({ loaded }),
        (cause: unknown) => setFound({ cause }),
      )
  }, [])
  if (found === undefined) return <ChartPlaceholder large={of.large} />
  if ('cause' in found) throw found.cause
  return <found.loaded.MonthChart {...of} />
}
