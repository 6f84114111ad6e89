/** The gauge of one class, from the snapshot and the time since it came. Unmeasured numbers are absent. */
import { MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import type { WindowSnapshot } from '../../contract/quota.ts'

/** `unknown`: nothing was measured. */
export type GaugeState = 'plenty' | 'low' | 'none' | 'unknown'

export interface GaugeValues {
  state: GaugeState
  /** The window has ended, and no answer has come since: all of the limit is left. */
  isNew: boolean
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
  /** The report cannot be taken as it was: it does not fit the limit, the class or the minute. */
  isUnusual: boolean
}

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
  const { reset_in_ms: delayMs = Infinity } = window
  const resetInMs = Math.max(0, delayMs - elapsedMs)
  const isOpen = window.known === 'measured' && resetInMs > 0
  const reported = isOpen ? window.remaining : undefined
  const limit = window.limit ?? known.limit
  // The server may count them already.
  const inFlight = Math.max(window.in_flight, known.sending ?? 0)
  const numbers = numbersOf(reported, limit, inFlight)
  const isNew = !isOpen && isFilled(window, limit)
  return {
    state: isNew ? 'plenty' : stateOf(reported, limit),
    isNew,
    ...numbers,
    limit,
    limitBefore: isOpen ? window.limit_before : undefined,
    countdownMs: isOpen ? countdownOf(resetInMs, isFull(numbers, limit)) : undefined,
    ageMs: ageOf(window, elapsedMs),
    inFlight,
    isIdle: !isOpen && isIdle(window, inFlight, elapsedMs),
    isUnusual: isUnusual(window),
  }
}

/** All of the limit is left in a class whose window is over. */
const isFilled = ({ known }: WindowSnapshot, limit: number | undefined): boolean =>
  known !== 'unseen' && limit !== undefined

const isUnusual = ({ assumed, inconsistent, notes }: WindowSnapshot): boolean =>
  assumed || inconsistent || notes.length > 0

/** The reset has nothing to give back. */
const isFull = ({ expected = -1 }: Numbers, limit = Infinity): boolean => expected >= limit

/** Also an answer without this class counts. */
const isIdle = (
  { age_ms: ageMs = Infinity, silent_ms: silentMs = Infinity }: WindowSnapshot,
  inFlight: number,
  elapsedMs: number,
): boolean => inFlight === 0 && Math.min(ageMs, silentMs) + elapsedMs >= MINUTE_MS

function stateOf(remaining: number | undefined, limit: number | undefined): GaugeState {
  if (remaining === undefined) return 'unknown'
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
