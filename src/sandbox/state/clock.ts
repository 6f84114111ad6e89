/** The clock of the sandbox: the time that is passed in. It can be moved and frozen. */
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import type { Choices } from '../choices/choices.ts'
import type { Context } from './context.ts'

export interface ClockState {
  offset_ms: number
  /** UNIX milliseconds; absent while the clock runs. */
  frozen_at_ms?: number
}

export interface Clock {
  nowMs: () => number
  freeze: () => void
  /** A frozen clock runs again from its time. */
  run: () => void
  advance: (ms: number) => void
  /** UNIX milliseconds, also of an earlier time. A frozen clock stays frozen. */
  set: (ms: number) => void
}

/** The end of the year 9999. An HTTP date cannot express a later time. */
export const LAST_INSTANT_MS = 253_402_300_799_999

export const isInstant = (ms: unknown): ms is number =>
  typeof ms === 'number' && Number.isInteger(ms) && ms >= 0 && ms <= LAST_INSTANT_MS

/** `state` is called each time, so a restored state has its own time. `now` is in UNIX milliseconds. */
export function createClock(state: () => ClockState, now: () => number): Clock {
  const nowMs = () => state().frozen_at_ms ?? now() + state().offset_ms
  const set = (ms: number) => {
    if (!isInstant(ms))
      throw new Error(`A time must be a whole number of milliseconds from 0 to ${LAST_INSTANT_MS}`)
    const clock = state()
    if (clock.frozen_at_ms === undefined) clock.offset_ms = ms - now()
    else clock.frozen_at_ms = ms
  }
  return {
    nowMs,
    set,
    advance: (ms) => set(nowMs() + ms),
    freeze() {
      state().frozen_at_ms = nowMs()
    },
    run() {
      const clock = state()
      clock.offset_ms = nowMs() - now()
      delete clock.frozen_at_ms
    },
  }
}

/** U82: the clock in answers may be wrong; lifetimes and windows use the right time. `undefined`: no Date. */
const AHEAD_MS: Record<Choices['skew'], number | undefined> = {
  none: 0,
  plus_5_minutes: 5 * MINUTE_MS,
  minus_5_minutes: -5 * MINUTE_MS,
  plus_1_day: DAY_MS,
  no_date: undefined,
}

export const reportedNowMs = ({ choices, nowMs }: Context): number => nowMs + (AHEAD_MS[choices.skew] ?? 0)

/** In UNIX seconds; 0 stays 0. */
export const reportedSeconds = ({ choices }: Context, seconds: number): number =>
  seconds === 0 ? 0 : seconds + (AHEAD_MS[choices.skew] ?? 0) / SECOND_MS

/** RFC 9110 6.6.1. */
export const reportedDate = (context: Context): string | undefined =>
  AHEAD_MS[context.choices.skew] === undefined ? undefined : new Date(reportedNowMs(context)).toUTCString()
