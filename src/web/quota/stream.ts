/** One connection to the stream of changes, opened again after every failure. It costs no request. */
import { createParser } from 'eventsource-parser'
import { asProblem, type Problem } from '../../contract/problem.ts'

export interface StreamPage {
  open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>
  /** An error that it throws counts as a failure of the connection. */
  onEvent: (name: string, data: string) => void
  /** With each sign of life, and after each failure. */
  onLive: (isLive: boolean) => void
  /** The server refuses the session, or the watch link. */
  onRefused: () => void
}

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000
/** A connection that lasted this long does not count as a failure of the server. */
const STEADY_MS = 20_000
/** Who hears nothing for this long is not live: the server writes a comment every 15 s. */
export const SILENT_MS = 40_000

/** A random wait between half and all of 2 s, 4 s, and so on up to 30 s; after a refusal 30 s at once. */
export function waitAfter(failures: number, problem: Problem | undefined, random = randomShare()): number {
  const isRefused = problem !== undefined && problem.status < 500
  const longest = isRefused ? LONGEST_WAIT_MS : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures)
  return Math.round(longest * (0.5 + random / 2))
}

/** From 0 to 1. */
export const randomShare = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32

/** Like a browser, drops an event that is cut off. @param onBytes runs for each chunk, also of comments */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: StreamPage['onEvent'],
  onBytes: () => void,
): Promise<void> {
  const parser = createParser({ onEvent: ({ event = 'message', data }) => onEvent(event, data) })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onBytes()
    parser.feed(decoder.decode(value, { stream: true }))
  }
}

export class Stream {
  readonly #page: StreamPage
  readonly #stopped = new AbortController()
  #attempt = new AbortController()
  #heardMs = Date.now()
  #proceed = (): void => {}
  /** Absent before the first answer. */
  isLive: boolean | undefined

  constructor(page: StreamPage) {
    this.#page = page
    void this.#run()
  }

  /** By the wall clock, which runs on while the computer sleeps. */
  dropSilent(): void {
    if (Math.abs(Date.now() - this.#heardMs) > SILENT_MS) this.drop()
  }

  /** The connection is opened again after a wait. */
  drop(): void {
    this.#attempt.abort()
  }

  /** Ends the wait for the next attempt. */
  hurry(): void {
    this.#proceed()
  }

  stop(): void {
    this.#stopped.abort()
    this.#attempt.abort()
    this.#proceed()
  }

  async #run(): Promise<void> {
    for (let failures = 1; ; failures++) {
      const startedMs = Date.now()
      this.#attempt = new AbortController()
      const problem = await this.#listen(this.#attempt.signal).then(() => undefined, asProblem)
      if (this.#stopped.signal.aborted) return
      this.#tell(false)
      if (problem?.status === 401) this.#page.onRefused()
      if (Date.now() - startedMs > STEADY_MS) failures = 1
      await this.#wait(waitAfter(failures, problem))
      if (this.#stopped.signal.aborted) return
    }
  }

  async #listen(signal: AbortSignal): Promise<void> {
    this.#heardMs = Date.now()
    const body = await this.#page.open(signal)
    if (signal.aborted) return
    const hear = (): void => {
      this.#heardMs = Date.now()
      this.#tell(true)
    }
    hear()
    await readEvents(body, this.#page.onEvent, hear)
  }

  #tell(isLive: boolean): void {
    this.isLive = isLive
    this.#page.onLive(isLive)
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
