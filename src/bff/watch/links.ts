/** `/bff/watch-links`: an organization's links, for its signed-in people. Sends nothing to the service. */
import { Problem } from '../../contract/problem.ts'
import { type MadeLink, type WatchLink, type WatchLinks } from '../../contract/watch-links.ts'
import type { Context } from '../core/context.ts'
import { browserName } from '../http/browser-name.ts'
import { LINK, readBody } from '../http/bodies.ts'
import { queryParameters } from '../http/input.ts'
import { limitOwner } from '../session/record.ts'
import { requireProvenSession } from '../session/use.ts'
import { type Link, listLinks, makeLink, withdrawLink } from './link.ts'

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
  ...(madeBy && { made_by: madeBy }),
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
export async function deleteWatchLink(
  context: Context,
  request: Request,
  _headers: Headers,
  id = '',
): Promise<Response> {
  const organization = await organizationOf(context, request)
  if (!(await withdrawLink(context, organization, id))) throw new Problem('not_found')
  return new Response(null, { status: 204 })
}
