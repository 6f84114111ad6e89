/** `GET /bff/events`: the snapshot at once and after every change. Sends nothing to the service. */
import { clockNoteName } from '../core/clock.ts'
import { Answer, HeaderFields, type Inbound } from '../../contract/answer.ts'
import type { Topic } from '../../store/store.ts'
import { type Context, inBackground, type Memory } from '../core/context.ts'
import { EventStream, type ServerEvent } from './stream.ts'
import { GroupedReads } from './grouped-reads.ts'
import { describe } from '../core/problem.ts'
import type { PushedBody } from '../../contract/pushed-body.ts'
import { queryParameters } from '../http/input.ts'
import { type QuotaHolder, quotaHolder, snapshotText, readSnapshots } from '../quota/snapshot.ts'
import { type LoadedSession, reloadSession, requireSession } from '../session/record.ts'

const SIGNED_OUT: ServerEvent = { event: 'session', data: '{"signed_in":false}', isLast: true }

/**
 * Event `quota` has the snapshot, at most four a second. Event `session` comes when the session ends; then
 * the stream closes. An open stream does not prolong the session.
 * @throws Problem `signed_out`, `too_many_streams`, `store_unavailable` if the first snapshot cannot be read
 */
export async function getEvents(context: Context, request: Inbound): Promise<Answer> {
  const session = await requireSession(context, request)
  queryParameters(request)
  const body = await new SessionEvents(context, session).open()
  // Without this header nginx collects events until its buffer is full.
  const headers = new HeaderFields({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
  return new Answer(200, headers, body)
}

/** By process: tests run several processes in one. */
const readsOfMemory = new WeakMap<Memory, GroupedReads<SessionEvents, ServerEvent>>()

function readsOf({ memory, now }: Context): GroupedReads<SessionEvents, ServerEvent> {
  const known = readsOfMemory.get(memory)
  if (known !== undefined) return known
  const created = new GroupedReads({ readAll, now, onWork: (work) => inBackground(memory, work) })
  readsOfMemory.set(memory, created)
  return created
}

/** A failure of one stream does not fail the others. */
async function readAll(all: readonly SessionEvents[]): Promise<(nth: number) => ServerEvent> {
  const [{ context }] = all as [SessionEvents]
  const versions = await context.store.readSessionVersions(all.map(({ id }) => id))
  const followed = await Promise.allSettled(all.map((one, nth) => one.follow(versions[nth])))
  const holders = followed.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []))
  const snapshotOf = holders.length > 0 ? await readSnapshots(context, holders) : undefined
  return (nth) => {
    const one = followed[nth]
    if (one?.status !== 'fulfilled') throw one?.reason
    if (one.value === undefined || snapshotOf === undefined) return SIGNED_OUT
    return { event: 'quota', data: snapshotText(snapshotOf(one.value)) }
  }
}

/** The stream of one session. It follows the session's token and organization. */
class SessionEvents {
  readonly id: string
  readonly context: Context
  readonly #key: Uint8Array
  readonly #stream: EventStream
  readonly #leave: () => void
  /** Its record can be large, so the session is read again only when the version has changed. */
  #holder: QuotaHolder
  #version: number
  #endsAtMs: number
  #unwatch: (() => void) | undefined
  #isEnded = false

  /** @throws Problem `too_many_streams` */
  constructor(context: Context, session: LoadedSession) {
    this.context = context
    this.id = session.id
    this.#key = session.key
    this.#version = session.version
    this.#endsAtMs = session.endsAtMs
    this.#holder = quotaHolder(session)
    const reads = readsOf(context)
    this.#stream = new EventStream({
      readFirst: (recipient) => reads.readFirst(this, recipient),
      read: (recipient) => reads.read(this, recipient),
      onEnd: (error) => this.#end(error),
      disconnect: context.disconnect,
    })
    this.#leave = context.memory.streams.add(session.id, this, context)
  }

  /** @returns the bytes, which begin with the first snapshot */
  async open(): Promise<PushedBody> {
    try {
      await this.#watch(this.#holder)
      return await this.#stream.open()
    } catch (error) {
      this.#end()
      throw error
    }
  }

  /**
   * The present session's part that the snapshot depends on; `undefined` when the session has ended.
   * @param version of the session in the store; `undefined` if it has none
   */
  async follow(version: number | undefined): Promise<QuotaHolder | undefined> {
    const { memory, now } = this.context
    const isUnsaved = memory.unsavedTokens.has(this.id)
    if (version === this.#version && this.#endsAtMs > now() && !isUnsaved) return this.#holder
    const session = await reloadSession(this.context, { id: this.id, key: this.#key })
    if (session === undefined) return undefined
    const holder = quotaHolder(session)
    const { token, organization } = this.#holder
    if (token !== holder.token || organization !== holder.organization) await this.#watch(holder)
    this.#holder = holder
    this.#endsAtMs = session.endsAtMs
    this.#version = session.version
    return holder
  }

  /** Watches all topics of the snapshot, and until then the earlier ones, so that no change is missed. */
  async #watch({ session, token, organization }: QuotaHolder): Promise<void> {
    const { store, config } = this.context
    const topics: Topic[] = [
      `session ${session}`,
      `token ${token}`,
      `organization ${organization}`,
      `service ${config.serviceUrl}`,
      clockNoteName(this.context),
    ]
    const unwatch = await store.watch(topics, () => this.#stream.change())
    this.#unwatch?.()
    this.#unwatch = unwatch
    if (this.#isEnded) unwatch()
  }

  tick(): void {
    if (this.#endsAtMs <= this.context.now()) this.#stream.change()
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
      this.context.log({ level: 'error', event: 'problem', code: 'unknown', cause: describe(error) })
  }
}
