/** Checks that a process answers at once, which it does not while its event loop is blocked. */
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { AppProcess } from './process.ts'

/** Requests that need no database and no service. */
const PATHS = ['/bff/session', '/no-such-file.txt']
const EVERY_MS = 40
const AT_ONCE_MS = 200
/** An address of its own, so that it shares no limit with the people of a suite. */
const ADDRESS = process.platform === 'linux' ? { localAddress: '127.200.0.1' } : {}
const HEADERS = { 'X-CSRF': '1', 'Sec-Fetch-Site': 'same-origin' }

export interface Probed {
  asked: number
  /** Answers that took over 200 ms, or that did not come although the process was running. */
  late: number
  /** Late answers that do not count, because script or process waited for a processor. */
  discounted: number
  slowestMs: number
}

/** @returns a function that ends it */
export function startProbe(app: () => AppProcess): () => Promise<Probed> {
  const dispatcher = new Agent({ ...ADDRESS, connections: 64 })
  const found: Probed = { asked: 0, late: 0, discounted: 0, slowestMs: 0 }
  const end = new AbortController()
  const waiting = new Set<Promise<void>>()
  const probe = async (path: string): Promise<void> => {
    const [asked, startedAtMs] = [app(), performance.now()]
    const [busy, waitedMs] = [standstill(), queuedMs(asked)]
    found.asked += 1
    const isAnswered = await request(`http://127.0.0.1:${asked.port}${path}`, {
      dispatcher,
      headers: HEADERS,
    })
      .then(({ body }) => body.dump())
      .then(() => true)
      .catch(() => false)
    const tookMs = performance.now() - startedAtMs
    const elsewhereMs = busy() + queuedMs(asked) - waitedMs
    // A process that was stopped on purpose does not answer.
    if (!isAnswered && (asked !== app() || end.signal.aborted)) return
    if (isAnswered && tookMs - elsewhereMs > found.slowestMs) found.slowestMs = tookMs - elsewhereMs
    if (isAnswered && tookMs <= AT_ONCE_MS) return
    if (isAnswered && tookMs - elsewhereMs <= AT_ONCE_MS) found.discounted += 1
    else found.late += 1
  }
  const running = (async () => {
    for (let nth = 0; !end.signal.aborted; nth += 1) {
      const one = probe(PATHS[nth % PATHS.length] ?? '')
      waiting.add(one)
      void one.then(() => waiting.delete(one))
      await wait(EVERY_MS)
    }
  })()
  return async () => {
    end.abort()
    await running
    await Promise.all(waiting)
    await dispatcher.destroy()
    return found
  }
}

/** Measures how long the script is suspended. @returns a function that ends it and returns milliseconds */
function standstill(): () => number {
  let [last, sum] = [performance.now(), 0]
  const look = () => {
    const now = performance.now()
    sum += Math.max(0, now - last - 10 - 5)
    last = now
  }
  const timer = setInterval(look, 10)
  return () => {
    look()
    clearInterval(timer)
    return sum
  }
}

/** The time that a process was ready to run and waited for a processor, in milliseconds (proc(5)). */
function queuedMs({ pid }: AppProcess): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
