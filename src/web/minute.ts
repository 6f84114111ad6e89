/** How one class of the minute looks at an instant: the snapshot, and the time that has passed since. Nothing unmeasured gets a number. */
import type { WindowSnapshot } from '../contract/quota.ts'
import type { RateNote } from '../contract/rate-limit.ts'

/** `reset`: the window ended and no newer answer came. `unreported`: a window is open, and no answer reported what is left. */
export type MinuteState = 'plenty' | 'low' | 'none' | 'reset' | 'unreported' | 'unseen'

export interface Minute {
  state: MinuteState
  /** What to show, never below zero; only while measured. */
  remaining: number | undefined
  /** Requests beyond the limit, where the service reported less than none. */
  overBy: number
  limit: number | undefined
  /** Part of the bar that is filled, 0 to 1. */
  share: number
  resetInMs: number | undefined
  ageMs: number | undefined
  inFlight: number
  inconsistent: boolean
  assumed: boolean
  notes: readonly RateNote[]
}

const LOW_SHARE = 0.2

/**
 * @param elapsedMs since the snapshot came
 * @param known what the snapshot itself does not have: the limit of the plan, and requests of this tab under way
 */
export function readMinute(
  window: WindowSnapshot,
  elapsedMs: number,
  known: { limit?: number | undefined; sending?: number } = {},
): Minute {
  const { assumed, inconsistent, notes } = window
  const resetInMs = window.reset_in_ms === undefined ? undefined : Math.max(0, window.reset_in_ms - elapsedMs)
  const isOver = window.known === 'expired' || resetInMs === 0
  const isOpen = window.known === 'measured' && !isOver
  const reported = isOpen ? window.remaining : undefined
  const limit = window.limit ?? known.limit
  return {
    state: isOver ? 'reset' : isOpen ? stateOf(reported, limit) : 'unseen',
    remaining: reported === undefined ? undefined : Math.max(0, reported),
    overBy: excessOf(reported),
    limit,
    share: shareOf(reported, limit),
    resetInMs: isOpen ? resetInMs : undefined,
    ageMs: ageOf(window, elapsedMs),
    inFlight: Math.max(window.in_flight, known.sending ?? 0),
    inconsistent,
    assumed,
    notes,
  }
}

function stateOf(remaining: number | undefined, limit: number | undefined): MinuteState {
  if (remaining === undefined) return 'unreported'
  if (remaining <= 0) return 'none'
  return limit !== undefined && remaining <= limit * LOW_SHARE ? 'low' : 'plenty'
}

const excessOf = (remaining = 0): number => Math.max(0, -remaining)

const shareOf = (remaining = 0, limit = 0): number =>
  limit === 0 ? 0 : Math.min(1, Math.max(0, remaining) / limit)

const ageOf = ({ known, age_ms: ageMs }: WindowSnapshot, elapsedMs: number): number | undefined =>
  known === 'unseen' || ageMs === undefined ? undefined : ageMs + elapsedMs
