/** `GET /bff/events`: the snapshot at once and after every change, whatever process made it. Sends nothing to the service. */
import type { Topic } from '../store/store.ts'
import { Answer, HeaderFields, type Inbound } from './answer.ts'
import { type Context, inBackground } from './context.ts'
import { EventStream, type ServerEvent } from './event-stream.ts'
import { describe } from './problem.ts'
import { queryParameters } from './query-parameters.ts'
import { readQuota } from './quota.ts'
import { type LoadedSession, limitOwner, reloadSession, requireSession } from './session-record.ts'

const SIGNED_OUT: ServerEvent = { event: 'session', data: '{"signed_in":false}', isLast: true }

/**
 * Answers a stream: event `quota` with the snapshot, at most four a second, and event `session` when the session ends, after
 * which the stream closes. An open stream is no use of the session, and does not prolong it.
 * @throws Problem `signed_out`, `too_many_streams`, `store_unavailable` where the first snapshot cannot be read
 */
export async function getEvents(context: Context, request: Inbound): Promise<Answer> {
  const session = await requireSession(context, request)
  queryParameters(request)
  const body = await new SessionEvents(context, session).open(session)
  // Nginx would collect events until its buffer is full.
  const headers = new HeaderFields({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
  return new Answer(200, headers, body)
}

/** The stream of one session, which follows its token and its organization. */
class SessionEvents {
  readonly #context: Context
  /** Without its record: it can be large, and is read again for each event. */
  readonly #session: Pick<LoadedSession, 'id' | 'key'>
  readonly #stream: EventStream
  readonly #leave: () => void
  #endsAtMs: number
  #topics: readonly Topic[] = []
  #unwatch = () => {}
  #isEnded = false

  /** @throws Problem `too_many_streams` */
  constructor(context: Context, { id, key, endsAtMs }: LoadedSession) {
    this.#context = context
    this.#session = { id, key }
    this.#endsAtMs = endsAtMs
    const stream = new EventStream({
      read: () => inBackground(context.memory, this.#read()),
      turn: () => context.memory.streams.turn(),
      onEnd: (error) => this.#end(error),
      disconnect: context.disconnect,
    })
    this.#stream = stream
    this.#leave = context.memory.streams.add(
      id,
      { tick: () => this.#tick(), close: (retryMs) => stream.close(retryMs) },
      context.wait,
    )
  }

  /** @returns the bytes, with the first snapshot */
  async open(session: LoadedSession): Promise<ReadableStream> {
    try {
      await this.#watch(session)
      return await this.#stream.open()
    } catch (error) {
      this.#end()
      throw error
    }
  }

  async #read(): Promise<ServerEvent> {
    const session = await reloadSession(this.#context, this.#session)
    if (session === undefined) return SIGNED_OUT
    this.#endsAtMs = session.endsAtMs
    await this.#watch(session)
    return { event: 'quota', data: JSON.stringify(await readQuota(this.#context, session)) }
  }

  /** Watches what the snapshot of the session is made of; what was watched before until then, so that no change is missed. */
  async #watch(session: LoadedSession): Promise<void> {
    const { token, organization } = limitOwner(session)
    const topics: Topic[] = [
      `session ${session.id}`,
      `token ${token}`,
      `organization ${organization}`,
      `service ${this.#context.config.serviceUrl}`,
    ]
    if (topics.join() === this.#topics.join()) return
    const unwatch = await this.#context.store.watch(topics, () => this.#stream.change())
    this.#unwatch()
    this.#unwatch = unwatch
    this.#topics = topics
    if (this.#isEnded) unwatch()
  }

  #tick(): void {
    if (this.#endsAtMs <= this.#context.now()) this.#stream.change()
    this.#stream.tick()
  }

  #end(error?: unknown): void {
    this.#isEnded = true
    this.#leave()
    this.#unwatch()
    if (error !== undefined)
      this.#context.log({ level: 'error', event: 'problem', code: 'unknown', cause: describe(error) })
  }
}
