/** `GET /bff/events`: the snapshot at once and after every change. Sends nothing to the service. */
import { HOUR_MS } from '../../contract/duration.ts'
import type { Context } from '../core/context.ts'
import { type QuotaHolder, quotaHolder, quotaTopics, readSnapshots } from '../quota/snapshot.ts'
import { type LoadedSession, type NamedSession, reloadSession } from '../session/record.ts'
import { noteUse, requireSession } from '../session/use.ts'
import { readsByProcess } from './grouped-reads.ts'
import { EventStream, type ServerEvent, SIGNED_OUT } from './stream.ts'

/**
 * Event `quota` has the snapshot, at most four a second. Event `session` comes when the session ends; then
 * the stream closes. An open stream is use: it renews the session.
 * @throws Problem `signed_out`, `too_many_streams`, `store_unavailable` if the first snapshot cannot be read
 */
export async function getEvents(context: Context, request: Request): Promise<Response> {
  const session = await requireSession(context, request)
  const { id, key } = session
  const followed: Followed = { context, id, key, ...stateOf(context, session) }
  return new EventStream({
    context,
    name: id,
    read: () => readEvent(context, followed),
    topics: () => [`session ${id}`, ...quotaTopics(context, followed.holder)],
    readsAtMs: () => followed.readsAtMs,
  }).open()
}

/** The session of a stream. Its record can be large, so it is read again only with another version. */
interface Followed extends NamedSession, ReturnType<typeof stateOf> {
  context: Context
}

const stateOf = ({ now }: Context, session: LoadedSession) => ({
  holder: quotaHolder(session),
  version: session.version,
  readsAtMs: Math.min(session.endsAtMs, now() + HOUR_MS),
})

const readEvent = readsByProcess<Followed, ServerEvent>(readAll)

/** A failure of one stream does not fail the others. */
async function readAll(all: readonly Followed[]): Promise<(nth: number) => ServerEvent> {
  const [{ context }] = all as [Followed]
  const versions = await context.store.readSessionVersions(all.map(({ id }) => id))
  const followed = await Promise.allSettled(all.map((one, nth) => follow(one, versions[nth])))
  const holders = followed.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []))
  const snapshotOf = holders.length > 0 ? await readSnapshots(context, holders) : undefined
  return (nth) => {
    const one = followed[nth]
    if (one?.status !== 'fulfilled') throw one?.reason
    if (one.value === undefined || snapshotOf === undefined) return SIGNED_OUT
    return { event: 'quota', data: JSON.stringify(snapshotOf(one.value)) }
  }
}

/**
 * The present session's part that the snapshot depends on; `undefined` when the session has ended.
 * @param version of the session in the store; `undefined` if it has none
 */
async function follow(one: Followed, version: number | undefined): Promise<QuotaHolder | undefined> {
  const { context } = one
  if (version === one.version && one.readsAtMs > context.now()) return one.holder
  const session = await reloadSession(context, one)
  if (session === undefined) return undefined
  void noteUse(context, session)
  return Object.assign(one, stateOf(context, session)).holder
}
