/** Limits the lines of the log that are alike, so that a flood of failing requests does not become one of lines. */
import type { LogEntry } from './context.ts'

const WINDOW_MS = 60_000
/** So many lines that are alike are written in a minute. */
export const LINES_PER_WINDOW = 60

/** Lines that are alike: of one level, event and code. */
interface LineCount {
  readonly kind: LogEntry
  readonly endsAtMs: number
  readonly lines: number
}

export type LineCounts = ReadonlyMap<string, LineCount>

/** Problems, warnings and errors: every other line stands for something that is limited itself. */
const isLimited = ({ level, event }: LogEntry) => level !== 'info' || event === 'problem'

/**
 * Pure.
 * @param entry the next line; absent: only what has been counted
 * @returns the counts afterwards, and the lines to write: first one with `dropped` for each count that has ended with lines
 *   left out, then the entry itself unless its minute is full
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
