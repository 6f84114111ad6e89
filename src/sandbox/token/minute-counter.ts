/** Counts what comes to the token endpoint within a minute, which its first one opens. */
import { forget, lookUp, type MinuteCount } from '../state/state.ts'
import type { Context } from '../state/context.ts'

const MINUTE_MS = 60_000

/** How many there were in the minute that is open. */
export function countOf({ state, nowMs }: Context, what: string): MinuteCount {
  const known = lookUp(state.minute_counts, what)
  return known && nowMs < known.ends_at_ms ? known : { count: 0, ends_at_ms: nowMs + MINUTE_MS }
}

/** Counts one more. */
export function add(context: Context, what: string): void {
  const { count, ends_at_ms } = countOf(context, what)
  context.change(({ minute_counts }) => {
    forget(minute_counts, (known) => context.nowMs >= known.ends_at_ms)
    minute_counts[what] = { count: count + 1, ends_at_ms }
  })
}
