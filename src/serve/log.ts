/** Writes the log: one JSON object a line on standard error. */
import type { LogEntry } from '../bff/context.ts'

/** Adds the time, as RFC 3339, and writes the line. */
export const log = (entry: LogEntry): boolean =>
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`)
