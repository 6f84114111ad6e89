/** What a watch link opens, under `/watch`. Nothing is ever sent to the service for it. */
import { SECOND_MS } from '../../contract/duration.ts'
import { Problem } from '../../contract/problem.ts'
import { scriptQuotaOf, type WatchedQuota, type Watching, watchedState } from '../../contract/watch.ts'
import type { StoredLink } from '../../store/store.ts'
import { bestEffort, type Context, serviceNowMs } from '../core/context.ts'
import { fingerprint } from '../core/encryption.ts'
import { readBody, SECRET } from '../http/bodies.ts'
import { browserName } from '../http/browser-name.ts'
import { cookie, readCookies } from '../http/cookie.ts'
import { entityTagOf, isNamed } from '../http/representation.ts'
import { readDays } from '../quota/ledger-counts.ts'
import { readRecent } from '../quota/recent.ts'
import { type QuotaHolder, readSnapshots } from '../quota/snapshot.ts'
import { countGuess } from '../session/browser.ts'
import { cookieValueOf, idOf, noteUse } from './link.ts'

const linkEnded = (): Problem => new Problem('signed_out', { fault: 'link_ended' })

/**
 * @param id of the page, which never shows another link
 * @throws Problem `signed_out`, the same for every secret that opens nothing; `too_many_attempts`
 */
async function requireLink(context: Context, cookieValue: string, id?: string): Promise<StoredLink> {
  // The value has 256 random bits and only its hash is looked up, so the time of this tells nothing.
  const hash = fingerprint(cookieValue)
  const link = (await context.store.readLinks([hash], context.now())).get(hash)
  if (link !== undefined && idOf(link) === (id ?? idOf(link))) return link
  await countGuess(context)
  throw linkEnded()
}

/** The link of the cookie. @throws as {@link requireLink}, and without the cookie */
export async function requireCookie(context: Context, request: Request, id: string): Promise<StoredLink> {
  const value = readCookies(request).get(context.cookies.watch + id)
  if (value === undefined) throw new Problem('signed_out', { fault: 'cookie_missing' })
  return requireLink(context, value, id)
}

/** `POST /watch/session/{id}` `{"secret"}`: 200 with the link, and a cookie. @throws as `requireLink` */
export async function openWatch(context: Context, request: Request, id = ''): Promise<Response> {
  const { secret } = await readBody(request, SECRET)
  const value = cookieValueOf(secret)
  const link = await requireLink(context, value, id)
  await bestEffort(noteUse(context, link, browserName(request.headers)))
  const name = context.cookies.watch + id
  context.headers.append(
    'Set-Cookie',
    cookie(context.cookies, name, value, secondsLeft(context, link), 'Lax'),
  )
  return watching(context, link)
}

/** `GET /watch/session/{id}`: 200 with the link that this browser has opened. @throws as `requireLink` */
export async function getWatching(context: Context, request: Request, id = ''): Promise<Response> {
  return watching(context, await requireCookie(context, request, id))
}

const secondsLeft = ({ now }: Context, { endsAtMs }: StoredLink): number =>
  Math.floor((endsAtMs - now()) / SECOND_MS)

const watching = (context: Context, link: StoredLink): Response =>
  Response.json({ name: link.name, ends_in: secondsLeft(context, link) } satisfies Watching)

/** `GET /watch/quota/{id}`. @throws Problem `signed_out`, `too_many_attempts` */
export async function getWatchedQuota(context: Context, request: Request, id = ''): Promise<Response> {
  return Response.json(await readQuota(context, await requireCookie(context, request, id)))
}

async function readQuota(context: Context, { organization }: StoredLink) {
  const holders = [...(await readHolders(context, [organization])).values()]
  const quotaOf = await readWatched(context, holders)
  return quotaOf(...(holders as [(typeof holders)[0]]))
}

const BEARER = /^Bearer +([\w-]{43})$/i

/**
 * `GET` and `HEAD /watch/quota` for scripts: the secret is the bearer token (RFC 6750 2.1), and no cookie is
 * read. 200 with a weak entity tag, or 304 (RFC 9110 15.4.5).
 * @throws Problem `signed_out`, `too_many_attempts`
 */
export async function getQuotaByToken(context: Context, request: Request): Promise<Response> {
  // Every answer may have it, not only a 401 (RFC 9110 11.6.1).
  context.headers.set('WWW-Authenticate', 'Bearer')
  const secret = BEARER.exec(request.headers.get('Authorization') ?? '')?.[1]
  if (secret === undefined) throw linkEnded()
  const link = await requireLink(context, cookieValueOf(secret))
  await context.limiter.take('watch_link', idOf(link))
  await bestEffort(noteUse(context, link, browserName(request.headers)))
  const quota = await readQuota(context, link)
  const tag = entityTagOf(watchedState(quota, serviceNowMs(context)))
  context.headers.set('ETag', `W/${tag}`)
  return isNamed(request.headers.get('If-None-Match'), tag)
    ? new Response(null, { status: 304 })
    : Response.json(scriptQuotaOf(quota))
}

/** `GET /watch/days/{id}`: the counts of the month from which the chart is drawn. @throws as above */
export async function getWatchedDays(context: Context, request: Request, id = ''): Promise<Response> {
  const { organization } = await requireCookie(context, request, id)
  return Response.json(await readDays(context, organization))
}

/** The minute is that of the token that the organization used last (8.2: each token has its own). */
export async function readHolders(
  context: Context,
  organizations: readonly string[],
): Promise<ReadonlyMap<string, QuotaHolder>> {
  const holders = [...new Set(organizations)].map(async (organization) => {
    const { token } = await readRecent(context, organization)
    return [organization, { token, organization, grant: '', person: '' }] as const
  })
  return new Map(await Promise.all(holders))
}

export async function readWatched(
  context: Context,
  holders: readonly QuotaHolder[],
): Promise<(holder: QuotaHolder) => WatchedQuota> {
  const snapshotOf = await readSnapshots(context, holders)
  return (holder) => {
    const { version, epoch, read, update, month, pauses } = snapshotOf(holder)
    return { version, ...(epoch && { epoch }), token: '', read, update, month, pauses }
  }
}
