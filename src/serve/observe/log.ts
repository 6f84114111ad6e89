/** Logs JSON, or text on a terminal, to stderr. A slow, closed or full log loses lines, but stops nothing. */
import { fstatSync, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { pino } from 'pino'
import type { LogEntry } from '../../bff/core/context.ts'
import { allowHosts, type Hosts } from '../http/hosts.ts'
import type { Settings } from '../settings/settings.ts'

/** Limit of the buffer for a slow reader of the log. */
const MOST_WAITING_BYTES = 1_048_576
const STDERR = 2

type StoreEvent = 'store_failed' | 'store_notice' | 'store_recovered'

/** An entry of the bff, or of the process around it. */
export interface ServeEntry extends Omit<LogEntry, 'event'> {
  event: LogEntry['event'] | StoreEvent | 'start' | 'stop' | 'request' | 'foreign_host' | 'operations_notice'
  /** The pattern, since a path may contain ids. */
  route?: string
  /** Of Plimsoll. */
  version?: string
  /** The version of Node.js. */
  node?: string
}

/** Other members are left out, and so are values that are neither text nor number. */
const FIELDS = [
  ...'level event code request_id support_id kind organization source method path route'.split(' '),
  ...'status took_ms cause dropped version node'.split(' '),
]

const allowed = (entry: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(entry).filter(
      ([name, value]) => FIELDS.includes(name) && ['string', 'number'].includes(typeof value),
    ),
  )

/** A terminal interprets them, and JSON does not escape them. */
const CONTROLS = /[\u007f-\u009f\u2028\u2029]/g

/** @returns whether the line was accepted */
type Sink = (line: string) => boolean

/** Creates a log that counts lost lines, and reports their number before the next line. */
export function createLog(sink: Sink, now: () => Date): (entry: ServeEntry) => void {
  let dropped = 0
  let isTaken = true
  const logger = pino(
    {
      base: null,
      timestamp: () => `,"time":"${now().toISOString()}"`,
      formatters: { level: (level) => ({ level }), log: allowed },
    },
    { write: (line) => void (isTaken = sink(line.replaceAll(CONTROLS, '?'))) },
  )
  return ({ level, ...entry }) => {
    if (dropped > 0) logger.warn({ event: 'lines_dropped', dropped })
    if (isTaken) dropped = 0
    logger[level](entry)
    if (!isTaken) dropped += 1
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

/** Text for a person, if pino-pretty is installed. */
export const PRETTY = { messageKey: 'event', translateTime: 'SYS:HH:MM:ss', singleLine: true, sync: true }
const pretty = process.stderr.isTTY ? await import('pino-pretty').catch(() => undefined) : undefined

function stderrSink(): Sink {
  if (pretty) return streamSink(pretty.default({ ...PRETTY, destination: STDERR }))
  const stat = fstatSync(STDERR)
  return stat.isFIFO() || stat.isSocket() ? streamSink(process.stderr) : fileSink(STDERR)
}

/** Writes an entry to standard error, with the time as RFC 3339. */
export const log = createLog(stderrSink(), () => new Date())

/** The hosts of app and operations port. */
export const hostsOf = ({
  publicUrl,
  allowedHosts,
}: Pick<Settings, 'publicUrl' | 'allowedHosts'>): Hosts => ({
  allows: allowHosts([new URL(publicUrl).hostname, ...allowedHosts]),
  onRefused: logForeignHost,
})

/** The line leaves out the host that was asked for, since anyone can send any. */
export function logForeignHost(): void {
  const cause = 'no setting allows the Host of the request; PLIMSOLL_ALLOWED_HOSTS lists further ones'
  log({ level: 'warn', event: 'foreign_host', status: 421, cause })
}
