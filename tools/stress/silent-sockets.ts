import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { until } from '../../test/kit/until.ts'

/** Open files that this process needs besides; the app needs as many. */
const OTHER_FILES = 1000

/** The bytes that are sent before the silence. */
const SILENCES = [
  '',
  '',
  '',
  'GET /bff/session HTTP/1.1\r\nHost: loc',
  'GET /no-such-file HTTP/1.1\r\nHost: localhost\r\n\r\n',
]

export interface SilentSockets {
  opened: number
  /** The reason why no more could be opened. */
  failures: string[]
  /** The number that the app closed. */
  closed: () => number
  /** @returns seconds since the last one was opened; infinite if it took longer than `withinMs` */
  allClosed: (withinMs: number) => Promise<number>
  destroy: () => void
}

/** As many as wanted, or as the limit of open files allows (proc(5)). */
export function possibleSockets(wanted: number): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Math.max(0, Math.min(wanted, Number(limit ?? wanted) - OTHER_FILES))
  } catch {
    return wanted
  }
}

/** Opens them, 250 at a time; every 2,000 have another source address. */
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
    // Reads on, to notice when the other side closes.
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
