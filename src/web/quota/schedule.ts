/** Reads the quota, for free: once at first, and when a pause or the month ends. Never at an interval. */
import { useEffect } from 'react'
import { HOUR_MS } from '../../contract/duration.ts'
import { nextEnd } from '../../contract/pause.ts'
import { readQuota } from './quota.ts'
import { useUi } from '../lib/ui.ts'

/** The clock of the server may be late: the page asks this much after an end. */
const GRACE_MS = 1000

export function useQuotaSchedule(): void {
  const quota = useUi((ui) => ui.quota)
  useEffect(() => {
    if (useUi.getState().quota === undefined) void readQuota()
  }, [])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = (): void => {
      if (quota === undefined) return
      const endsInMs = nextEnd(quota.snapshot, performance.now() - quota.atMs)
      timer = setTimeout(
        () => {
          if (endsInMs > HOUR_MS) wait()
          else if (!document.hidden) void readQuota()
        },
        Math.min(HOUR_MS, endsInMs + GRACE_MS),
      )
    }
    wait()
    return () => clearTimeout(timer)
  }, [quota])
}
