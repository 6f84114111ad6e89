import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { late } from '../lib/late.ts'
import { useUi } from '../lib/ui.ts'
import type { QuotaOf } from './query.ts'

/** Keeps the page up to date, from its first drawing on. Draws nothing. @param of stays the same object */
export function useLive(of: QuotaOf): void {
  const client = useQueryClient()
  useEffect(() => {
    let isLeft = false
    let leave = (): void => {}
    const join = async (): Promise<void> => {
      const { joinLive } = await late(import('./live.ts'))
      if (!isLeft) leave = joinLive(client, of)
    }
    join().catch(() => useUi.setState({ live: 'not_live', notLiveSinceMs: Date.now() }))
    return () => {
      isLeft = true
      leave()
    }
  }, [client, of])
}
