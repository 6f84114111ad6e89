/** Counts requests to the token endpoint by name, within the minute that the first one opens. */
import { MINUTE_MS } from '../../contract/duration.ts'
import { ownValue, type MinuteCount } from '../state/state.ts'
import { addRecord } from '../state/sweep.ts'
import type { Context } from '../state/context.ts'

/** The open minute; 0 if none is open. */
export function countOf({ state, nowMs }: Context, counter: string): MinuteCount {
  const known = ownValue(state.minute_counts, counter)
  return known && nowMs < known.ends_at_ms ? known : { count: 0, ends_at_ms: nowMs + MINUTE_MS }
}

export function increment(context: Context, counter: string): void {
  const { count, ends_at_ms } = countOf(context, counter)
  context.change((state) =>
    addRecord(
      state,
      'minute_counts',
      [counter, { count: count + 1, ends_at_ms }],
      (known) => context.nowMs >= known.ends_at_ms,
    ),
  )
}
