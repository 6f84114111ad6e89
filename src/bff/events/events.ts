/** `GET /bff/events`: the snapshot at once and after every change. Sends nothing to the service. */
import type { Topic } from '../../store/store.ts'
import { HOUR_MS } from '../../contract/duration.ts'
import { type Context, inBackground } from '../core/context.ts'
import { readsByProcess } from './grouped-reads.ts'
import { EventStream, quotaTopics, type ServerEvent, SIGNED_OUT } from './stream.ts'
import { queryParameters } from '../http/input.ts'
import { type QuotaHolder, quotaHolder, snapshotText, readSnapshots } from '../quota/snapshot.ts'
import { type LoadedSession, reloadSession } from '../session/record.ts'
import { noteUse, requireSession } from '../session/use.ts'

/**
 * Event `quota` has the snapshot, at most four a second. Event `session` comes when the session ends; then
 * the stream closes. An open stream is use: it renews the session.
 * @throws Problem `signed_out`, `too_many_streams`, `store_unavailable` if the first snapshot cannot be read
 */
export async function getEvents(context: Context, request: Request): Promise<Response> {
  const session = await requireSession(context, request)
  queryParameters(request)
  return new SessionEvents(context, session).open()
}

const readEvent = readsByProcess<SessionEvents, ServerEvent>(readAll)

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
  /** Its record can be large, so the session is read again only when the version has changed. */
  #holder: QuotaHolder
  #version: number
  #endsAtMs: number
  #renewedAtMs: number

  /** @throws Problem `too_many_streams` */
  constructor(context: Context, session: LoadedSession) {
    this.context = context
    this.id = session.id
    this.#key = session.key
    this.#version = session.version
    this.#endsAtMs = session.endsAtMs
    this.#renewedAtMs = context.now()
    this.#holder = quotaHolder(session)
    this.#stream = new EventStream({
      context,
      name: session.id,
      read: () => readEvent(context, this),
      readsAtMs: () => this.#endsAtMs,
      onTick: () => this.#renew(),
    })
  }

  open(): Promise<Response> {
    return this.#stream.open(this.#topics(this.#holder))
  }

  /**
   * The present session's part that the snapshot depends on; `undefined` when the session has ended.
   * @param version of the session in the store; `undefined` if it has none
   */
  async follow(version: number | undefined): Promise<QuotaHolder | undefined> {
    const { now } = this.context
    if (version === this.#version && this.#endsAtMs > now()) return this.#holder
    const session = await reloadSession(this.context, { id: this.id, key: this.#key })
    if (session === undefined) return undefined
    const holder = quotaHolder(session)
    const { token, organization } = this.#holder
    if (token !== holder.token || organization !== holder.organization)
      await this.#stream.watch(this.#topics(holder))
    this.#holder = holder
    this.#endsAtMs = session.endsAtMs
    this.#version = session.version
    return holder
  }

  #renew(): void {
    const { context, id } = this
    const nowMs = context.now()
    if (nowMs - this.#renewedAtMs <= HOUR_MS) return
    this.#renewedAtMs = nowMs
    const renewed = reloadSession(context, { id, key: this.#key }).then(
      (session) => session && noteUse(context, session),
    )
    // A store that fails now may not fail in an hour.
    inBackground(context.memory, renewed).catch(() => {})
  }

  #topics(holder: QuotaHolder): Topic[] {
    return [`session ${holder.session}`, ...quotaTopics(this.context, holder)]
  }
}
