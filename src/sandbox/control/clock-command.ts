/** Runs commands to the clock from outside, and returns its state as JSON. */
import { isJsonObject } from '../../contract/json.ts'
import type { Context } from '../state/context.ts'
import type { Actions, ClockTarget } from './actions.ts'

/** The time is in UNIX milliseconds and by RFC 3339. */
export const clockState = ({ state, nowMs }: Pick<Context, 'state' | 'nowMs'>) => ({
  now_ms: nowMs,
  now: new Date(nowMs).toISOString(),
  frozen: state.clock.frozen_at_ms !== undefined,
  offset_ms: state.clock.offset_ms,
})

const TARGETS: Record<string, ClockTarget> = {
  to_next_minute: 'toNextMinute',
  to_token_end: 'toTokenEnd',
  to_month_end: 'toMonthEnd',
}
const COMMANDS = ['freeze', 'run', 'advance', 'set', ...Object.keys(TARGETS)]

/** For example `{ "do": "advance", "ms": 1000 }`. @throws Error that names the commands */
export function moveClock(clock: Actions['clock'], command: unknown): void {
  const { do: name, ms, ...others }: { [name: string]: unknown } = isJsonObject(command) ? command : {}
  if (typeof name !== 'string' || !COMMANDS.includes(name))
    throw new Error(`do must be one of: ${COMMANDS.join(', ')}`)
  const takesMs = name === 'advance' || name === 'set'
  if (Object.keys(others).length > 0 || (takesMs ? !isDuration(ms) : ms !== undefined))
    throw new Error('advance and set take ms, a whole number from 0; the other commands take nothing')
  const target = TARGETS[name]
  if (target) clock[target]()
  else if (takesMs) clock[name](ms as number)
  else clock[name as 'freeze' | 'run']()
}

const isDuration = (ms: unknown): boolean => Number.isSafeInteger(ms) && (ms as number) >= 0
