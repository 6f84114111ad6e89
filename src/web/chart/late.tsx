import { useEffect, useState } from 'react'
import { late, nextTask } from '../lib/late.ts'
import type { MonthChartProps } from './chart.tsx'
import { ChartPlaceholder } from './placeholder.tsx'

/** Code of a page that the server draws, where nothing may suspend: absent until it is there. */
function useLate<Loaded>(load: () => Promise<Loaded>): Loaded | undefined {
  const [found, setFound] = useState<{ loaded: Loaded } | { cause: unknown }>()
  useEffect(() => {
    nextTask()
      .then(load)
      .then(
        (loaded) => setFound({ loaded }),
        (cause: unknown) => setFound({ cause }),
      )
  }, [load])
  if (found && 'cause' in found) throw found.cause
  return found?.loaded
}

const load = () => late(import('./chart.tsx'))

/** The chart with its data. */
export function MonthChart(of: MonthChartProps) {
  const loaded = useLate(load)
  return loaded ? <loaded.MonthChart {...of} /> : <ChartPlaceholder large={of.large} />
}
