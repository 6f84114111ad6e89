/** One stream of server-sent events, until its session or watch link ends. It queues no event. */
import { SECOND_MS } from '../../contract/duration.ts'
import type { Topic } from '../../store/store.ts'
import { bestEffort, type Context, type OpenStream } from '../core/context.ts'
import { describe } from '../core/problem.ts'

/** A stream sends at most one event in this time. */
export const TICK_MS = 250
/** Proxies close silent connections, so a comment is sent. A browser that takes nothing is cut off. */
const SILENT_TICKS = (15 * SECOND_MS) / TICK_MS
const STORE_RETRY_TICKS = SECOND_MS / TICK_MS

export interface ServerEvent {
  event: string
  /** One line. */
  data: string
  /** The stream closes after it. */
  isLast?: boolean
}

export const SIGNED_OUT: ServerEvent = { event: 'session', data: '{"signed_in":false}', isLast: true }

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

/** The stream ends once the browser has taken the last text. */
type State = 'waits' | 'reads' | 'writes' | 'writes the last text' | 'has ended'

const encoder = new TextEncoder()

export class EventStream implements OpenStream {
  readonly #parts: StreamParts
  readonly #leave: () => void
  #state: State = 'reads'
  #unwatch = () => {}
  #watched = ''
  #isChanged = false
  /** Since the last text was written. */
  #silentTicks = 0
  #readFromTick = 1
  #isClosing = false
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined

  /** @throws Problem `too_many_streams` */
  constructor(parts: StreamParts) {
    const { context, name, most } = parts
    this.#parts = parts
    this.#leave = context.memory.streams.add(name, this, context, most)
  }

  /**
   * The answer's body begins with the first event. It asks for a text when its reader has passed on the one
   * before, so that at most one waits in it.
   * @throws the error that prevented reading the first event; then the stream has ended
   */
  async open(): Promise<Response> {
    try {
      await this.#watch()
      const first = await this.#readEvent()
      const body = new ReadableStream<Uint8Array>(
        {
          start: (controller) => void (this.#controller = controller),
          pull: () => this.#taken(),
          cancel: () => this.#end(),
        },
        { highWaterMark: 0 },
      )
      this.#write(textOf(first), first.isLast)
      // Without X-Accel-Buffering nginx collects events until its buffer is full.
      return new Response(body, {
        headers: { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' },
      })
    } catch (error) {
      this.#end()
      throw error
    }
  }

  /** There is something new to read. */
  change(): void {
    this.#isChanged = true
    this.#goOn()
  }

  /** Called every {@link TICK_MS} milliseconds. */
  tick(): void {
    const { readsAtMs, context } = this.#parts
    if (readsAtMs() <= context.now()) this.#isChanged = true
    this.#silentTicks += 1
    if (this.#silentTicks >= SILENT_TICKS) this.#cutIfBehind()
    this.#goOn()
  }

  /** Cuts the connection if the last text was not taken. */
  close(): void {
    this.#isClosing = true
    this.#cutIfBehind()
    this.#goOn()
  }

  #goOn(): void {
    if (this.#state !== 'waits') return
    if (this.#isClosing) this.#finish()
    else if (this.#isChanged && this.#silentTicks >= this.#readFromTick) void this.#read()
    else if (this.#silentTicks >= SILENT_TICKS) this.#write(':\n\n')
  }

  async #read(): Promise<void> {
    this.#state = 'reads'
    const event = await bestEffort(this.#readEvent()).catch((error: unknown) => this.#fail(error))
    if (this.#state !== 'reads') return
    this.#state = 'waits'
    if (event === undefined) {
      this.#isChanged = true
      this.#readFromTick = this.#silentTicks + STORE_RETRY_TICKS
    } else if (!this.#isClosing) return this.#write(textOf(event), event.isLast)
    this.#goOn()
  }

  async #readEvent(): Promise<ServerEvent> {
    this.#isChanged = false
    const event = await this.#parts.read()
    await this.#watch()
    return event
  }

  /** Until the new topics are watched it watches the earlier ones, and reads again what may have changed. */
  async #watch(): Promise<void> {
    const topics = this.#parts.topics()
    if (String(topics) === this.#watched) return
    const unwatch = await this.#parts.context.store.watch(topics, () => this.change())
    if (this.#state === 'has ended') return unwatch()
    this.#unwatch()
    this.#unwatch = unwatch
    this.#watched = String(topics)
    this.#isChanged = true
  }

  #write(text: string, isLast = false): void {
    this.#state = isLast ? 'writes the last text' : 'writes'
    this.#silentTicks = 0
    this.#readFromTick = 1
    this.#controller?.enqueue(encoder.encode(text))
  }

  #taken(): void {
    if (this.#state === 'writes the last text') return this.#finish()
    if (this.#state === 'writes') this.#state = 'waits'
    this.#goOn()
  }

  #cutIfBehind(): void {
    if (!this.#state.startsWith('writes')) return
    this.#end()
    this.#parts.context.disconnect?.()
  }

  #fail(error: unknown): undefined {
    const cause = describe(error)
    this.#parts.context.log({ level: 'error', event: 'problem', code: 'unknown', cause })
    this.#finish()
  }

  #finish(): void {
    if (this.#state === 'has ended') return
    this.#end()
    this.#controller?.close()
  }

  #end(): void {
    if (this.#state === 'has ended') return
    this.#state = 'has ended'
    this.#leave()
    this.#unwatch()
  }
}

const textOf = ({ event, data }: ServerEvent): string => `event: ${event}\ndata: ${data}\n\n`
