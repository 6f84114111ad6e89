/** The clock of the sandbox: the time that is passed in. It can be moved and frozen. */
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import type { Choices } from '../choices/choices.ts'
import type { Context } from './context.ts'
import { parse, whole } from './parse.ts'
import type { SandboxState } from './state.ts'

/** The end of the year 9999. An HTTP date cannot express a later time. */
export const LAST_INSTANT_MS = 253_402_300_799_999
const INSTANT = whole(0, LAST_INSTANT_MS)

export type Clock = ReturnType<typeof createClock>

/** `state` is called each time, so a restored state has its own time. `now` is in UNIX milliseconds. */
export function createClock(state: () => SandboxState['clock'], now: () => number) {
  const nowMs = () => state().frozen_at_ms ?? now() + state().offset_ms
  /** Also to an earlier time. A frozen clock stays frozen. */
  const set = (ms: number): void => {
    const [clock, time] = [state(), parse(INSTANT, ms, 'time')]
    if (clock.frozen_at_ms === undefined) clock.offset_ms = time - now()
    else clock.frozen_at_ms = time
  }
  return {
    nowMs,
    set,
    advance: (ms: number) => set(nowMs() + ms),
    freeze: () => void (state().frozen_at_ms = nowMs()),
    /** A frozen clock runs again from its time. */
    run: () => {
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
