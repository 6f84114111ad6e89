/** Works out the gauge of one class from the snapshot and the time since it came. */
import { MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import type { WindowSnapshot } from '../../contract/quota.ts'

export interface Gauge {
  /** `new`: the window is over, and no answer has come since. `unknown`: nothing was measured. */
  state: 'plenty' | 'low' | 'none' | 'new' | 'unknown'
  /** As the service reported it, but never below zero. Without a measurement all of the limit, if known. */
  left: number | undefined
  limit: number | undefined
  /** The part of the limit that is left, from 0 to 1; 0 without a measurement. */
  share: number
  /** The time until the reset; absent if that would give nothing back, or is not known. */
  countdownMs: number | undefined
}

/** The minute is low when no more than this part of the limit is left. */
const LOW_SHARE = 0.2

/** @param elapsedMs since the snapshot came @param planLimit for a snapshot without a limit */
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

/** The service tells resets in whole seconds. A snapshot adds one to be sure; the countdown does not. */
function countdownOf(left: number, limit = Infinity, resetInMs = Infinity): number | undefined {
  if (left >= limit || resetInMs === Infinity) return undefined
  return Math.min(MINUTE_MS, Math.max(0, resetInMs - SECOND_MS))
}
