/** The requests that were used at an instant, between the instants at which their number is known. */
import { DAY_MS } from '../../contract/duration.ts'
import type { LedgerDay } from '../../contract/ledger.ts'

export interface Count {
  low: number
  high: number
}

export interface Known extends Count {
  atMs: number
}

/** This app's own requests up to an instant, by days of UTC. */
export interface OwnUse {
  /** Those of the days that have ended. */
  endedBy: (atMs: number) => Count
  /** Those of the day that has begun too. */
  begunBy: (atMs: number) => Count
}

export function inUse(days: readonly LedgerDay[]): OwnUse {
  const starts = days.map(({ day, low, high }) => ({ startMs: Date.parse(day), low, high }))
  const sum = (untilMs: number): Count =>
    starts
      .filter(({ startMs }) => startMs <= untilMs)
      .reduce(({ low, high }, day) => ({ low: low + day.low, high: high + day.high }), { low: 0, high: 0 })
  return { endedBy: (atMs) => sum(atMs - DAY_MS), begunBy: (atMs) => sum(atMs - 1) }
}

/**
 * Between two counts the use is at least the first and at most the second, less what this app surely sent
 * after it. The likely number spreads the rest evenly over the time.
 */
export function usedAt(atMs: number, known: readonly Known[], own: OwnUse): Count & { likely: number } {
  const next = known.findIndex((one) => one.atMs >= atMs)
  const [a, b] = [known[next - 1], known[next]]
  if (b === undefined) return { low: 0, high: 0, likely: 0 }
  if (a === undefined || b.atMs === atMs) return { low: b.low, high: b.high, likely: b.high }
  const share = (atMs - a.atMs) / (b.atMs - a.atMs)
  // An earlier count was corrected, or the month was reset.
  if (b.high < a.low) return { low: b.low, high: a.high, likely: a.high + (b.high - a.high) * share }
  const since = Math.max(0, own.endedBy(atMs).low - own.begunBy(a.atMs).high)
  const later = Math.max(0, own.endedBy(b.atMs).low - own.begunBy(atMs).high)
  const low = Math.min(a.low + since, b.high)
  const high = Math.max(b.high - later, low)
  return { low, high, likely: low + (high - low) * share }
}
