/** Watch links: only a hash of a hash of the secret is stored, so that a stolen database opens none. */
import { DAY_MS } from '../../contract/duration.ts'
import type { Fault } from '../../contract/fault.ts'
import { utcDayOf } from '../../contract/ledger.ts'
import { Problem } from '../../contract/problem.ts'
import { type MadeLink, MOST_LINKS, type WatchLink, type WatchLinks } from '../../contract/watch-links.ts'
import type { StoredLink } from '../../store/store.ts'
import type { Context } from '../core/context.ts'
import { fingerprint, randomText } from '../core/encryption.ts'
import { LINK, readBody } from '../http/bodies.ts'
import { browserName } from '../http/browser-name.ts'
import { organizationTopic } from '../session/limit-owner.ts'
import { limitOwner } from '../session/record.ts'
import { requireProvenSession } from '../session/use.ts'

/** The value of the cookie. Nobody finds the secret from it, and the store has a fingerprint of it alone. */
export const cookieValueOf = (secret: string): string => fingerprint(secret)

export const idOf = ({ hash }: Pick<StoredLink, 'hash'>): string => hash.slice(0, 16)

/** Stored once a day for each link. */
export async function noteUse(
  { store, now }: Context,
  { hash, usedDay }: StoredLink,
  browser: string,
): Promise<void> {
  const day = utcDayOf(now())
  if (usedDay !== day) await store.noteLinkUse(hash, day, browser)
}

async function organizationOf(context: Context, request: Request): Promise<string> {
  return limitOwner(await requireProvenSession(context, request)).organization
}

/** The open links, the newest first. @throws Problem `signed_out`, `not_confirmed`, `invalid_request` */
export async function getWatchLinks(context: Context, request: Request): Promise<Response> {
  const links = await context.store.listLinks(await organizationOf(context, request), context.now())
  return Response.json({ links: links.map(onWire) } satisfies WatchLinks)
}

const onWire = ({ hash, name, madeBy, madeAtMs, endsAtMs, usedDay, usedBy }: StoredLink): WatchLink => ({
  id: idOf({ hash }),
  name,
  made_by: madeBy,
  made_at: new Date(madeAtMs).toISOString(),
  ends_at: new Date(endsAtMs).toISOString(),
  ...(usedDay && { last_use: { day: usedDay, browser: usedBy } }),
})

/**
 * 201 with the secret, which is stored nowhere and which no later answer has.
 * @throws as {@link getWatchLinks}, also for one link too many and for the name of an open link
 */
export async function addWatchLink(context: Context, request: Request): Promise<Response> {
  const organization = await organizationOf(context, request)
  const { name, days } = await readBody(request, LINK)
  const secret = randomText(32)
  const madeAtMs = context.now()
  const link: StoredLink = {
    hash: fingerprint(cookieValueOf(secret)),
    organization,
    name,
    madeBy: browserName(request.headers),
    madeAtMs,
    endsAtMs: madeAtMs + days * DAY_MS,
    usedDay: '',
    usedBy: '',
  }
  await context.store.transaction(async (store) => {
    await store.lock(organizationTopic(organization))
    const fault = faultOf(await store.listLinks(organization, madeAtMs), name)
    if (fault) throw new Problem('invalid_request', { fault })
    await store.addLink(link)
  })
  return Response.json({ ...onWire(link), secret } satisfies MadeLink, { status: 201 })
}

function faultOf(open: readonly StoredLink[], name: string): Fault | undefined {
  if (open.some((link) => link.name === name)) return 'name_taken'
  return open.length >= MOST_LINKS ? 'too_many_links' : undefined
}

/** Ends a link for everyone, in all processes. 204. @throws as {@link getWatchLinks}, and `not_found` */
export async function deleteWatchLink(context: Context, request: Request, id = ''): Promise<Response> {
  const links = await context.store.listLinks(await organizationOf(context, request), context.now())
  const link = links.find((one) => idOf(one) === id)
  if (link === undefined) throw new Problem('not_found')
  await context.store.removeLink(link.hash)
  return new Response(null, { status: 204 })
}
