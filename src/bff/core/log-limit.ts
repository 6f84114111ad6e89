/** Limits similar lines of the log, so that a flood of failing requests does not flood the log. */
import { MINUTE_MS } from '../../contract/duration.ts'
import type { LogEntry } from './context.ts'

const WINDOW_MS = MINUTE_MS
/** Similar lines written in a minute. */
export const LINES_PER_WINDOW = 60

/** Similar lines have the same level, event and code. */
interface LineCount {
  readonly kind: LogEntry
  readonly endsAtMs: number
  readonly lines: number
}

export type LineCounts = ReadonlyMap<string, LineCount>

/** Every other line is about an event that has a limit of its own. */
const isLimited = ({ level, event }: LogEntry) => level !== 'info' || event === 'problem'

/**
 * Decides which lines to write. Pure.
 * @param entry the next line; absent: only the counts that have ended are written
 * @returns the new counts, and the lines: one with `dropped` for each ended count that left lines out, then
 *   the entry itself unless its minute is full
 */
export function limitLines(
  counts: LineCounts,
  entry: LogEntry | undefined,
  nowMs: number,
): { counts: LineCounts; write: LogEntry[] } {
  const running = new Map([...counts].filter(([, { endsAtMs }]) => endsAtMs > nowMs))
  const write = [...counts.values()]
    .filter(({ endsAtMs, lines }) => endsAtMs <= nowMs && lines > LINES_PER_WINDOW)
    .map(({ kind, lines }): LogEntry => ({ ...kind, dropped: lines - LINES_PER_WINDOW }))
  if (entry === undefined) return { counts: running, write }
  if (!isLimited(entry)) return { counts: running, write: [...write, entry] }
  const { level, event, code } = entry
  const key = `${level} ${event} ${code ?? ''}`
  const known = running.get(key) ?? {
    kind: { level, event, ...(code && { code }) },
    endsAtMs: nowMs + WINDOW_MS,
    lines: 0,
  }
  running.set(key, { ...known, lines: known.lines + 1 })
  return { counts: running, write: known.lines < LINES_PER_WINDOW ? [...write, entry] : write }
}

/** Limits similar lines. `flush` writes the number of lines left out in the minute that has not ended. */
export function limitedLog({ log, now }: { log: (entry: LogEntry) => void; now: () => number }) {
  let counts: LineCounts = new Map()
  const pass = (entry: LogEntry | undefined, nowMs: number): void => {
    const limited = limitLines(counts, entry, nowMs)
    counts = limited.counts
    for (const line of limited.write) log(line)
  }
  return { log: (entry: LogEntry) => pass(entry, now()), flush: () => pass(undefined, Infinity) }
}
