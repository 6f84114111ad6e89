/** `GET /watch/events/{id}`: the quota of a watch link at once and after every change. */
import { DAY_MS } from '../../contract/duration.ts'
import { bestEffort, type Context } from '../core/context.ts'
import { readsByProcess } from '../events/grouped-reads.ts'
import { EventStream, type ServerEvent, SIGNED_OUT } from '../events/stream.ts'
import { browserName } from '../http/browser-name.ts'
import { quotaTopics } from '../quota/snapshot.ts'
import { noteUse } from './link.ts'
import { readHolders, readWatched, requireCookie } from './watch.ts'

/** In one process, for one link. */
const MOST_STREAMS = 500

/**
 * It has the events of `GET /bff/events`. `session` comes when the link ends.
 * @throws Problem `signed_out`, `too_many_attempts`, `too_many_streams`
 */
export async function getWatchedEvents(context: Context, request: Request, id = ''): Promise<Response> {
  const link = await requireCookie(context, request, id)
  const { hash, organization, endsAtMs } = link
  const browser = browserName(request.headers)
  await bestEffort(noteUse(context, link, browser))
  const { token = '' } = (await readHolders(context, [organization])).get(organization) ?? {}
  const watched: Watched = { context, hash, organization, browser, token, dayEndsAtMs: dayEndMs(context) }
  return new EventStream({
    context,
    name: `watch ${id}`,
    most: MOST_STREAMS,
    read: () => readEvent(context, watched),
    topics: () => quotaTopics(context, watched),
    // At the end of each day too: a page that is open uses its link on the next one.
    readsAtMs: () => Math.min(endsAtMs, watched.dayEndsAtMs),
  }).open()
}

/** The link of a stream, and the token that its organization used last. */
interface Watched {
  context: Context
  hash: string
  organization: string
  browser: string
  token: string
  dayEndsAtMs: number
}

/** The day of a link's last use is one of UTC. */
const dayEndMs = ({ now }: Context): number => (Math.floor(now() / DAY_MS) + 1) * DAY_MS

const readEvent = readsByProcess<Watched, ServerEvent>(readAll)

async function readAll(all: readonly Watched[]): Promise<(nth: number) => ServerEvent> {
  const [{ context }] = all as [Watched]
  const browsers = new Map(all.map(({ hash, browser }) => [hash, browser]))
  const links = await context.store.readLinks([...browsers.keys()], context.now())
  const uses = [...links.values()].map((link) => noteUse(context, link, browsers.get(link.hash) ?? ''))
  await Promise.all(uses.map(bestEffort))
  const open = all.filter(({ hash }) => links.has(hash))
  const holders = await readHolders(
    context,
    open.map(({ organization }) => organization),
  )
  const dayEndsAtMs = dayEndMs(context)
  for (const one of open) Object.assign(one, { dayEndsAtMs, token: holders.get(one.organization)?.token })
  const quotaOf = await readWatched(context, [...holders.values()])
  return (nth) => {
    const { hash, organization } = all[nth] as Watched
    const holder = links.has(hash) ? holders.get(organization) : undefined
    return holder ? { event: 'quota', data: JSON.stringify(quotaOf(holder)) } : SIGNED_OUT
  }
}
