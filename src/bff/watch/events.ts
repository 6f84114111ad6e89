/** `GET /watch/events/{id}`: the quota of a watch link at once and after every change. */
import type { AddedFields, Answer, Inbound } from '../../contract/answer.ts'
import type { Topic } from '../../store/store.ts'
import { bestEffort, type Context } from '../core/context.ts'
import { readsByProcess } from '../events/grouped-reads.ts'
import type { ServerEvent } from '../events/stream.ts'
import { quotaTopics, SIGNED_OUT, TopicStream } from '../events/topic-stream.ts'
import { browserName } from '../http/browser-name.ts'
import type { QuotaHolder } from '../quota/snapshot.ts'
import { type FoundLink, linkIn, linksTopic, noteUse } from './link.ts'
import { readHolders, readWatched } from './quota.ts'
import { requireCookie } from './watch.ts'

/** In one process, for one link. */
const MOST_STREAMS = 500

/**
 * It has the events of `GET /bff/events`. `session` comes when the link ends.
 * @throws Problem `signed_out`, `too_many_attempts`, `too_many_streams`
 */
export async function getWatchedEvents(
  context: Context,
  request: Inbound,
  _headers: AddedFields,
  id = '',
): Promise<Answer> {
  const found = await requireCookie(context, request, id)
  await bestEffort(noteUse(context, found, browserName(request.headers)))
  return new LinkEvents(context, found).open()
}

const readsOf = readsByProcess<LinkEvents, ServerEvent>(readAll)

async function readAll(all: readonly LinkEvents[]): Promise<(nth: number) => ServerEvent> {
  const [{ context }] = all as [LinkEvents]
  const organizations = [...new Set(all.map(({ organization }) => organization))]
  const names = organizations.map(linksTopic)
  const stored = await context.store.readNotes(names)
  const notes = new Map(names.map((name, nth) => [name, stored[nth]]))
  const open = all.filter(({ organization, id }) => linkIn(notes, organization, id, context.now()))
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

/** The stream of one page. It follows the token that the organization used last. */
class LinkEvents {
  readonly id: string
  readonly context: Context
  readonly organization: string
  readonly #stream: TopicStream<LinkEvents>
  #token = ''

  /** @throws Problem `too_many_streams` */
  constructor(context: Context, { organization, link: { id, endsAtMs } }: FoundLink) {
    this.context = context
    this.id = id
    this.organization = organization
    this.#stream = new TopicStream({
      context,
      name: `watch ${id}`,
      most: MOST_STREAMS,
      asker: this,
      reads: readsOf(context),
      endsAtMs: () => endsAtMs,
    })
  }

  open(): Promise<Answer> {
    return this.#stream.open(this.#topics())
  }

  async follow(holder: QuotaHolder | undefined): Promise<void> {
    if (holder === undefined || holder.token === this.#token) return
    this.#token = holder.token
    await this.#stream.watch(this.#topics())
  }

  #topics(): Topic[] {
    const { organization } = this
    return [linksTopic(organization), ...quotaTopics(this.context, { token: this.#token, organization })]
  }
}
