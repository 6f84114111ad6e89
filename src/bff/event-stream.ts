/** One stream of server-sent events: an event is read from the store when the browser can take it, so that no event waits in a queue. */
import { SSEStreamingApi } from 'hono/streaming'
import { isStoreFailure } from '../contract/problem.ts'

/** How often a stream is looked at. It has at most one event in this time. */
export const TICK_MS = 250
/** A comment follows so much silence, since proxies close a connection that is silent for a minute. */
const COMMENT_TICKS = 15_000 / TICK_MS
/** A browser that takes nothing for so long is cut. */
const CUT_TICKS = 15_000 / TICK_MS
/** From a failure of the store to the next try. */
const STORE_RETRY_TICKS = 1000 / TICK_MS
/** After how many milliseconds the browser opens a stream again that was cut off. */
const RETRY_MS = 2000

export interface ServerEvent {
  event: string
  data: string
  /** The stream closes after it. */
  isLast?: boolean
}

export interface StreamParts {
  /** The event to write now, one for any number of changes. Where the store fails it is read again later. */
  read: () => Promise<ServerEvent>
  /** Waits before an event is read that many streams may have; absent: for nothing. */
  turn?: () => Promise<void>
  /** Called once. @param error a defect that ended it */
  onEnd: (error?: unknown) => void
  /** Closes the connection of a browser that takes nothing. */
  disconnect?: (() => void) | undefined
}

export class EventStream {
  readonly #parts: StreamParts
  readonly #sse: SSEStreamingApi
  #ticks = 0
  #writtenAtTick = 0
  #readFromTick = 0
  #isChanged = false
  /** From the reading of an event until the browser has taken it. */
  #isBusy = true
  #isWriting = false
  #isEnded = false
  #closingRetryMs: number | undefined

  constructor(parts: StreamParts) {
    this.#parts = parts
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    this.#sse = new SSEStreamingApi(writable, readable)
    this.#sse.onAbort(() => this.#end())
  }

  /** Reads the first event. @returns the bytes @throws what `read` throws; then the stream has ended */
  async open(): Promise<ReadableStream> {
    try {
      const first = await this.#parts.read()
      this.#work(this.#write(() => this.#sse.writeSSE({ ...first, retry: RETRY_MS }), first.isLast))
    } catch (error) {
      this.#end()
      throw error
    }
    return this.#sse.responseReadable
  }

  /** There is something new to read. */
  change(): void {
    this.#isChanged = true
    this.#next()
  }

  /** {@link TICK_MS} have passed. */
  tick(): void {
    this.#ticks += 1
    if (this.#isWriting && this.#ticks - this.#writtenAtTick >= CUT_TICKS) this.#cut()
    this.#next()
  }

  /** Ends it, and asks the browser to come back after some milliseconds. One that has not taken the last event is cut. */
  close(retryMs: number): void {
    this.#closingRetryMs = retryMs
    if (this.#isWriting) this.#cut()
    this.#next()
  }

  #next(): void {
    if (this.#isBusy || this.#isEnded) return
    if (this.#closingRetryMs !== undefined)
      this.#work(this.#write(() => this.#sse.write(`retry: ${this.#closingRetryMs}\n\n`), true))
    else if (this.#isChanged && this.#ticks >= this.#readFromTick) this.#work(this.#writeNewest())
    else if (this.#ticks - this.#writtenAtTick >= COMMENT_TICKS)
      this.#work(this.#write(() => this.#sse.write(':\n\n')))
  }

  /** Does one thing at a time, and then the next. */
  #work(work: Promise<void>): void {
    this.#isBusy = true
    void work
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#isBusy = false
        this.#next()
      })
  }

  async #writeNewest(): Promise<void> {
    const turn = this.#parts.turn?.()
    if (turn !== undefined) await turn
    if (this.#isEnded) return
    this.#isChanged = false
    const event = await this.#parts.read()
    if (this.#closingRetryMs === undefined) await this.#write(() => this.#sse.writeSSE(event), event.isLast)
  }

  async #write(write: () => Promise<unknown>, isLast = false): Promise<void> {
    this.#isWriting = true
    this.#writtenAtTick = this.#ticks
    this.#readFromTick = this.#ticks + 1
    await write()
    this.#isWriting = false
    if (isLast) await this.#finish()
  }

  #fail(error: unknown): Promise<void> | undefined {
    if (!isStoreFailure(error)) return this.#finish(error)
    this.#isChanged = true
    this.#readFromTick = this.#ticks + STORE_RETRY_TICKS
    return undefined
  }

  #cut(): void {
    this.#sse.abort()
    this.#parts.disconnect?.()
  }

  #finish(error?: unknown): Promise<void> {
    this.#end(error)
    return this.#sse.close()
  }

  #end(error?: unknown): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#parts.onEnd(error)
  }
}
