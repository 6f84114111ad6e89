import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { SECOND_MS } from '../../contract/duration.ts'
import { late, nextTask } from '../lib/late.ts'
import { useUi } from '../lib/ui.ts'
import { type QuotaOf, useQuotaEnds } from './query.ts'

/** Keeps the page up to date, from its first drawing on. Draws nothing. @param of stays the same object */
export function Follow({ of }: { of: QuotaOf }): null {
  const client = useQueryClient()
  useQuotaEnds()
  const { data: live, error } = useQuery({
    queryKey: ['live'],
    queryFn: () => nextTask().then(() => late(import('./live.ts'))),
    refetchInterval: ({ state }) => state.error !== null && 30 * SECOND_MS,
  })
  const hasFailed = error !== null
  useEffect(() => {
    const isFirst = useUi.getState().live === 'connecting'
    if (hasFailed && isFirst) useUi.setState({ live: 'not_live', notLiveSinceMs: Date.now() })
  }, [hasFailed])
  useEffect(() => live?.joinLive(client, of), [live, client, of])
  return null
}
