/** Moves the clock by commands from outside, also to the next end of a minute, a token or a month. */
import * as v from 'valibot'
import { SECOND_MS } from '../../contract/duration.ts'
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '../../contract/token.ts'
import { monthOf } from '../limits/month.ts'
import type { Clock } from '../state/clock.ts'
import type { Context } from '../state/context.ts'
import { isAccessTokenOver } from '../state/lifetime.ts'
import { parse, whole } from '../state/parse.ts'

/** The next reset of a minute, end of an access token, and reset of a month. */
export type ClockTarget = 'toNextMinute' | 'toTokenEnd' | 'toMonthEnd'
export type ControlClock = Clock & Record<ClockTarget, () => void>

const command = <const Name extends string>(name: Name) => v.strictObject({ do: v.literal(name) })
const commandWithMs = <const Name extends string>(name: Name) =>
  v.strictObject({ do: v.literal(name), ms: whole() })

/** For example `{ "do": "advance", "ms": 1000 }`. */
export const CLOCK_COMMAND = v.variant('do', [
  commandWithMs('advance'),
  commandWithMs('set'),
  command('freeze'),
  command('run'),
  command('to_next_minute'),
  command('to_token_end'),
  command('to_month_end'),
])

/** The time is in UNIX milliseconds and by RFC 3339. */
export const clockState = ({ state, nowMs }: Pick<Context, 'state' | 'nowMs'>) => ({
  now_ms: nowMs,
  now: new Date(nowMs).toISOString(),
  frozen: state.clock.frozen_at_ms !== undefined,
  offset_ms: state.clock.offset_ms,
})

/** @throws Error that names the commands */
export function moveClock(clock: ControlClock, command: unknown): void {
  const { do: name, ...rest } = parse(CLOCK_COMMAND, command, 'command')
  const ms = 'ms' in rest ? rest.ms : 0
  const moves: Record<typeof name, () => void> = {
    advance: () => clock.advance(ms),
    set: () => clock.set(ms),
    freeze: clock.freeze,
    run: clock.run,
    to_next_minute: clock.toNextMinute,
    to_token_end: clock.toTokenEnd,
    to_month_end: clock.toMonthEnd,
  }
  moves[name]()
}

/** In UNIX milliseconds; `undefined` if there is no such instant. */
export const CLOCK_TARGETS: Record<ClockTarget, (context: Context) => number | undefined> = {
  // If no window is open, a minute from now (2.2).
  toNextMinute({ state, nowMs }) {
    const resets = Object.values(state.windows).flatMap(({ read, update }) =>
      [read, update].map((window) => (window?.reset_at_seconds ?? 0) * SECOND_MS),
    )
    return earliest(resets, nowMs) ?? (Math.floor(nowMs / SECOND_MS) + 60) * SECOND_MS
  },
  // The end of a token that is active (5.4.2).
  toTokenEnd: ({ state, nowMs, choices }) =>
    earliest(
      Object.values(state.access_tokens).flatMap((token) => {
        const hour = token.issued_at_ms + ACCESS_TOKEN_LIFETIME_SECONDS * SECOND_MS
        const delay = DELAYS_MS.find((ms) => isAccessTokenOver({ choices, nowMs: hour + ms }, token))
        return delay === undefined ? [] : [hour + delay]
      }),
      nowMs,
    ),
  toMonthEnd: (context) =>
    earliest(
      context.state.organizations.map((organization) => monthOf(context, organization).ends_at_ms),
      context.nowMs,
    ),
}

/** The times after its hour at which a token may end (`boundary`). */
const DELAYS_MS = [0, 1, 15 * SECOND_MS]

function earliest(instants: readonly number[], nowMs: number): number | undefined {
  let first = Infinity
  for (const ms of instants) if (ms > nowMs && ms < first) first = ms
  return first === Infinity ? undefined : first
}
