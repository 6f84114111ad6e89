import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { late, nextTask } from '../lib/late.ts'
import { useUi } from '../lib/ui.ts'
import { type QuotaOf, useQuotaEnds } from './query.ts'

/** Keeps the page up to date, from its first drawing on. Draws nothing. @param of stays the same object */
export function Follow({ of }: { of: QuotaOf }): null {
  const client = useQueryClient()
  useQuotaEnds()
  useEffect(() => {
    let isLeft = false
    let leave = (): void => {}
    const join = async (): Promise<void> => {
      await nextTask()
      const { joinLive } = await late(import('./live.ts'))
      if (!isLeft) leave = joinLive(client, of)
    }
    join().catch(() => useUi.setState({ live: 'not_live', notLiveSinceMs: Date.now() }))
    return () => {
      isLeft = true
      leave()
    }
  }, [client, of])
  return null
}
