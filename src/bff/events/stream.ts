/** One stream of server-sent events. It reads an event when the browser can take it: none is queued. */
import { SECOND_MS } from '../../contract/duration.ts'
import { isStoreFailure } from '../../contract/problem.ts'
import type { Recipient } from './grouped-reads.ts'

/** A stream sends at most one event in this time. */
export const TICK_MS = 250
/** A comment follows this much silence: proxies close a connection that is silent for a minute. */
const COMMENT_TICKS = (15 * SECOND_MS) / TICK_MS
/** A browser that takes nothing for this long is disconnected. */
const CUT_TICKS = (15 * SECOND_MS) / TICK_MS
const STORE_RETRY_TICKS = SECOND_MS / TICK_MS
/** The browser opens an interrupted stream again after this long. */
const RETRY_MS = 2 * SECOND_MS

export interface ServerEvent {
  event: string
  /** One line. */
  data: string
  /** The stream closes after it. */
  isLast?: boolean
}

export interface StreamParts {
  /** Reads the first event. */
  readFirst: (recipient: Recipient<ServerEvent>) => void
  /** Reads one event for any number of changes. If the store fails, the stream reads again later. */
  read: (recipient: Recipient<ServerEvent>) => void
  /** Called once. @param error the defect that ended the stream */
  onEnd: (error?: unknown) => void
  /** Closes the connection of a browser that takes nothing. */
  disconnect?: (() => void) | undefined
}

const encoder = new TextEncoder()

export class EventStream implements Recipient<ServerEvent> {
  readonly #parts: StreamParts
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #ticks = 0
  #writtenAtTick = 0
  #readFromTick = 0
  #isChanged = false
  /** True while an event is read and until the browser has taken it. */
  #isBusy = true
  #isWriting = false
  #isLast = false
  #isEnded = false
  #closingRetryMs: number | undefined

  constructor(parts: StreamParts) {
    this.#parts = parts
  }

  /**
   * Reads the first event. The body asks for a part when its reader has passed on the one before, so that at
   * most one waits in it.
   * @throws the error that prevented reading it; then the stream has ended
   */
  async open(): Promise<ReadableStream<Uint8Array>> {
    try {
      const first = await new Promise<ServerEvent>((take, fail) =>
        this.#parts.readFirst({ begin: () => true, take, fail }),
      )
      return new ReadableStream(
        {
          start: (controller) => {
            this.#controller = controller
            this.#write(textOf(first, RETRY_MS), first.isLast)
          },
          pull: () => this.#taken(),
          cancel: () => this.#end(),
        },
        { highWaterMark: 0 },
      )
    } catch (error) {
      this.#end()
      throw error
    }
  }

  /** There is something new to read. */
  change(): void {
    this.#isChanged = true
    this.#next()
  }

  begin(): boolean {
    this.#isChanged = false
    return !this.#isEnded
  }

  take(event: ServerEvent): void {
    this.#isBusy = false
    if (this.#closingRetryMs === undefined && !this.#isEnded) this.#write(textOf(event), event.isLast)
    else this.#next()
  }

  fail(error: unknown): void {
    if (!isStoreFailure(error)) return this.#finish(error)
    this.#isChanged = true
    this.#readFromTick = this.#ticks + STORE_RETRY_TICKS
    this.#isBusy = false
    this.#next()
  }

  /** Called every {@link TICK_MS} milliseconds. */
  tick(): void {
    this.#ticks += 1
    if (this.#isWriting && this.#ticks - this.#writtenAtTick >= CUT_TICKS) this.#cut()
    this.#next()
  }

  /** Asks the browser to return after `retryMs`. Cuts the connection if the last event was not taken. */
  close(retryMs: number): void {
    this.#closingRetryMs = retryMs
    if (this.#isWriting) this.#cut()
    this.#next()
  }

  #next(): void {
    if (this.#isBusy || this.#isEnded) return
    if (this.#closingRetryMs !== undefined) this.#write(`retry: ${this.#closingRetryMs}\n\n`, true)
    else if (this.#isChanged && this.#ticks >= this.#readFromTick) this.#read()
    else if (this.#ticks - this.#writtenAtTick >= COMMENT_TICKS) this.#write(':\n\n')
  }

  #read(): void {
    this.#isBusy = true
    this.#parts.read(this)
  }

  #write(text: string, isLast = false): void {
    this.#isBusy = true
    this.#isWriting = true
    this.#isLast = isLast
    this.#writtenAtTick = this.#ticks
    this.#readFromTick = this.#ticks + 1
    this.#controller?.enqueue(encoder.encode(text))
  }

  #taken(): void {
    if (!this.#isWriting) return
    this.#isWriting = false
    this.#isBusy = false
    if (this.#isLast) this.#finish()
    else this.#next()
  }

  #cut(): void {
    if (this.#isEnded) return
    this.#end()
    this.#parts.disconnect?.()
  }

  #finish(error?: unknown): void {
    if (this.#isEnded) return
    this.#end(error)
    this.#controller?.close()
  }

  #end(error?: unknown): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#parts.onEnd(error)
  }
}

const textOf = ({ event, data }: ServerEvent, retryMs?: number): string =>
  `event: ${event}\ndata: ${data}\n${retryMs === undefined ? '' : `retry: ${retryMs}\n`}\n`
