/** How one class of the minute looks at an instant: the snapshot, and the time that has passed since. Nothing unmeasured gets a number. */
import type { WindowSnapshot } from '../contract/quota.ts'
import type { RateNote } from '../contract/rate-limit.ts'

/** `reset`: the window ran out and no newer answer came. `untold`: a window is open, and what is left of it was not told. */
export type MinuteState = 'plenty' | 'low' | 'none' | 'reset' | 'untold' | 'unseen'

export interface Minute {
  state: MinuteState
  /** What to show, never below zero; absent unless measured. */
  remaining?: number
  /** Requests beyond the limit, where the service reported less than none. */
  overBy: number
  limit?: number
  /** Part of the bar that is filled, 0 to 1. */
  share: number
  resetInMs?: number
  ageMs?: number
  inFlight: number
  inconsistent: boolean
  assumed: boolean
  notes: readonly RateNote[]
}

const LOW_SHARE = 0.2

const whole = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : undefined
const delay = (value: unknown, elapsedMs: number): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(0, value - elapsedMs) : undefined

/**
 * @param elapsedMs since the snapshot came
 * @param guess what the snapshot itself does not have: the limit by the plan, and requests of this tab under way
 */
export function readMinute(
  window: WindowSnapshot,
  elapsedMs: number,
  guess: { limit?: number | undefined; sending?: number } = {},
): Minute {
  const told = whole(window.limit)
  const limit = told !== undefined && told >= 0 ? told : guess.limit
  const raw = window.known === 'measured' ? whole(window.remaining) : undefined
  const resetInMs = window.known === 'measured' ? delay(window.reset_in_ms, elapsedMs) : undefined
  const ageMs = whole(window.age_ms)
  const over = resetInMs === 0 || window.known === 'expired'
  const state = over ? 'reset' : stateOf(window.known, raw, limit)
  const remaining = over || raw === undefined ? undefined : Math.max(0, raw)
  return {
    state,
    ...(remaining === undefined ? {} : { remaining }),
    overBy: over || raw === undefined ? 0 : Math.max(0, -raw),
    ...(limit === undefined ? {} : { limit }),
    share:
      remaining === undefined || limit === undefined ? 0 : limit === 0 ? 0 : Math.min(1, remaining / limit),
    ...(resetInMs === undefined || over ? {} : { resetInMs }),
    ...(ageMs === undefined || window.known === 'unseen' ? {} : { ageMs: Math.max(0, ageMs) + elapsedMs }),
    inFlight: Math.max(0, whole(window.in_flight) ?? 0, guess.sending ?? 0),
    inconsistent: raw !== undefined && told !== undefined && raw > told,
    assumed: window.assumed,
    notes: Array.isArray(window.notes) ? window.notes : [],
  }
}

function stateOf(
  known: WindowSnapshot['known'],
  remaining: number | undefined,
  limit: number | undefined,
): MinuteState {
  if (known !== 'measured') return 'unseen'
  if (remaining === undefined) return 'untold'
  if (remaining <= 0) return 'none'
  return limit !== undefined && remaining <= limit * LOW_SHARE ? 'low' : 'plenty'
}
