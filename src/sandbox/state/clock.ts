/** The one clock: the time that was handed in, pushed and held as a person or a test wants it. */

/** How the sandbox's time differs from the one that was handed in. */
export interface ClockState {
  offset_ms: number
  /** Present while the clock stands still: where it stands, in UNIX milliseconds. */
  frozen_at_ms?: number
}

export interface Clock {
  /** UNIX milliseconds. */
  nowMs: () => number
  freeze: () => void
  /** Lets a frozen clock run on from where it stands. */
  run: () => void
  advance: (ms: number) => void
  /** To an instant in UNIX milliseconds, back or forth; a frozen clock stays frozen. */
  set: (ms: number) => void
}

/** The last instant that a clock can show: the end of the year 9999, the last that a date of HTTP has. */
export const LAST_INSTANT_MS = 253_402_300_799_999

/** Whether a clock can show it. */
export const isInstant = (ms: unknown): ms is number =>
  typeof ms === 'number' && Number.isInteger(ms) && ms >= 0 && ms <= LAST_INSTANT_MS

/**
 * @param state read anew each time, so that a restored state brings its own time
 * @param now UNIX milliseconds
 */
export function createClock(state: () => ClockState, now: () => number): Clock {
  const nowMs = () => state().frozen_at_ms ?? now() + state().offset_ms
  const set = (ms: number) => {
    if (!isInstant(ms)) throw new Error(`An instant is a whole number from 0 to ${LAST_INSTANT_MS}`)
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
