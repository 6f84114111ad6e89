/** Connections on which nothing, or not enough, is sent. */
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { until } from '../../test/_until.ts'

/** Files that this process, and so the app as well, needs besides. */
const OTHER_FILES = 1000

/** What is sent before the silence. */
const SILENCES = [
  '',
  '',
  '',
  'GET /bff/session HTTP/1.1\r\nHost: loc',
  'GET /no-such-file HTTP/1.1\r\nHost: localhost\r\n\r\n',
]

export interface SilentSockets {
  opened: number
  /** Why others could not be opened. */
  failures: string[]
  /** Closed by the app. */
  closed: () => number
  /** Waits until all are closed. @returns seconds since the last one was opened; infinite where it took longer than `withinMs` */
  allClosed: (withinMs: number) => Promise<number>
  destroy: () => void
}

/** As many as are wanted, or as the limit of open files allows (proc(5)). */
export function possibleSockets(wanted: number): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Math.max(0, Math.min(wanted, Number(limit ?? wanted) - OTHER_FILES))
  } catch {
    return wanted
  }
}

/** Opens them, 250 at a time; each 2,000 from an address of their own. */
export async function openSilentSockets(port: number, wanted: number): Promise<SilentSockets> {
  const sockets: Socket[] = []
  let [connected, closed] = [0, 0]
  const failed: string[] = []
  for (let nth = 0; nth < wanted; nth += 1) {
    const local =
      process.platform === 'linux' ? { localAddress: `127.210.0.${1 + Math.floor(nth / 2000)}` } : {}
    const socket = connect({ port, host: '127.0.0.1', ...local })
    sockets.push(socket)
    socket.on('connect', () => {
      connected += 1
      socket.write(SILENCES[nth % SILENCES.length] ?? '')
    })
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (socket.connecting || socket.pending) failed.push(code ?? '')
    })
    // Reads on, so that the end of the other side is noticed.
    socket.resume()
    socket.on('close', () => {
      closed += 1
    })
    if (nth % 250 === 249) await until(() => connected + failed.length >= nth, 30_000)
  }
  const openedAtMs = performance.now()
  return {
    opened: connected,
    failures: [...new Set(failed)],
    closed: () => closed,
    allClosed: (withinMs) =>
      until(() => closed >= wanted, withinMs).then(
        () => (performance.now() - openedAtMs) / 1000,
        () => Infinity,
      ),
    destroy: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}
