/** Moves the clock by commands from outside, also to the next end of a minute, a token or a month. */
import * as v from 'valibot'
import { SECOND_MS } from '../../contract/duration.ts'
import { monthOf } from '../limits/month.ts'
import type { Clock } from '../state/clock.ts'
import type { Context } from '../state/context.ts'
import { accessTokenEndsAt } from '../state/lifetime.ts'
import { parse, whole } from '../state/parse.ts'

/** For example `{ "do": "advance", "ms": 1000 }`. */
export const CLOCK_COMMAND = v.variant('do', [
  v.strictObject({ do: v.picklist(['advance', 'set']), ms: whole() }),
  v.strictObject({ do: v.picklist(['freeze', 'run', 'to_next_minute', 'to_token_end', 'to_month_end']) }),
])

export type ClockCommand = v.InferOutput<typeof CLOCK_COMMAND>

/** The time is in UNIX milliseconds and by RFC 3339. */
export const clockState = ({ state, nowMs }: Pick<Context, 'state' | 'nowMs'>) => ({
  now_ms: nowMs,
  now: new Date(nowMs).toISOString(),
  frozen: state.clock.frozen_at_ms !== undefined,
  offset_ms: state.clock.offset_ms,
})

export interface ClockParts {
  context: () => Context
  clock: Clock
}

const TARGETS = { to_next_minute: nextMinute, to_token_end: nextTokenEnd, to_month_end: nextMonthEnd }

/** @returns a function that obeys a command. It throws an Error that names the commands. */
export function createMoves({ context, clock }: ClockParts) {
  return (command: ClockCommand): void => {
    const wanted = parse(CLOCK_COMMAND, command, 'command')
    if ('ms' in wanted) clock[wanted.do](wanted.ms)
    else if (wanted.do === 'freeze' || wanted.do === 'run') clock[wanted.do]()
    else clock.set(TARGETS[wanted.do](context()) ?? clock.nowMs())
  }
}

/** The next reset of an open window; if none is open, a minute from now (2.2). */
function nextMinute({ state, nowMs }: Context): number {
  const resets = Object.values(state.windows).flatMap(({ read, update }) =>
    [read, update].map((window) => (window?.reset_at_seconds ?? 0) * SECOND_MS),
  )
  return earliest(resets, nowMs) ?? (Math.floor(nowMs / SECOND_MS) + 60) * SECOND_MS
}

/** The end of a token that is active (5.4.2); `undefined` if there is none. */
function nextTokenEnd(context: Context): number | undefined {
  const ends = Object.values(context.state.access_tokens).map((token) => accessTokenEndsAt(context, token))
  return earliest(ends, context.nowMs)
}

function nextMonthEnd(context: Context): number | undefined {
  const ends = context.state.organizations.map((organization) => monthOf(context, organization).ends_at_ms)
  return earliest(ends, context.nowMs)
}

const earliest = (instants: readonly number[], nowMs: number): number | undefined =>
  instants.filter((ms) => ms > nowMs).toSorted((one, other) => one - other)[0]
