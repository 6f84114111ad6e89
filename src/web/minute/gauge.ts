/** The gauge of one class, from the snapshot and the time since it came. Unmeasured numbers are absent. */
import { MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import type { WindowSnapshot } from '../../contract/quota.ts'
import type { RateNote } from '../../contract/rate-note.ts'

/** `reset`: no answer since the window ended. `unreported`: none reported what is left of an open window. */
export type GaugeState = 'plenty' | 'low' | 'none' | 'reset' | 'unreported' | 'unseen'

export interface GaugeValues {
  state: GaugeState
  /** As the service reported, never below zero; absent while nothing is measured. */
  remaining: number | undefined
  /** `remaining` minus the requests in flight. */
  expected: number | undefined
  /** Beyond the limit, if the service reported a negative number. */
  overBy: number
  limit: number | undefined
  limitBefore: number | undefined
  /** 0 to 1: the expected requests, and those in flight. */
  share: number
  flightShare: number
  /**
   * Until the reset, confirmed a second later. At most 60 s, unless the window is longer than a minute.
   * Absent if the reset has nothing to give back.
   */
  countdownMs: number | undefined
  ageMs: number | undefined
  inFlight: number
  /** Nothing is in flight, no window is open, and no answer came in the last minute. */
  isIdle: boolean
  inconsistent: boolean
  assumed: boolean
  notes: readonly RateNote[]
}

const NOT_OPEN = { limitBefore: undefined, countdownMs: undefined }
/** The minute is low when no more than this part of the limit is left. */
export const LOW_REMAINING_SHARE = 0.2
/** Resets are in whole seconds, so the window is surely over one second later. */
const CONFIRMED_MS = SECOND_MS
const LONG_WINDOW_MS = 66_000

/**
 * @param elapsedMs since the snapshot came
 * @param known the limit of the plan, and the requests of this page under way: the snapshot may lack both
 */
export function gaugeValues(
  window: WindowSnapshot,
  elapsedMs: number,
  known: { limit?: number | undefined; sending?: number } = {},
): GaugeValues {
  const { assumed, inconsistent, notes, reset_in_ms: delayMs = Infinity } = window
  const resetInMs = Math.max(0, delayMs - elapsedMs)
  const isOpen = window.known === 'measured' && resetInMs > 0
  const reported = isOpen ? window.remaining : undefined
  const limit = window.limit ?? known.limit
  // The server may count them already.
  const inFlight = Math.max(window.in_flight, known.sending ?? 0)
  const numbers = numbersOf(reported, limit, inFlight)
  return {
    state: isOpen ? stateOf(reported, limit) : closedState(window),
    ...numbers,
    limit,
    ...(isOpen
      ? { limitBefore: window.limit_before, countdownMs: countdownOf(resetInMs, isFull(numbers, limit)) }
      : NOT_OPEN),
    ageMs: ageOf(window, elapsedMs),
    inFlight,
    isIdle: !isOpen && inFlight === 0 && newestMs(window, elapsedMs) >= MINUTE_MS,
    inconsistent,
    assumed,
    notes,
  }
}

const closedState = ({ known }: WindowSnapshot): GaugeState => (known === 'unseen' ? 'unseen' : 'reset')

/** The reset has nothing to give back. */
const isFull = ({ expected = -1 }: Numbers, limit = Infinity): boolean => expected >= limit

/** Milliseconds since the newest answer, also one without this class. */
const newestMs = (
  { age_ms: ageMs = Infinity, silent_ms: silentMs = Infinity }: WindowSnapshot,
  elapsedMs: number,
) => Math.min(ageMs, silentMs) + elapsedMs

function stateOf(remaining: number | undefined, limit: number | undefined): GaugeState {
  if (remaining === undefined) return 'unreported'
  if (remaining <= 0) return 'none'
  return limit !== undefined && remaining <= limit * LOW_REMAINING_SHARE ? 'low' : 'plenty'
}

type Numbers = Pick<GaugeValues, 'remaining' | 'expected' | 'overBy' | 'share' | 'flightShare'>

function numbersOf(reported: number | undefined, limit: number | undefined, inFlight: number): Numbers {
  if (reported === undefined)
    return { remaining: undefined, expected: undefined, overBy: 0, share: 0, flightShare: 0 }
  const remaining = Math.max(0, reported)
  const expected = Math.max(0, reported - inFlight)
  const share = shareOf(expected, limit)
  const flightShare = shareOf(remaining, limit) - share
  return { remaining, expected, overBy: Math.max(0, -reported), share, flightShare }
}

const shareOf = (remaining: number, limit = 0): number => (limit === 0 ? 0 : Math.min(1, remaining / limit))

function countdownOf(resetInMs: number, isNothing: boolean): number | undefined {
  if (isNothing || resetInMs === Infinity) return undefined
  const mostMs = resetInMs > LONG_WINDOW_MS ? Infinity : MINUTE_MS
  return Math.min(mostMs, Math.max(0, resetInMs - CONFIRMED_MS))
}

const ageOf = ({ known, age_ms: ageMs }: WindowSnapshot, elapsedMs: number): number | undefined =>
  known === 'unseen' || ageMs === undefined ? undefined : ageMs + elapsedMs
