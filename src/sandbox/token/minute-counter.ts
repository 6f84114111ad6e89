/** Counts what comes to the token endpoint within a minute, which its first one opens. */
import { forget, lookUp, type Tally } from '../state/state.ts'
import type { World } from '../state/context.ts'

const MINUTE_MS = 60_000

/** How many there were in the minute that is open. */
export function tallyOf({ state, nowMs }: World, what: string): Tally {
  const known = lookUp(state.tallies, what)
  return known && nowMs < known.ends_at_ms ? known : { count: 0, ends_at_ms: nowMs + MINUTE_MS }
}

/** Counts one more. */
export function add(world: World, what: string): void {
  const { count, ends_at_ms } = tallyOf(world, what)
  world.change(({ tallies }) => {
    forget(tallies, (known) => world.nowMs >= known.ends_at_ms)
    tallies[what] = { count: count + 1, ends_at_ms }
  })
}
