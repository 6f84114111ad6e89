/** The four algorithms of a minute window, as pure functions (U56). */
import { MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import type { Choices } from '../choices/choices.ts'
import type { DeepReadonly, OpenWindow } from '../state/state.ts'

type StoredWindow = DeepReadonly<OpenWindow>

/** What a window has used, possibly a fraction, and its reset in UNIX seconds. */
export interface WindowUse {
  used: number
  resetAtSeconds: number
}

interface Algorithm {
  /** What an open window has used at a time. */
  read(known: StoredWindow, nowMs: number, limit: number): WindowUse
  /** Adds one request. @param known `undefined`: no window is open */
  add(
    known: StoredWindow | undefined,
    nowMs: number,
    limit: number,
  ): Pick<OpenWindow, 'used' | 'reset_at_seconds' | 'times_ms'>
}

/** The reset of a window of sixty seconds that opens now; it has whole seconds (2.2). */
export const minuteFrom = (nowMs: number): number => Math.floor(nowMs / SECOND_MS) + 60
/** The next full minute of the clock. */
export const nextFullMinute = (nowMs: number): number => (Math.floor(nowMs / MINUTE_MS) + 1) * 60

/** A window whose requests are all reset at the same time. */
const fixed = (resetOf: (nowMs: number) => number): Algorithm => ({
  read: ({ used, reset_at_seconds }) => ({ used: Math.ceil(used), resetAtSeconds: reset_at_seconds }),
  add: (known, nowMs) => ({
    used: Math.ceil(known?.used ?? 0) + 1,
    reset_at_seconds: known?.reset_at_seconds ?? resetOf(nowMs),
  }),
})

/** The times less than a minute ago; a window without times has all at its opening. */
function timesOfLastMinute({ times_ms, used, reset_at_seconds }: StoredWindow, nowMs: number): number[] {
  const times =
    times_ms ?? Array.from({ length: Math.ceil(used) }, () => reset_at_seconds * SECOND_MS - MINUTE_MS)
  return times.filter((ms) => nowMs - ms < MINUTE_MS)
}

const endOf = (ms: number): number => Math.ceil((ms + MINUTE_MS) / SECOND_MS)

const sliding: Algorithm = {
  read(known, nowMs) {
    const times = timesOfLastMinute(known, nowMs)
    return { used: times.length, resetAtSeconds: endOf(times[0] ?? nowMs) }
  },
  add(known, nowMs) {
    const times = [...(known ? timesOfLastMinute(known, nowMs) : []), nowMs]
    return { used: times.length, reset_at_seconds: endOf(nowMs), times_ms: times }
  },
}

/** What has not been refilled yet: a minute refills as much as the limit. */
const outstanding = (
  { used, counted_at_ms, reset_at_seconds }: StoredWindow,
  nowMs: number,
  limit: number,
) => {
  const sinceMs = Math.max(0, nowMs - (counted_at_ms ?? reset_at_seconds * SECOND_MS - MINUTE_MS))
  return Math.max(0, used - (sinceMs * limit) / MINUTE_MS)
}
const fullAgainAt = (used: number, nowMs: number, limit: number): number =>
  Math.ceil((nowMs + Math.min(1, limit > 0 ? used / limit : 1) * MINUTE_MS) / SECOND_MS)

const bucket: Algorithm = {
  read(known, nowMs, limit) {
    const used = outstanding(known, nowMs, limit)
    return { used, resetAtSeconds: fullAgainAt(used, nowMs, limit) }
  },
  add(known, nowMs, limit) {
    const used = (known ? outstanding(known, nowMs, limit) : 0) + 1
    return { used, reset_at_seconds: fullAgainAt(used, nowMs, limit) }
  },
}

export const WINDOWS: Record<Choices['window'], Algorithm> = {
  first_request: fixed(minuteFrom),
  wall_clock: fixed(nextFullMinute),
  sliding,
  token_bucket: bucket,
}

/** Whether a window is open: its reset is less than a minute ahead. It is further ahead after a clock was set back. */
export const isOpen = ({ reset_at_seconds }: StoredWindow, nowMs: number): boolean =>
  nowMs < reset_at_seconds * SECOND_MS && nowMs > reset_at_seconds * SECOND_MS - MINUTE_MS - SECOND_MS
