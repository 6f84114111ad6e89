/** When a refused client is told to come back, beside the three headers (U64, RFC 9110 10.2.3). */
import type { Profile } from '../choices/choices.ts'
import { toldNowMs } from '../state/service-clock.ts'
import type { World } from '../state/context.ts'

/** @param inSeconds until the limit is reset, 1 at the least */
type Writing = (inSeconds: number, toldNowMs: number) => string | undefined

const RETRY_AFTER: Record<Profile['retryafter'], Writing> = {
  absent: () => undefined,
  seconds: (inSeconds) => String(inSeconds),
  http_date: (inSeconds, nowMs) => new Date(nowMs + inSeconds * 1000).toUTCString(),
  zero_or_negative: (inSeconds) => (inSeconds % 2 === 0 ? '0' : '-1'),
  // Long before: whoever believes it is refused again.
  conflicts_with_reset: (inSeconds) => String(Math.max(1, Math.floor(inSeconds / 4))),
}

/** @param resetSeconds when the limit is reset, in UNIX seconds */
export function retryAfter(world: World, resetSeconds: number): Record<string, string> {
  const inSeconds = Math.max(1, Math.ceil(resetSeconds - world.nowMs / 1000))
  const value = RETRY_AFTER[world.profile.retryafter](inSeconds, toldNowMs(world))
  return value === undefined ? {} : { 'Retry-After': value }
}
