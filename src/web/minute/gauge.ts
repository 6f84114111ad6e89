/** The gauge of one class, from the snapshot and the time since it came. */
import { MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import type { WindowSnapshot } from '../../contract/quota.ts'

export interface Gauge {
  /** `new`: the window is over, and no answer has come since. `unknown`: nothing was measured. */
  state: 'plenty' | 'low' | 'none' | 'new' | 'unknown'
  /** As the service reported, never below zero; all of the limit, if known, while nothing is measured. */
  left: number | undefined
  limit: number | undefined
  /** 0 to 1 of the limit; 0 while nothing is measured. */
  share: number
  /** Until the reset, confirmed a second later; absent if it has nothing to give back. */
  countdownMs: number | undefined
}

/** The minute is low when no more than this part of the limit is left. */
const LOW_SHARE = 0.2

/** @param elapsedMs since the snapshot came @param planLimit that the snapshot may lack */
export function gaugeOf(window: WindowSnapshot, elapsedMs: number, planLimit?: number): Gauge {
  const { known, remaining, reset_in_ms: delayMs = Infinity, limit = planLimit } = window
  const resetInMs = delayMs - elapsedMs
  const isOpen = known === 'measured' && resetInMs > 0
  if (!isOpen || remaining === undefined) {
    const isNew = !isOpen && known !== 'unseen' && limit !== undefined
    return { state: isNew ? 'new' : 'unknown', left: limit, limit, share: 0, countdownMs: undefined }
  }
  return { ...measured(Math.max(0, remaining), limit), countdownMs: countdownOf(remaining, limit, resetInMs) }
}

function measured(left: number, limit: number | undefined): Omit<Gauge, 'countdownMs'> {
  const isLow = limit !== undefined && left <= limit * LOW_SHARE
  const share = limit ? Math.min(1, left / limit) : 0
  return { state: left === 0 ? 'none' : isLow ? 'low' : 'plenty', left, limit, share }
}

/** Resets are in whole seconds, so the window is surely over one second later. */
function countdownOf(left: number, limit = Infinity, resetInMs = Infinity): number | undefined {
  if (left >= limit || resetInMs === Infinity) return undefined
  return Math.min(MINUTE_MS, Math.max(0, resetInMs - SECOND_MS))
}
