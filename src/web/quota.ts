/** Reads the quota, which is free: after each action, when a pause ends, and when the page is shown again. Never at an interval. */
import { useEffect } from 'react'
import { asProblem } from '../contract/problem.ts'
import type { QuotaSnapshot } from '../contract/quota.ts'
import { getQuota } from './api.ts'
import { nextEnd } from './pause.ts'
import { useUi } from './ui.ts'

let asked = 0
let applied = 0
let clocks = { wallMs: Date.now(), steadyMs: performance.now() }

/** Of answers that overtake each other, the one that was asked for last counts. */
export async function readQuota(): Promise<void> {
  const order = ++asked
  try {
    const snapshot = await getQuota()
    if (order < applied) return
    applied = order
    applySnapshot(snapshot)
  } catch (error) {
    if (order >= applied) useUi.setState({ quotaProblem: asProblem(error) })
  }
}

/** Takes over a snapshot that has just arrived, unless a newer one is shown. */
export function applySnapshot(snapshot: QuotaSnapshot): void {
  const shown = useUi.getState().quota?.snapshot.version ?? 0
  if (snapshot.version < shown) return
  clocks = { wallMs: Date.now(), steadyMs: performance.now() }
  useUi.setState({
    quota: { snapshot, atMs: clocks.steadyMs, wallMs: clocks.wallMs },
    quotaProblem: undefined,
    drifted: false,
  })
}

export function forgetQuota(): void {
  applied = asked + 1
  asked = applied
  useUi.setState({ quota: undefined, quotaProblem: undefined, drifted: false })
}

/** Most systems stop performance.now() in sleep: then the countdowns are late, and the page shows that until the next answer. */
export function noticeSleep(): void {
  const wallMs = Date.now() - clocks.wallMs
  const steadyMs = performance.now() - clocks.steadyMs
  if (Math.abs(wallMs - steadyMs) > 2000) useUi.setState({ drifted: true })
}

const HOUR_MS = 3_600_000
/** A pause that has ended on this clock and not yet on the server's is asked about after this, not at once. */
const GRACE_MS = 1000

export function useQuotaReadings(): void {
  const quota = useUi((ui) => ui.quota)
  useEffect(() => {
    if (useUi.getState().quota === undefined) void readQuota()
  }, [])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = (): void => {
      const endsInMs = quota && nextEnd(quota.snapshot, performance.now() - quota.atMs)
      if (endsInMs === undefined) return
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
