/** Orders to the clock from outside, and how it stands. */
import { isJsonObject } from '../../contract/json.ts'
import type { Actions, Target } from './actions.ts'
import type { Context } from '../state/context.ts'

/** As JSON: UNIX milliseconds, and the same in words. */
export const clockState = ({ state, nowMs }: Pick<Context, 'state' | 'nowMs'>) => ({
  now_ms: nowMs,
  now: new Date(nowMs).toISOString(),
  frozen: state.clock.frozen_at_ms !== undefined,
  offset_ms: state.clock.offset_ms,
})

const TARGETS: Record<string, Target> = {
  to_next_minute: 'toNextMinute',
  to_token_end: 'toTokenEnd',
  to_month_end: 'toMonthEnd',
}

/** As `{ "do": "advance", "ms": 1000 }`. @throws Error that says what can be done */
export function moveClock(clock: Actions['clock'], order: unknown): void {
  const { do: what, ms, ...others }: { [name: string]: unknown } = isJsonObject(order) ? order : {}
  const target = typeof what === 'string' && Object.hasOwn(TARGETS, what) ? TARGETS[what] : undefined
  const takesMs = what === 'advance' || what === 'set'
  const isWhole = Number.isSafeInteger(ms) && (ms as number) >= 0
  if (Object.keys(others).length > 0 || (takesMs ? !isWhole : ms !== undefined))
    throw new Error('advance and set take ms, a whole number from 0; nothing else takes anything')
  if (target) clock[target]()
  else if (takesMs) clock[what](ms as number)
  else if (what === 'freeze' || what === 'run') clock[what]()
  else throw new Error(`do is one of: freeze, run, advance, set, ${Object.keys(TARGETS).join(', ')}`)
}
