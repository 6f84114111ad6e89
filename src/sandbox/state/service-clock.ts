/** The times in answers of a service whose clock is wrong (U82). Lifetimes and windows use the right time. */
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import type { Choices } from '../choices/choices.ts'
import type { Context } from './context.ts'

/** `undefined`: there is no header Date. */
const AHEAD_MS: Record<Choices['skew'], number | undefined> = {
  none: 0,
  plus_5_minutes: 5 * MINUTE_MS,
  minus_5_minutes: -5 * MINUTE_MS,
  plus_1_day: DAY_MS,
  no_date: undefined,
}

/** By the service's clock, in UNIX milliseconds. */
export const reportedNowMs = ({ choices, nowMs }: Context): number => nowMs + (AHEAD_MS[choices.skew] ?? 0)

/** In UNIX seconds; 0 stays 0. */
export const reportedSeconds = ({ choices }: Context, seconds: number): number =>
  seconds === 0 ? 0 : seconds + (AHEAD_MS[choices.skew] ?? 0) / SECOND_MS

/** RFC 9110 6.6.1. */
export const reportedDate = (context: Context): string | undefined =>
  AHEAD_MS[context.choices.skew] === undefined
    ? undefined
    : httpDateOf(Math.floor(reportedNowMs(context) / SECOND_MS))

/** Nearly all answers have the same date. */
const newest = { seconds: Number.NaN, text: '' }

function httpDateOf(seconds: number): string {
  if (seconds !== newest.seconds)
    Object.assign(newest, { seconds, text: new Date(seconds * SECOND_MS).toUTCString() })
  return newest.text
}
