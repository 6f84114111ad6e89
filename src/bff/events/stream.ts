/** One stream of server-sent events, until its session or watch link ends. It queues no event. */
import { SECOND_MS } from '../../contract/duration.ts'
import { isStoreFailure } from '../../contract/problem.ts'
import type { Topic } from '../../store/store.ts'
import { clockNoteName } from '../core/clock.ts'
import type { Context, OpenStream } from '../core/context.ts'
import { describe } from '../core/problem.ts'

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

export const SIGNED_OUT: ServerEvent = { event: 'session', data: '{"signed_in":false}', isLast: true }

/** Everything that a snapshot of a token and its organization depends on. */
export const quotaTopics = (
  context: Context,
  { token, organization }: { token: string; organization: string },
): Topic[] => [
  `token ${token}`,
  `organization ${organization}`,
  `service ${context.config.serviceUrl}`,
  clockNoteName(context),
]

export interface StreamParts {
  context: Context
  /** Streams of one name are counted together. */
  name: string
  /** Open in one process. */
  most?: number
  /** Reads one event for any number of changes. If the store fails, the stream reads again later. */
  read: () => Promise<ServerEvent>
  /** What it watches. A read may change them. */
  topics: () => readonly Topic[]
  /** UNIX milliseconds, when it reads again without a change: at its end, or what else time alone brings. */
  readsAtMs: () => number
}

const encoder = new TextEncoder()

export class EventStream implements OpenStream {
  readonly #parts: StreamParts
  readonly #leave: () => void
  #unwatch: (() => void) | undefined
  #watched = ''
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

  /** @throws Problem `too_many_streams` */
  constructor(parts: StreamParts) {
    const { context, name, most } = parts
    this.#parts = parts
    this.#leave = context.memory.streams.add(name, this, context, most)
  }

  /**
   * The answer's body begins with the first event. It asks for a part when its reader has passed on the one
   * before, so that at most one waits in it.
   * @throws the error that prevented reading the first event; then the stream has ended
   */
  async open(): Promise<Response> {
    try {
      await this.#watch()
      const first = await this.#readEvent()
      const body = new ReadableStream<Uint8Array>(
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
      // Without X-Accel-Buffering nginx collects events until its buffer is full.
      return new Response(body, {
        headers: { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' },
      })
    } catch (error) {
      this.#end()
      throw error
    }
  }

  async #readEvent(): Promise<ServerEvent> {
    const event = await this.#parts.read()
    await this.#watch()
    return event
  }

  /** Until the new topics are watched it watches the earlier ones, and reads again what may have changed. */
  async #watch(): Promise<void> {
    const topics = this.#parts.topics()
    if (String(topics) === this.#watched) return
    const unwatch = await this.#parts.context.store.watch(topics, () => this.change())
    if (this.#unwatch) this.#isChanged = true
    this.#unwatch?.()
    this.#unwatch = unwatch
    this.#watched = String(topics)
    if (this.#isEnded) unwatch()
  }

  /** There is something new to read. */
  change(): void {
    this.#isChanged = true
    this.#next()
  }

  /** Called every {@link TICK_MS} milliseconds. */
  tick(): void {
    const { readsAtMs, context } = this.#parts
    if (readsAtMs() <= context.now()) this.#isChanged = true
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
    else if (this.#isChanged && this.#ticks >= this.#readFromTick) void this.#read()
    else if (this.#ticks - this.#writtenAtTick >= COMMENT_TICKS) this.#write(':\n\n')
  }

  async #read(): Promise<void> {
    this.#isBusy = true
    this.#isChanged = false
    try {
      const event = await this.#readEvent()
      this.#isBusy = false
      if (this.#closingRetryMs === undefined && !this.#isEnded) this.#write(textOf(event), event.isLast)
    } catch (error) {
      if (!isStoreFailure(error)) return this.#finish(error)
      this.#isChanged = true
      this.#readFromTick = this.#ticks + STORE_RETRY_TICKS
      this.#isBusy = false
    }
    this.#next()
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
    this.#parts.context.disconnect?.()
  }

  #finish(error?: unknown): void {
    if (this.#isEnded) return
    this.#end()
    if (error !== undefined) {
      const cause = describe(error)
      this.#parts.context.log({ level: 'error', event: 'problem', code: 'unknown', cause })
    }
    this.#controller?.close()
  }

  #end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#leave()
    this.#unwatch?.()
  }
}

const textOf = ({ event, data }: ServerEvent, retryMs?: number): string =>
  `event: ${event}\ndata: ${data}\n${retryMs === undefined ? '' : `retry: ${retryMs}\n`}\n`
