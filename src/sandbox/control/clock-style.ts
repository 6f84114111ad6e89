/** The stylesheet that moves the time on the page. The policy of the pages allows no script. */
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import type { Context } from '../state/context.ts'

/** A number goes from 0 to `count`, with a step each `everyMs`. */
const hand = (name: string, { count, everyMs, nowMs }: { count: number; everyMs: number; nowMs: number }) => {
  const roundMs = count * everyMs
  return {
    rules: `
@property --${name} { syntax: '<integer>'; inherits: false; initial-value: 0; }
@keyframes ${name} { from { --${name}: 0; } to { --${name}: ${count}; } }`,
    animation: `${name} ${roundMs}ms steps(${count}) -${nowMs % roundMs}ms infinite`,
  }
}

/** For one page load: it begins at the sandbox's time. A frozen clock has no animation. */
export function clockStyle({ state, nowMs }: Pick<Context, 'state' | 'nowMs'>): string {
  if (state.clock.frozen_at_ms !== undefined) return ''
  const hands = [
    hand('hours', { count: 24, everyMs: HOUR_MS, nowMs }),
    hand('minutes', { count: 60, everyMs: MINUTE_MS, nowMs }),
    hand('seconds', { count: 60, everyMs: SECOND_MS, nowMs }),
  ]
  return `${hands.map(({ rules }) => rules).join('')}
.ticking > span { position: absolute; clip-path: inset(50%); }
.ticking::before {
  animation: ${hands.map(({ animation }) => animation).join(', ')};
  counter-reset: hours var(--hours) minutes var(--minutes) seconds var(--seconds);
  content: counter(hours, decimal-leading-zero) ':' counter(minutes, decimal-leading-zero) ':' counter(seconds, decimal-leading-zero) / '';
}
`
}
