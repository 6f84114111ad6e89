/** Keeps a session for each organization in one browser. One is in use; each also has its own cookie. */
import { Problem } from '../../contract/problem.ts'
import { MOST_ORGANIZATIONS } from '../../contract/session.ts'
import type { Context } from '../core/context.ts'
import { type CookieNames, expiredCookie, readCookies } from '../http/cookie.ts'
import { fingerprint } from '../core/encryption.ts'
import { queryParameters } from '../http/input.ts'
import { signedIn } from './session-answer.ts'
import {
  countGuess,
  type LoadedSession,
  loadSession,
  lookUpSession,
  organizationOf,
  parseSessionCookie,
  publicIdOf,
  sessionCookie,
} from '../session/record.ts'
import { endBecause, endOfSession } from '../session/owner.ts'

/** Besides the session in use. */
const MOST_OTHERS = MOST_ORGANIZATIONS - 1

/** More than a browser has, unless many of its tabs sign in at the same time. */
export const MOST_READ = 20

/** Differs from the public id, so that no page knows it. */
const cookieNameOf = ({ other }: CookieNames, { id }: Pick<LoadedSession, 'id'>): string =>
  other + fingerprint(`cookie ${id}`).slice(0, 16)

/** A cookie without an open session. */
interface Leftover {
  cookie: string
  named: Pick<LoadedSession, 'id'>
}

/** The browser's open sessions besides the one in use, and the cookies without an open session. */
export async function otherSessions(
  context: Context,
  request: Request,
  inUse: Pick<LoadedSession, 'id'> | undefined,
): Promise<{ open: LoadedSession[]; leftovers: Leftover[] }> {
  const open: LoadedSession[] = []
  const leftovers: Leftover[] = []
  const cookies = [...readCookies(request)].filter(([cookie]) => cookie.startsWith(context.cookies.other))
  for (const [cookie, value] of cookies.slice(0, MOST_READ)) {
    const named = parseSessionCookie(value)
    const session = await loadSession(context, named)
    if (session === 'closed' || named.id === inUse?.id) continue
    if (session !== 'unknown' && cookieNameOf(context.cookies, named) === cookie) open.push(session)
    else leftovers.push({ cookie, named })
  }
  return { open, leftovers }
}

/**
 * Removes cookies without an open session, which count as guesses, and ends sessions that may not stay open.
 * @throws Problem `too_many_attempts`
 */
export async function requireOthers(
  context: Context,
  request: Request,
  headers: Headers,
  inUse: LoadedSession | undefined,
): Promise<LoadedSession[]> {
  const { open, leftovers } = await otherSessions(context, request, inUse)
  for (const { cookie, named } of leftovers) {
    headers.append('Set-Cookie', expiredCookie(context.cookies, cookie))
    if ((await endOfSession(context, named)) === undefined) await countGuess(context)
  }
  return inUse === undefined ? open : endSurplus(context, headers, inUse, open.toSorted(byLastUse))
}

/**
 * Ends what may not stay open besides a session: one of the same organization, since a sign-in never
 * continues a session, an unproven one, and those after the fourth.
 * @returns the sessions that stay open
 */
async function endSurplus(
  context: Context,
  headers: Headers,
  session: LoadedSession,
  open: readonly LoadedSession[],
): Promise<LoadedSession[]> {
  const mayStay = open.filter(
    ({ record }) =>
      record.proven && organizationOf(record.credential) !== organizationOf(session.record.credential),
  )
  const staying = mayStay.slice(0, MOST_OTHERS)
  for (const one of open.filter((other) => !staying.includes(other))) {
    await endBecause(context, one, mayStay.includes(one) ? 'too_many' : 'replaced')
    headers.append('Set-Cookie', expiredCookie(context.cookies, cookieNameOf(context.cookies, one)))
  }
  return staying
}

/**
 * After a sign-in: the session that was in use stays open besides the new one. The new one has its own cookie
 * at once: another tab's sign-in that ends at the same time replaces the cookie of the session in use.
 * @param previous the session that was in use
 * @param value the value of the new session's cookie
 * @returns the sessions that stay open
 */
export async function setAside(
  context: Context,
  request: Request,
  headers: Headers,
  {
    session,
    value,
    previous,
  }: { session: LoadedSession; value: string; previous: LoadedSession | undefined },
): Promise<LoadedSession[]> {
  const others = await otherSessions(context, request, previous)
  // A browser that lost the answer of a pairing may have the new session already.
  const open = [...(previous ? [previous] : []), ...others.open.toSorted(byLastUse)].filter(
    ({ id }) => id !== session.id,
  )
  const staying = await endSurplus(context, headers, session, open)
  headers.append('Set-Cookie', sessionCookie(context, value, cookieNameOf(context.cookies, session)))
  if (previous !== undefined && staying.includes(previous)) nameCookie(context, request, headers, previous)
  return staying
}

const byLastUse = (a: LoadedSession, b: LoadedSession): number => b.record.seenAtMs - a.record.seenAtMs

function nameCookie(context: Context, request: Request, headers: Headers, inUse: LoadedSession): void {
  const value = readCookies(request).get(context.cookies.session) ?? ''
  headers.append('Set-Cookie', sessionCookie(context, value, cookieNameOf(context.cookies, inUse)))
}

/**
 * `POST /bff/sessions/{id}`: uses another session of this browser. 200, as `GET /bff/session`.
 * @throws Problem `signed_out` if this browser has no open session, `not_found` if none has this id;
 *   `too_many_attempts`
 */
export async function useOtherSession(
  context: Context,
  request: Request,
  headers: Headers,
  publicId?: string,
): Promise<Response> {
  queryParameters(request)
  const found = await lookUpSession(context, request)
  if (found === 'unknown') await countGuess(context)
  const inUse = typeof found === 'string' ? undefined : found
  const others = await requireOthers(context, request, headers, inUse)
  const open = inUse === undefined ? others : [inUse, ...others]
  const session = open.find((one) => publicIdOf(one) === publicId)
  if (session === undefined) throw new Problem(open.length === 0 ? 'signed_out' : 'not_found')
  if (session !== inUse) {
    const value = readCookies(request).get(cookieNameOf(context.cookies, session)) ?? ''
    headers.append('Set-Cookie', sessionCookie(context, value))
    if (inUse?.record.proven) nameCookie(context, request, headers, inUse)
  }
  const rest = open.filter((one) => one !== session)
  return Response.json(await signedIn(context, session, rest))
}
