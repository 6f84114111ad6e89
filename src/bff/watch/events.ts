/** `GET /watch/events/{id}`: the quota of a watch link at once and after every change. */
import { DAY_MS } from '../../contract/duration.ts'
import type { Topic } from '../../store/store.ts'
import { bestEffort, type Context } from '../core/context.ts'
import { readsByProcess } from '../events/grouped-reads.ts'
import { EventStream, quotaTopics, type ServerEvent, SIGNED_OUT } from '../events/stream.ts'
import { browserName } from '../http/browser-name.ts'
import type { QuotaHolder } from '../quota/snapshot.ts'
import { type FoundLink, type Link, linkIn, linksTopic, noteUse } from './link.ts'
import { readHolders, readWatched, requireCookie } from './watch.ts'

/** In one process, for one link. */
const MOST_STREAMS = 500

/**
 * It has the events of `GET /bff/events`. `session` comes when the link ends.
 * @throws Problem `signed_out`, `too_many_attempts`, `too_many_streams`
 */
export async function getWatchedEvents(
  context: Context,
  request: Request,
  _headers: Headers,
  id = '',
): Promise<Response> {
  const found = await requireCookie(context, request, id)
  const browser = browserName(request.headers)
  await bestEffort(noteUse(context, found, browser))
  return new LinkEvents(context, found, browser).open()
}

const readEvent = readsByProcess<LinkEvents, ServerEvent>(readAll)

async function readAll(all: readonly LinkEvents[]): Promise<(nth: number) => ServerEvent> {
  const [{ context }] = all as [LinkEvents]
  const organizations = [...new Set(all.map(({ organization }) => organization))]
  const names = organizations.map(linksTopic)
  const stored = await context.store.readNotes(names)
  const notes = new Map(names.map((name, nth) => [name, stored[nth]]))
  const open = all.filter((one) => one.find(notes))
  const used = new Map(open.map((one) => [one.id, one]))
  await Promise.all([...used.values()].map((one) => bestEffort(one.noteUse(notes))))
  const holders = await readHolders(
    context,
    open.map(({ organization }) => organization),
  )
  await Promise.all(open.map((one) => one.follow(holders.get(one.organization))))
  const quotaOf = await readWatched(context, [...holders.values()])
  return (nth) => {
    const one = all[nth] as LinkEvents
    const holder = open.includes(one) ? holders.get(one.organization) : undefined
    return holder ? { event: 'quota', data: JSON.stringify(quotaOf(holder)) } : SIGNED_OUT
  }
}

/** The day of a link's last use is one of UTC. */
const dayEndMs = ({ now }: Context): number => (Math.floor(now() / DAY_MS) + 1) * DAY_MS

/** The stream of one page. It follows the token that the organization used last. */
class LinkEvents {
  readonly id: string
  readonly context: Context
  readonly organization: string
  readonly #browser: string
  readonly #stream: EventStream
  #token = ''
  #dayEndsAtMs: number

  /** @throws Problem `too_many_streams` */
  constructor(context: Context, { organization, link: { id, endsAtMs } }: FoundLink, browser: string) {
    this.context = context
    this.#browser = browser
    this.#dayEndsAtMs = dayEndMs(context)
    this.id = id
    this.organization = organization
    this.#stream = new EventStream({
      context,
      name: `watch ${id}`,
      most: MOST_STREAMS,
      read: () => readEvent(context, this),
      // At the end of each day too: a page that is open uses its link on the next one.
      readsAtMs: () => Math.min(endsAtMs, this.#dayEndsAtMs),
    })
  }

  open(): Promise<Response> {
    return this.#stream.open(this.#topics())
  }

  find(notes: ReadonlyMap<string, unknown>): Link | undefined {
    return linkIn(notes, this.organization, this.id, this.context.now())
  }

  async noteUse(notes: ReadonlyMap<string, unknown>): Promise<void> {
    const { organization } = this
    const link = this.find(notes)
    if (link) await noteUse(this.context, { organization, link }, this.#browser)
  }

  async follow(holder: QuotaHolder | undefined): Promise<void> {
    this.#dayEndsAtMs = dayEndMs(this.context)
    if (holder === undefined || holder.token === this.#token) return
    this.#token = holder.token
    await this.#stream.watch(this.#topics())
  }

  #topics(): Topic[] {
    const { organization } = this
    return [linksTopic(organization), ...quotaTopics(this.context, { token: this.#token, organization })]
  }
}
