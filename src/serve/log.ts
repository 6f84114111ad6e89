/** Writes the log: one JSON object a line on standard error. A slow, closed or full log loses lines, and stops nothing. */
import cluster from 'node:cluster'
import { fstatSync, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'
import type { LogEntry } from '../bff/context.ts'

/** How much waits for a slow reader of the log. */
const MOST_WAITING_BYTES = 1_048_576
const STDERR = 2

/** What the bff reports, and what the process around it does. */
export type ServeEntry =
  | LogEntry
  | (Pick<LogEntry, 'level' | 'cause'> & {
      event: 'store_failed' | 'store_notice' | 'store_recovered' | 'worker_ended'
    })

/** Writes a line. @returns whether it was taken */
type Sink = (line: string) => boolean

/**
 * A log that counts the lines that were not taken, and reports their number before the next one that is.
 * @param worker the number of this process among several
 */
export function createLog(sink: Sink, now: () => Date, worker?: number): (entry: ServeEntry) => void {
  let dropped = 0
  const lineOf = (entry: object) =>
    `${JSON.stringify({ time: now().toISOString(), ...(worker !== undefined && { worker }), ...entry })}\n`
  return (entry) => {
    const report = dropped === 0 ? '' : lineOf({ level: 'warn', event: 'lines_dropped', dropped })
    dropped = sink(report + lineOf(entry)) ? 0 : dropped + 1
  }
}

/** A stream that is written to without waiting: a pipe or a socket. */
export const streamSink =
  (stream: Writable): Sink =>
  (line) => {
    if (stream.writableLength > MOST_WAITING_BYTES) return false
    stream.write(line)
    return true
  }

/** A file, which is written to at once. A stream over one would not be used again after a disk was full. */
export const fileSink =
  (fd: number): Sink =>
  (line) => {
    try {
      return writeSync(fd, line) === Buffer.byteLength(line)
    } catch {
      return false
    }
  }

function stderrSink(): Sink {
  const stat = fstatSync(STDERR)
  return stat.isFIFO() || stat.isSocket() ? streamSink(process.stderr) : fileSink(STDERR)
}

/** Writes an entry to standard error, with the time as RFC 3339. */
export const log = createLog(stderrSink(), () => new Date(), cluster.worker?.id)
