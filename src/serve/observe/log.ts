/** Logs JSON, or text on a terminal, to stderr. A slow, closed or full log loses lines, but stops nothing. */
import { fstatSync, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { pino } from 'pino'
import type { LogEntry } from '../../bff/core/context.ts'
import { MINUTE_MS } from '../../contract/duration.ts'
import { allowHosts, type Hosts } from '../http/hosts.ts'
import type { Settings } from '../settings/settings.ts'

/** Limit of the buffer for a slow reader of the log. */
const MOST_WAITING_BYTES = 1_048_576
const STDERR = 2

/** An entry of the bff, or of the process around it. */
export type ServeEntry =
  | LogEntry
  | (Pick<LogEntry, 'level' | 'cause'> & {
      event: 'operations_notice' | 'store_failed' | 'store_notice' | 'store_recovered'
    })
  | (Pick<LogEntry, 'level' | 'status' | 'cause'> & { event: 'foreign_host' })
  | (Pick<LogEntry, 'level' | 'cause'> & {
      event: 'start' | 'stop'
      /** The version of Plimsoll. */
      version: string
      /** The version of Node.js. */
      node: string
    })
  | (Pick<LogEntry, 'level' | 'method' | 'status' | 'took_ms' | 'request_id'> & {
      event: 'request'
      /** The pattern, since a path may contain ids. */
      route: string
    })

/** Other members are left out, and so are values that are neither text nor number. */
const FIELDS: Record<Keys<ServeEntry> | 'dropped', true> = {
  level: true,
  event: true,
  code: true,
  request_id: true,
  support_id: true,
  kind: true,
  organization: true,
  source: true,
  method: true,
  path: true,
  route: true,
  status: true,
  took_ms: true,
  cause: true,
  dropped: true,
  version: true,
  node: true,
}
type Keys<Union> = Union extends unknown ? keyof Union : never

function allowed(entry: Record<string, unknown>): Record<string, unknown> {
  const taken: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(entry))
    if (Object.hasOwn(FIELDS, name) && (typeof value === 'string' || typeof value === 'number'))
      taken[name] = value
  return taken
}

/** @returns whether the lines were accepted */
type Sink = (lines: string) => boolean

export interface Log {
  /** Writes the lines of an iteration together at its end: a write for each costs a tenth of an answer. */
  log: (entry: ServeEntry) => void
  flush: () => void
}

/** Creates a log that counts lost lines, and reports their number before the next line. */
export function createLog(sink: Sink, now: () => Date): Log {
  let dropped = 0
  let waiting: string[] = []
  let line = ''
  const logger = pino(
    {
      base: null,
      timestamp: () => `,"time":"${now().toISOString()}"`,
      formatters: { level: (level) => ({ level }), log: allowed },
    },
    { write: (text) => void (line = text) },
  )
  const lineOf = ({ level, ...entry }: { level: ServeEntry['level']; event: string; dropped?: number }) => {
    logger[level](entry)
    return line
  }
  const flush = () => {
    const lines = waiting
    if (lines.length === 0) return
    waiting = []
    const report = dropped === 0 ? '' : lineOf({ level: 'warn', event: 'lines_dropped', dropped })
    dropped = sink(report + lines.join('')) ? 0 : dropped + lines.length
  }
  return {
    log(entry) {
      if (waiting.length === 0) setImmediate(flush)
      waiting.push(lineOf(entry))
      // The process may end right after an error.
      if (entry.level !== 'info') flush()
    },
    flush,
  }
}

/** A pipe or a socket, written without waiting. */
export const streamSink =
  (stream: Writable): Sink =>
  (line) => {
    if (stream.writableLength > MOST_WAITING_BYTES) return false
    stream.write(line)
    return true
  }

/** A file, written synchronously. A stream would stay unusable after a full disk. */
export const fileSink =
  (fd: number): Sink =>
  (line) => {
    try {
      return writeSync(fd, line) === Buffer.byteLength(line)
    } catch {
      return false
    }
  }

// A terminal interprets some characters that JSON does not escape.
const CONTROLS = /[\u007f-\u009f\u2028\u2029]/g
const escaped = (text: string) =>
  text.replaceAll(CONTROLS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** @param format converts a line of JSON to a readable one */
export const prettySink =
  (sink: Sink, format: (line: string) => string): Sink =>
  (lines) =>
    sink(lines.trimEnd().split('\n').map(format).map(escaped).join(''))

function stderrSink(): Sink {
  const stat = fstatSync(STDERR)
  const sink = stat.isFIFO() || stat.isSocket() ? streamSink(process.stderr) : fileSink(STDERR)
  if (pretty === undefined) return sink
  const options = { messageKey: 'event', translateTime: 'SYS:HH:MM:ss', singleLine: true }
  return prettySink(sink, pretty.prettyFactory({ ...options, colorize: !process.env['NO_COLOR'] }))
}

/** Only for a terminal. If it is not installed, a terminal gets JSON too. */
const pretty = process.stderr.isTTY ? await import('pino-pretty').catch(() => undefined) : undefined

const stderrLog = createLog(stderrSink(), () => new Date())
process.on('exit', stderrLog.flush)

/** Writes an entry to standard error, with the time as RFC 3339. */
export const { log } = stderrLog

/** The hosts of app and operations port. */
export const hostsOf = ({
  publicUrl,
  allowedHosts,
}: Pick<Settings, 'publicUrl' | 'allowedHosts'>): Hosts => ({
  allows: allowHosts([new URL(publicUrl).hostname, ...allowedHosts]),
  onRefused: logForeignHost,
})

let silentUntilMs = 0

/** At most one line a minute. It does not have the name, which anyone can send. */
export function logForeignHost(): void {
  const nowMs = Date.now()
  if (nowMs < silentUntilMs) return
  silentUntilMs = nowMs + MINUTE_MS
  const cause = 'the Host of a request is neither that of PLIMSOLL_PUBLIC_URL nor in PLIMSOLL_ALLOWED_HOSTS'
  log({ level: 'warn', event: 'foreign_host', status: 421, cause })
}
