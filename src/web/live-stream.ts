/** One connection to `GET /bff/events`, opened again after every failure. It never sends a request that costs. */
import { asProblem, Problem } from '../contract/problem.ts'
import { openEvents } from './api.ts'
import { readEvents, type ServerEvent } from './event-stream.ts'

/** `connecting`: since a moment ago. `not_live`: what is shown may be older than what the server knows. */
export type LiveState = 'connecting' | 'live' | 'not_live'

export interface LivePage {
  onEvent: (event: ServerEvent) => void
  /** @param retryInMs until the next attempt; 0 where none is waited for */
  onState: (state: LiveState, retryInMs: number) => void
  /** Asks who is signed in. @param because what the stream was refused with. @returns whether it is the session of the page */
  confirm: (because?: Problem) => Promise<boolean>
}

export interface LiveStream {
  /** Opens the stream again where it seems dead, and does not wait any longer where it waits. */
  check: () => void
  /** Closes the connection: it is opened again after a wait. */
  drop: () => void
  stop: () => void
}

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000
/** A connection that lasted for this long was no failure of the server. */
const STEADY_MS = 20_000
/** The server writes a comment every 25 s at least: without one for this long, the connection is dead. */
const SILENT_MS = 40_000
const CHECK_MS = 10_000

/** Between the half and the whole of 2 s, 4 s, and so on up to 30 s; the longest at once where the server does not want more. */
export function waitAfter(failures: number, problem: Problem | undefined, random = randomShare()): number {
  const isRefused = problem !== undefined && problem.status < 500
  const longest = isRefused ? LONGEST_WAIT_MS : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures)
  return Math.round(longest * (0.5 + random / 2))
}

const randomShare = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32

export function keepStream(page: LivePage): LiveStream {
  let stopped = false
  let attempt = new AbortController()
  let lastBytesMs = Date.now()
  let proceed = (): void => {}
  const checks = setInterval(() => dropSilent(), CHECK_MS)
  const dropSilent = (): void => {
    // The wall clock runs on while the computer sleeps.
    if (Math.abs(Date.now() - lastBytesMs) > SILENT_MS) attempt.abort()
  }
  const onBytes = (): void => {
    lastBytesMs = Date.now()
  }

  async function listen(signal: AbortSignal): Promise<void> {
    onBytes()
    const body = await openEvents(signal)
    // Only an answer to a question asked after the stream was opened shows whose stream it is.
    if (!(await page.confirm())) throw new Problem('bff_unreachable')
    if (signal.aborted) return
    page.onState('live', 0)
    await readEvents(body, page.onEvent, onBytes)
  }

  async function run(): Promise<void> {
    for (let failures = 1; !stopped; failures++) {
      const startedMs = Date.now()
      page.onState('connecting', 0)
      attempt = new AbortController()
      const problem = await listen(attempt.signal).then(() => undefined, asProblem)
      if (problem?.status === 401 && !stopped) await page.confirm(problem)
      if (stopped) return
      if (Date.now() - startedMs > STEADY_MS) failures = 1
      const waitMs = waitAfter(failures, problem)
      page.onState('not_live', waitMs)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs)
        proceed = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  void run()
  return {
    check: () => {
      dropSilent()
      proceed()
    },
    drop: () => attempt.abort(),
    stop: () => {
      stopped = true
      clearInterval(checks)
      attempt.abort()
      proceed()
    },
  }
}
