/** One connection to the stream of changes, which is opened again after every failure. It costs no request. */
import { asProblem, Problem } from '../../contract/problem.ts'
import { openEvents } from '../lib/api.ts'
import { freePath } from '../lib/free-path.ts'
import type { LiveState } from '../lib/ui.ts'
import { readEvents, type ServerEvent } from './event-stream.ts'

export interface LivePage {
  onEvent: (event: ServerEvent) => void
  /** @param retryInMs until the next attempt; 0 if no wait is going on */
  onState: (state: LiveState, retryInMs: number) => void
  /** Asks who is signed in. @param because the stream's refusal @returns true if it is the page's session */
  confirm: (because?: Problem) => Promise<boolean>
}

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000
/** A connection that lasted this long does not count as a failure of the server. */
const STEADY_MS = 20_000
/** A connection without a byte for this long is dead: the server writes a comment at least every 25 s. */
const SILENT_MS = 40_000
const CHECK_MS = 10_000

/** A random wait between half and all of 2 s, 4 s, and so on up to 30 s; after a refusal 30 s at once. */
export function waitAfter(failures: number, problem: Problem | undefined, random = randomShare()): number {
  const isRefused = problem !== undefined && problem.status < 500
  const longest = isRefused ? LONGEST_WAIT_MS : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures)
  return Math.round(longest * (0.5 + random / 2))
}

const randomShare = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32

export class LiveStream {
  readonly #page: LivePage
  readonly #stopped = new AbortController()
  readonly #checks: ReturnType<typeof setInterval>
  #attempt = new AbortController()
  #lastBytesMs = Date.now()
  #proceed = (): void => {}

  constructor(page: LivePage) {
    this.#page = page
    this.#checks = setInterval(() => this.#dropSilent(), CHECK_MS)
    void this.#run()
  }

  /** Drops a connection that seems dead, and ends the wait for the next attempt. */
  check(): void {
    this.#dropSilent()
    this.#proceed()
  }

  /** The connection is opened again after a wait. */
  drop(): void {
    this.#attempt.abort()
  }

  stop(): void {
    clearInterval(this.#checks)
    this.#stopped.abort()
    this.#attempt.abort()
    this.#proceed()
  }

  async #run(): Promise<void> {
    for (let failures = 1; ; failures++) {
      const startedMs = Date.now()
      // After a failure the page stays not live until a connection exists.
      this.#page.onState(failures === 1 ? 'connecting' : 'not_live', 0)
      this.#attempt = new AbortController()
      const problem = await this.#listen(this.#attempt.signal).then(() => undefined, asProblem)
      if (problem?.status === 401 && !this.#stopped.signal.aborted) await this.#page.confirm(problem)
      if (this.#stopped.signal.aborted) return
      if (Date.now() - startedMs > STEADY_MS) failures = 1
      const waitMs = waitAfter(failures, problem)
      this.#page.onState('not_live', waitMs)
      await this.#wait(waitMs)
      if (this.#stopped.signal.aborted) return
    }
  }

  async #listen(signal: AbortSignal): Promise<void> {
    this.#lastBytesMs = Date.now()
    const body = await openEvents(freePath('events'), signal)
    // Only an answer that was asked for after the stream opened shows whose it is.
    if (!(await this.#page.confirm())) throw new Problem('bff_unreachable')
    if (signal.aborted) return
    this.#page.onState('live', 0)
    await readEvents(body, this.#page.onEvent, () => {
      this.#lastBytesMs = Date.now()
    })
  }

  /** By the wall clock, which runs on while the computer sleeps. */
  #dropSilent(): void {
    if (Math.abs(Date.now() - this.#lastBytesMs) > SILENT_MS) this.drop()
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#proceed = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
