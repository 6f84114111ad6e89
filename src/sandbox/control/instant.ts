/** Finds the next end of a minute, a token or a month. The clock can be set to it. */
import { SECOND_MS } from '../../contract/duration.ts'
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '../../contract/token.ts'
import { isAccessTokenOver } from '../state/lifetime.ts'
import { monthOf } from '../limits/month.ts'
import type { Context } from '../state/context.ts'

/** The next reset in UNIX milliseconds. If none is open, it is a minute from now (2.2). */
export function nextMinute({ state, nowMs }: Context): number {
  const resets = Object.values(state.windows).flatMap(({ read, update }) =>
    [read, update].map((window) => (window?.reset_at_seconds ?? 0) * SECOND_MS),
  )
  return earliest(resets, nowMs) ?? (Math.floor(nowMs / SECOND_MS) + 60) * SECOND_MS
}

/** The times after its hour at which a token may end (`boundary`). */
const DELAYS_MS = [0, 1, 15 * SECOND_MS]

/** The next end (5.4.2) in UNIX milliseconds; `undefined` if no token is active. */
export const tokenEnd = ({ state, nowMs, choices }: Context): number | undefined =>
  earliest(
    Object.values(state.access_tokens).flatMap((token) => {
      const hour = token.issued_at_ms + ACCESS_TOKEN_LIFETIME_SECONDS * SECOND_MS
      const delay = DELAYS_MS.find((ms) => isAccessTokenOver({ choices, nowMs: hour + ms }, token))
      return delay === undefined ? [] : [hour + delay]
    }),
    nowMs,
  )

/** The next reset (8.3) in UNIX milliseconds. */
export const monthEnd = (context: Context): number | undefined =>
  earliest(
    context.state.organizations.map((organization) => monthOf(context, organization).ends_at_ms),
    context.nowMs,
  )

function earliest(instants: readonly number[], nowMs: number): number | undefined {
  const later = instants.filter((ms) => ms > nowMs)
  return later.length === 0 ? undefined : Math.min(...later)
}
