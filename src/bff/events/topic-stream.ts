/** An event stream of a page that follows some topics until its session, or its watch link, ends. */
import type { Topic } from '../../store/store.ts'
import { clockNoteName } from '../core/clock.ts'
import type { Context, OpenStream } from '../core/context.ts'
import { describe } from '../core/problem.ts'
import type { GroupedReads } from './grouped-reads.ts'
import { EventStream, type ServerEvent } from './stream.ts'

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

export interface TopicStreamParts<Asker> {
  context: Context
  /** Streams of one name are counted together. */
  name: string
  /** Open in one process. */
  most?: number
  /** `reads` reads the events for it. */
  asker: Asker
  reads: GroupedReads<Asker, ServerEvent>
  /** UNIX milliseconds, when it reads again without a change: at its end, or what else time alone brings. */
  readsAtMs: () => number
  /** Called four times a second. */
  onTick?: () => void
}

export class TopicStream<Asker> implements OpenStream {
  readonly #context: Context
  readonly #readsAtMs: () => number
  readonly #onTick: (() => void) | undefined
  readonly #stream: EventStream
  readonly #leave: () => void
  #unwatch: (() => void) | undefined
  #isEnded = false

  /** @throws Problem `too_many_streams` */
  constructor({ context, name, most, asker, reads, readsAtMs, onTick }: TopicStreamParts<Asker>) {
    this.#context = context
    this.#readsAtMs = readsAtMs
    this.#onTick = onTick
    this.#stream = new EventStream({
      readFirst: (recipient) => reads.readFirst(asker, recipient),
      read: (recipient) => reads.read(asker, recipient),
      onEnd: (error) => this.#end(error),
      disconnect: context.disconnect,
    })
    this.#leave = context.memory.streams.add(name, this, context, most)
  }

  /** The answer's body begins with the first event. @throws the error that prevented reading it */
  async open(topics: readonly Topic[]): Promise<Response> {
    try {
      await this.watch(topics)
      // Without X-Accel-Buffering nginx collects events until its buffer is full.
      const headers = new Headers({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
      return new Response(await this.#stream.open(), { headers })
    } catch (error) {
      this.#end()
      throw error
    }
  }

  /** Until the new topics are watched it watches the earlier ones, so that no change is missed. */
  async watch(topics: readonly Topic[]): Promise<void> {
    const unwatch = await this.#context.store.watch(topics, () => this.#stream.change())
    this.#unwatch?.()
    this.#unwatch = unwatch
    if (this.#isEnded) unwatch()
  }

  tick(): void {
    this.#onTick?.()
    if (this.#readsAtMs() <= this.#context.now()) this.#stream.change()
    this.#stream.tick()
  }

  close(retryMs: number): void {
    this.#stream.close(retryMs)
  }

  #end(error?: unknown): void {
    this.#isEnded = true
    this.#leave()
    this.#unwatch?.()
    if (error !== undefined)
      this.#context.log({ level: 'error', event: 'problem', code: 'unknown', cause: describe(error) })
  }
}
