/** What the service tells of its time, where its clock is wrong (U82). Whatever ends, ends by the right time. */
import type { Profile } from '../choices/choices.ts'
import type { World } from './context.ts'

/** By how much the clock is ahead; `undefined`: none is shown. */
const AHEAD_MS: Record<Profile['skew'], number | undefined> = {
  none: 0,
  plus_5_minutes: 300_000,
  minus_5_minutes: -300_000,
  plus_1_day: 86_400_000,
  no_date: undefined,
}

/** The service's time of this request, in UNIX milliseconds. */
export const toldNowMs = ({ profile, nowMs }: World): number => nowMs + (AHEAD_MS[profile.skew] ?? 0)

/** An instant as the service tells it, in UNIX seconds; 0 stays the 0 that it is. */
export const toldSeconds = ({ profile }: World, seconds: number): number =>
  seconds === 0 ? 0 : seconds + (AHEAD_MS[profile.skew] ?? 0) / 1000

/** The header Date (RFC 9110 6.6.1). */
export const toldDate = (world: World): string | undefined =>
  AHEAD_MS[world.profile.skew] === undefined ? undefined : new Date(toldNowMs(world)).toUTCString()
