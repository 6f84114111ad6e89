/** Lists and ends a person's sessions, and names the browser. Sends nothing to the service. */
import { ANOTHER_BROWSER, coarseParts } from '../../contract/chosen-name.ts'
import { Problem } from '../../contract/problem.ts'
import type { OwnSession, OwnSessions } from '../../contract/session.ts'
import type { ListedSession } from '../../store/store.ts'
import type { Context } from '../core/context.ts'
import { BROWSER_NAME, readBody } from '../http/bodies.ts'
import { browserName } from '../http/browser-name.ts'
import { changeInUse, countGuess, findBrowser, sessionsOf, without } from '../session/browser.ts'
import { changeBrowserName } from '../session/browser-names.ts'
import { endBecause, isCollected, pairedAmong, sessionsOfOwner } from '../session/owner.ts'
import { type LoadedSession, publicIdOf } from '../session/record.ts'
import { requireProvenSession, requireSession } from '../session/use.ts'
import { signOut } from './session.ts'
import { signedIn } from './session-answer.ts'

/**
 * 200 with the open sessions, the newest first, and without those of pairings that no browser has collected.
 * @throws Problem `signed_out`
 */
export async function getOwnSessions(context: Context, request: Request): Promise<Response> {
  const session = await requireSession(context, request)
  const open = await sessionsOfOwner(context, session)
  const listed = open.filter((one) => one.id === session.id || isCollected(one))
  const paired = await pairedAmong(context, listed)
  const sessions = listed.map((one) => onWire(one, session, paired.has(one.id)))
  return Response.json({ sessions } satisfies OwnSessions)
}

function onWire(listed: ListedSession, { id, record }: LoadedSession, isPaired: boolean): OwnSession {
  // A chosen name is for the organization, and an unproven session has not shown that it belongs to one.
  const isTold = record.proven || coarseParts(listed.browser) !== undefined
  return {
    id: publicIdOf(listed),
    opened_at: new Date(listed.openedAtMs).toISOString(),
    seen_at: new Date(listed.seenAtMs).toISOString(),
    browser: isTold ? listed.browser : ANOTHER_BROWSER,
    current: listed.id === id,
    ...(isPaired && { paired: true }),
  }
}

/**
 * `DELETE /bff/sessions/{id}`: ends a session, also the present one. 204.
 * @throws Problem `signed_out`; `not_found` if no open session of the person has this id
 */
export async function deleteOwnSession(
  context: Context,
  request: Request,
  publicId?: string,
): Promise<Response> {
  const session = await requireSession(context, request)
  const found = (await sessionsOfOwner(context, session)).find((one) => publicIdOf(one) === publicId)
  if (found === undefined) throw new Problem('not_found')
  if (found.id === session.id) await signOut(context, request, session)
  else await endBecause(context, found, 'elsewhere')
  return new Response(null, { status: 204 })
}

/** All except the present one. 204. @throws Problem `signed_out` */
export async function deleteOtherSessions(context: Context, request: Request): Promise<Response> {
  const session = await requireSession(context, request)
  const others = async () => (await sessionsOfOwner(context, session)).filter(({ id }) => id !== session.id)
  // Before it ended, one of them may have opened another.
  for (let open = await others(); open.length > 0; open = await others())
    for (const one of open) await endBecause(context, one, 'elsewhere')
  return new Response(null, { status: 204 })
}

/**
 * `PUT /bff/browser`: names the browser of the session, for its organization. After an empty name it has the
 * coarse one again. 204.
 * @throws Problem `signed_out`, `not_confirmed`; `invalid_request` for an invalid body or name
 */
export async function putBrowserName(context: Context, request: Request): Promise<Response> {
  const session = await requireProvenSession(context, request)
  const { name } = await readBody(request, BROWSER_NAME)
  await changeBrowserName(context, session, name || browserName(request.headers))
  return new Response(null, { status: 204 })
}

/**
 * `POST /bff/sessions/{id}`: uses another session of this browser. 200, as `GET /bff/session`.
 * @throws Problem `signed_out` if this browser has no open session, `not_found` if none has this id;
 *   `too_many_attempts`
 */
export async function useOtherSession(
  context: Context,
  request: Request,
  publicId?: string,
): Promise<Response> {
  const browser = await findBrowser(context, request)
  if (browser === 'unknown') await countGuess(context)
  const open = await sessionsOf(context, browser)
  const session = open.find((one) => publicIdOf(one) === publicId)
  if (typeof browser === 'string' || session === undefined)
    throw new Problem(open.length === 0 ? 'signed_out' : 'not_found')
  await changeInUse(context, browser, session)
  const others = without(session, open).filter(({ record }) => record.proven)
  return Response.json(await signedIn(context, session, others))
}
