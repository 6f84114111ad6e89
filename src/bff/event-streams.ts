/** The open streams of this process: how many a session may have, one timer for all, and their end when the process stops. */
import { randomInt } from 'node:crypto'
import { Problem } from '../contract/problem.ts'
import { TICK_MS } from './event-stream.ts'

/** Of one session, in one process. */
export const MOST_STREAMS = 20
/** When a place may be free. */
const RETRY_MS = 30_000
/** After a stop browsers come back within this time, each at a moment of its own. */
const RETURN_MS = { least: 500, most: 2500 }

interface OpenStream {
  /** {@link TICK_MS} have passed. */
  tick: () => void
  close: (retryMs: number) => void
}

export class EventStreams {
  readonly #bySession = new Map<string, Set<OpenStream>>()
  #isTicking = false
  #isClosed = false

  /**
   * @param wait resolves after so many milliseconds
   * @returns removes it
   * @throws Problem `too_many_streams`
   */
  add(session: string, stream: OpenStream, wait: (ms: number) => Promise<void>): () => void {
    const streams = this.#bySession.get(session) ?? new Set()
    if (streams.size >= MOST_STREAMS) throw new Problem('too_many_streams', { retryInMs: RETRY_MS })
    this.#bySession.set(session, streams.add(stream))
    if (!this.#isTicking) void this.#tick(wait)
    if (this.#isClosed) closeSoon(stream)
    return () => {
      streams.delete(stream)
      if (streams.size === 0) this.#bySession.delete(session)
    }
  }

  /** How many are open. */
  get size(): number {
    let size = 0
    for (const streams of this.#bySession.values()) size += streams.size
    return size
  }

  /** Ends all of them, and those that are opened later. */
  close(): void {
    this.#isClosed = true
    for (const streams of this.#bySession.values()) for (const stream of streams) closeSoon(stream)
  }

  async #tick(wait: (ms: number) => Promise<void>): Promise<void> {
    this.#isTicking = true
    while (this.#bySession.size > 0) {
      await wait(TICK_MS)
      // What ends meanwhile is left out.
      for (const streams of this.#bySession.values()) for (const stream of streams) stream.tick()
    }
    this.#isTicking = false
  }
}

const closeSoon = (stream: OpenStream): void => stream.close(randomInt(RETURN_MS.least, RETURN_MS.most))
