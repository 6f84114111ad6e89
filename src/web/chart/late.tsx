import { useEffect, useState } from 'react'
import type { SignedIn } from '../../contract/session.ts'
import { late, nextTask } from '../lib/late.ts'
import { ChartPlaceholder } from './placeholder.tsx'

/** Code of a page that the server draws, where nothing may suspend: absent until it is there. */
export function useLate<Loaded>(load: () => Promise<Loaded>): Loaded | undefined {
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

/** The chart with its data, for the pages of a person who is signed in. */
export function MonthChart(of: { session: SignedIn; large?: boolean }) {
  const loaded = useLate(load)
  return loaded ? <loaded.MonthChart {...of} /> : <ChartPlaceholder large={of.large} />
}
