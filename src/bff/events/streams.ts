/** The open streams of this process: how many a session or watch link may have, their ticks and their end. */
import { SECOND_MS } from '../../contract/duration.ts'
import { Problem } from '../../contract/problem.ts'
import type { Context, OpenStream, Streams } from '../core/context.ts'
import { TICK_MS } from './stream.ts'

/** In one process, for one session. */
export const MOST_STREAMS = 20
const RETRY_MS = 30 * SECOND_MS

type Clock = Pick<Context, 'wait'>

export class EventStreams implements Streams {
  readonly #open = new Set<OpenStream>()
  readonly #countByName = new Map<string, number>()
  #isTicking = false
  #isClosed = false

  /** @returns a function that removes the stream @throws Problem `too_many_streams` */
  add(name: string, stream: OpenStream, clock: Clock, most = MOST_STREAMS): () => void {
    const count = this.#countByName.get(name) ?? 0
    if (count >= most) throw new Problem('too_many_streams', { retryInMs: RETRY_MS })
    this.#countByName.set(name, count + 1)
    this.#open.add(stream)
    if (!this.#isTicking) void this.#tick(clock)
    if (this.#isClosed) stream.close()
    return () => this.#remove(name, stream)
  }

  get size(): number {
    return this.#open.size
  }

  /** Includes streams that are opened later. */
  close(): void {
    this.#isClosed = true
    for (const stream of this.#open) stream.close()
  }

  #remove(name: string, stream: OpenStream): void {
    if (!this.#open.delete(stream)) return
    const count = this.#countByName.get(name) ?? 0
    if (count > 1) this.#countByName.set(name, count - 1)
    else this.#countByName.delete(name)
  }

  async #tick({ wait }: Clock): Promise<void> {
    this.#isTicking = true
    while (this.#open.size > 0) {
      await wait(TICK_MS)
      for (const stream of this.#open) stream.tick()
    }
    this.#isTicking = false
  }
}
