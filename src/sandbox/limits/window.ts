/** The algorithms of a minute window (U56, U57), as pure functions. */
import { MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import type { RequestClass } from '../../contract/rate-limit.ts'
import type { Choices } from '../choices/choices.ts'
import type { Context } from '../state/context.ts'
import type { OpenWindow } from '../state/state.ts'

interface Algorithm {
  /** While nothing is counted, in UNIX seconds. */
  idleReset(nowMs: number): number
  read(stored: OpenWindow, nowMs: number, limit: number): { used: number; reset: number }
  add(
    stored: OpenWindow | undefined,
    nowMs: number,
    limit: number,
    count?: number,
  ): Pick<OpenWindow, 'used' | 'reset_at_seconds' | 'times_ms'>
}

/** The reset of a window that opens now, in whole UNIX seconds (2.2). */
const minuteFrom = (nowMs: number): number => Math.floor(nowMs / SECOND_MS) + 60
const nextFullMinute = (nowMs: number): number => (Math.floor(nowMs / MINUTE_MS) + 1) * 60

const fixed = (resetOf: (nowMs: number) => number, idleReset = resetOf): Algorithm => ({
  idleReset,
  read: ({ used, reset_at_seconds }) => ({ used: Math.ceil(used), reset: reset_at_seconds }),
  add: (stored, nowMs, _, count = 1) => ({
    used: Math.ceil(stored?.used ?? 0) + count,
    reset_at_seconds: stored?.reset_at_seconds ?? resetOf(nowMs),
  }),
})

/** A window without times had all its requests at its opening. */
function timesOfLastMinute({ times_ms, used, reset_at_seconds }: OpenWindow, nowMs: number): number[] {
  const times =
    times_ms ?? Array.from({ length: Math.ceil(used) }, () => reset_at_seconds * SECOND_MS - MINUTE_MS)
  return times.filter((ms) => nowMs - ms < MINUTE_MS)
}

const endOf = (ms: number): number => Math.ceil((ms + MINUTE_MS) / SECOND_MS)

const sliding: Algorithm = {
  idleReset: minuteFrom,
  read(stored, nowMs) {
    const times = timesOfLastMinute(stored, nowMs)
    return { used: times.length, reset: endOf(times[0] ?? nowMs) }
  },
  add(stored, nowMs, _, count = 1) {
    const added = Array.from({ length: count }, () => nowMs)
    const times = [...(stored ? timesOfLastMinute(stored, nowMs) : []), ...added]
    return { used: times.length, reset_at_seconds: endOf(nowMs), times_ms: times }
  },
}

/** The used part of a token bucket. A minute refills as much as the limit. */
const outstanding = ({ used, counted_at_ms, reset_at_seconds }: OpenWindow, nowMs: number, limit: number) => {
  const sinceMs = Math.max(0, nowMs - (counted_at_ms ?? reset_at_seconds * SECOND_MS - MINUTE_MS))
  return Math.max(0, used - (sinceMs * limit) / MINUTE_MS)
}
const fullAgainAt = (used: number, nowMs: number, limit: number): number =>
  Math.ceil((nowMs + Math.min(1, limit > 0 ? used / limit : 1) * MINUTE_MS) / SECOND_MS)

const bucket: Algorithm = {
  idleReset: minuteFrom,
  read(stored, nowMs, limit) {
    const used = outstanding(stored, nowMs, limit)
    return { used, reset: fullAgainAt(used, nowMs, limit) }
  },
  add(stored, nowMs, limit, count = 1) {
    const used = (stored ? outstanding(stored, nowMs, limit) : 0) + count
    return { used, reset_at_seconds: fullAgainAt(used, nowMs, limit) }
  },
}

export const WINDOWS: Record<Choices['window'], Algorithm> = {
  first_request: fixed(minuteFrom),
  idle_reset_zero: fixed(minuteFrom, () => 0),
  idle_reset_past: fixed(minuteFrom, (nowMs) => minuteFrom(nowMs) - 120),
  wall_clock: fixed(nextFullMinute),
  sliding,
  token_bucket: bucket,
}

/** True if the end of a minute is ahead, but not by more than a minute, as after a clock was set back. */
export const isMinuteOpen = (endsAtMs: number, nowMs: number): boolean =>
  nowMs < endsAtMs && nowMs > endsAtMs - MINUTE_MS - SECOND_MS

export const isOpen = ({ reset_at_seconds }: OpenWindow, nowMs: number): boolean =>
  isMinuteOpen(reset_at_seconds * SECOND_MS, nowMs)

/** From 25 to 50 per cent of the limit in a minute. */
const shareOf = (random: string): number => 25 + (Buffer.from(random, 'base64url').readUInt16BE() % 26)

/** Spread evenly over the window's minute: the number depends only on the seed and its age. */
export function requestsOfOthers(
  { choices, nowMs, derived }: Context,
  { by, requestClass }: { by: string; requestClass: RequestClass },
  open: OpenWindow,
  limit: number,
): number {
  if (choices.shared === 'no') return 0
  const openedMs = open.opened_at_ms ?? open.reset_at_seconds * SECOND_MS - MINUTE_MS
  const elapsedMs = Math.min(Math.max(0, nowMs - openedMs), MINUTE_MS)
  const share = shareOf(derived(`other client ${requestClass} ${openedMs} ${by}`))
  return Math.floor((limit * share * elapsedMs) / (100 * MINUTE_MS))
}
