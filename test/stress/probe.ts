/** Looks again and again whether a process answers at once, which it does not while its event loop is blocked. */
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { AppProcess } from './process.ts'

/** Requests that no database and no service is needed for. */
const PATHS = ['/bff/session', '/no-such-file.txt']
const EVERY_MS = 40
const AT_ONCE_MS = 200
const HEADERS = { 'X-CSRF': '1', 'Sec-Fetch-Site': 'same-origin' }

export interface Probed {
  asked: number
  /** Answered later than after 200 ms, or not at all while the process was running. */
  late: number
  /** Not counted as late, because the script itself stood still meanwhile: the machine was busy. */
  discounted: number
  slowestMs: number
}

/** @returns ends it */
export function startProbe(app: () => AppProcess): () => Promise<Probed> {
  const dispatcher = new Agent({ connect: { localAddress: '127.200.0.1' }, connections: 64 })
  const found: Probed = { asked: 0, late: 0, discounted: 0, slowestMs: 0 }
  let isOver = false
  const waiting = new Set<Promise<void>>()
  const probe = async (path: string): Promise<void> => {
    const [asked, startedAtMs] = [app(), performance.now()]
    const busy = standstill()
    found.asked += 1
    const isAnswered = await request(`http://127.0.0.1:${asked.port}${path}`, {
      dispatcher,
      headers: HEADERS,
    })
      .then(({ body }) => body.dump())
      .then(() => true)
      .catch(() => false)
    const tookMs = performance.now() - startedAtMs
    const longestMs = busy()
    // A process that was stopped on purpose answers nothing.
    if (!isAnswered && (asked !== app() || isOver)) return
    if (isAnswered && tookMs - longestMs > found.slowestMs) found.slowestMs = tookMs - longestMs
    if (isAnswered && tookMs <= AT_ONCE_MS) return
    if (isAnswered && tookMs - longestMs <= AT_ONCE_MS) found.discounted += 1
    else found.late += 1
  }
  const running = (async () => {
    for (let nth = 0; !isOver; nth += 1) {
      const one = probe(PATHS[nth % PATHS.length] ?? '')
      waiting.add(one)
      void one.then(() => waiting.delete(one))
      await wait(EVERY_MS)
    }
  })()
  return async () => {
    isOver = true
    await running
    await Promise.all(waiting)
    await dispatcher.destroy()
    return found
  }
}

/** Measures for how long the script itself stood still. @returns ends it; milliseconds */
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
