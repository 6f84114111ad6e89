/** Watch links: only a hash of a hash of the secret is stored, so that a stolen database opens none. */
import { DAY_MS } from '../../contract/duration.ts'
import type { Fault } from '../../contract/fault.ts'
import { utcDayOf } from '../../contract/ledger.ts'
import { Problem } from '../../contract/problem.ts'
import {
  type LastUse,
  type LinkRequest,
  type MadeLink,
  MOST_LINKS,
  type WatchLink,
  type WatchLinks,
} from '../../contract/watch-links.ts'
import type { Topic } from '../../store/store.ts'
import { readNewestDate } from '../core/clock.ts'
import type { Context, Within } from '../core/context.ts'
import { fingerprint, randomText } from '../core/encryption.ts'
import { changeNote, type NoteKind, parseNote, readNote } from '../core/note.ts'
import { LINK, readBody } from '../http/bodies.ts'
import { browserName } from '../http/browser-name.ts'
import { queryParameters } from '../http/input.ts'
import { limitOwner } from '../session/record.ts'
import { requireProvenSession } from '../session/use.ts'

export interface Link {
  id: string
  /** The fingerprint of the cookie's value. */
  hash: string
  name: string
  /** The browser: `Firefox on Linux`. */
  madeBy: string
  madeAtMs: number
  endsAtMs: number
  lastUse?: LastUse
}

export interface FoundLink {
  organization: string
  link: Link
}

/** The links of an organization, the oldest first. */
const LINKS: NoteKind<readonly Link[]> = { format: 1 }
/** Leads from the id of a link to its organization. */
const OWNER: NoteKind<string> = { format: 1 }
const ownerName = (id: string): string => `watch ${id}`

/** The note of an organization's links. As a token's note, the store reports its changes. */
export const linksTopic = (organization: string): Topic & `token ${string}` => `token watch ${organization}`

/** The value of the cookie, from which nobody finds the secret. */
export const cookieValueOf = (secret: string): string => fingerprint(secret)

export const idOf = (hash: string): string => hash.slice(0, 16)

const openAt = (links: readonly Link[] | undefined, nowMs: number): readonly Link[] =>
  (links ?? []).filter(({ endsAtMs }) => endsAtMs > nowMs)

export const listLinks = async (context: Context, organization: string): Promise<readonly Link[]> =>
  openAt(await readNote(context, LINKS, linksTopic(organization)), context.now())

/** @param change gets the links, without those whose end a good answer of the service has shown */
async function changeLinks(
  context: Within,
  organization: string,
  change: (links: readonly Link[]) => readonly Link[],
): Promise<void> {
  const nowMs = context.now()
  // The note outlives each link in it.
  const lapsesAtMs = nowMs + 400 * DAY_MS
  const endedMs = Math.min(nowMs, await readNewestDate(context.store, context.config.serviceUrl))
  const changed = (stored: readonly Link[] | undefined) => change(openAt(stored, endedMs))
  await changeNote(context, LINKS, linksTopic(organization), changed, lapsesAtMs)
}

/**
 * @returns the link, and its secret, which is stored nowhere
 * @throws Problem `invalid_request` for one too many, and for the name of an open link
 */
export async function makeLink(
  context: Context,
  organization: string,
  { name, days, madeBy }: LinkRequest & { madeBy: string },
): Promise<{ link: Link; secret: string }> {
  const secret = randomText(32)
  const hash = fingerprint(cookieValueOf(secret))
  const madeAtMs = context.now()
  const link: Link = { id: idOf(hash), hash, name, madeBy, madeAtMs, endsAtMs: madeAtMs + days * DAY_MS }
  await context.store.transaction(async (store) => {
    const inside = { ...context, store }
    await changeLinks(inside, organization, (links) => {
      const fault = faultOf(openAt(links, madeAtMs), name)
      if (fault) throw new Problem('invalid_request', { fault })
      return [...links, link]
    })
    await changeNote(inside, OWNER, ownerName(link.id), () => organization, link.endsAtMs)
  })
  return { link, secret }
}

function faultOf(open: readonly Link[], name: string): Fault | undefined {
  if (open.some((link) => link.name === name)) return 'name_taken'
  return open.length >= MOST_LINKS ? 'too_many_links' : undefined
}

/** It ends in all processes. @returns whether the organization had it */
export async function withdrawLink(context: Context, organization: string, id: string): Promise<boolean> {
  const links = await listLinks(context, organization)
  if (links.every((link) => link.id !== id)) return false
  await context.store.transaction(async (store) => {
    const inside = { ...context, store }
    await changeLinks(inside, organization, (now) => now.filter((link) => link.id !== id))
    await changeNote(inside, OWNER, ownerName(id), () => undefined, context.now())
  })
  return true
}

/** `undefined` for a value that opens no link: made up, withdrawn or ended. */
export async function findLink(context: Context, cookieValue: string): Promise<FoundLink | undefined> {
  const hash = fingerprint(cookieValue)
  const organization = await readNote(context, OWNER, ownerName(idOf(hash)))
  if (organization === undefined) return undefined
  // The value has 256 random bits and only its hash is compared, so the time of this tells nothing.
  const link = (await listLinks(context, organization)).find((one) => one.hash === hash)
  return link && { organization, link }
}

/** As in notes that were read already. @param notes by {@link linksTopic} @returns the link, if it is open */
export const linkIn = (
  notes: ReadonlyMap<string, unknown>,
  { organization, id }: { organization: string; id: string },
  nowMs: number,
) => openAt(parseNote(LINKS, notes.get(linksTopic(organization))), nowMs).find((link) => link.id === id)

/** Stored once a day for each link. */
export async function noteUse(
  context: Context,
  { organization, link: { id, lastUse } }: FoundLink,
  browser: string,
): Promise<void> {
  const day = utcDayOf(context.now())
  if (lastUse?.day === day) return
  await changeLinks(context, organization, (links) =>
    links.map((link) => (link.id === id ? { ...link, lastUse: { day, browser } } : link)),
  )
}

async function organizationOf(context: Context, request: Request): Promise<string> {
  queryParameters(request)
  return limitOwner(await requireProvenSession(context, request)).organization
}

/** The open links, the newest first. @throws Problem `signed_out`, `not_confirmed`, `invalid_request` */
export async function getWatchLinks(context: Context, request: Request): Promise<Response> {
  const links = await listLinks(context, await organizationOf(context, request))
  return Response.json({ links: links.map(onWire).toReversed() } satisfies WatchLinks)
}

const onWire = ({ id, name, madeBy, madeAtMs, endsAtMs, lastUse }: Link): WatchLink => ({
  id,
  name,
  made_by: madeBy,
  made_at: new Date(madeAtMs).toISOString(),
  ends_at: new Date(endsAtMs).toISOString(),
  ...(lastUse && { last_use: lastUse }),
})

/** 201 with the secret, which no later answer has. @throws as {@link getWatchLinks} */
export async function addWatchLink(context: Context, request: Request): Promise<Response> {
  const organization = await organizationOf(context, request)
  const { link, secret } = await makeLink(context, organization, {
    ...(await readBody(request, LINK)),
    madeBy: browserName(request.headers),
  })
  return Response.json({ ...onWire(link), secret } satisfies MadeLink, { status: 201 })
}

/** Ends a link for everyone. 204. @throws as {@link getWatchLinks}, and `not_found` */
export async function deleteWatchLink(context: Context, request: Request, id = ''): Promise<Response> {
  const organization = await organizationOf(context, request)
  if (!(await withdrawLink(context, organization, id))) throw new Problem('not_found')
  return new Response(null, { status: 204 })
}
