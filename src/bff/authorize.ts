/** A sign-in from its start to its callback, stored in a cookie of the browser that started it (4.1, 5.3; RFC 6749 10.12). */
import { type OrganizationId, parseOrganizationId } from '../contract/organization.ts'
import { Problem } from '../contract/problem.ts'
import { parseLoginRequest } from '../contract/session.ts'
import { readJson } from './body.ts'
import type { Context } from './context.ts'
import { cookie, expiredCookie, LOGIN_COOKIE, readCookies } from './cookie.ts'
import { fingerprint } from './encryption.ts'

/** How long a person may take on the service's pages. */
const LOGIN_LIFETIME_SECONDS = 600
/** Sign-ins in progress in one browser; beyond it the oldest is removed, so that the Cookie header stays small. */
const MAX_LOGINS = 20

/** A cookie of this name is there only in the browser that started the sign-in with this state. */
const cookieName = (state: string) => LOGIN_COOKIE + fingerprint(state)

/** `POST /bff/login`: stores the organization in a cookie named after the state. 204. */
export async function startLogin(context: Context, request: Request): Promise<Response> {
  const login = parseLoginRequest(await readJson(request))
  const headers = new Headers()
  const others = [...readCookies(request)].filter(([name]) => name.startsWith(LOGIN_COOKIE))
  const newestFirst = others.toSorted(([, a], [, b]) => startedAtMs(b) - startedAtMs(a))
  for (const [name] of newestFirst.slice(MAX_LOGINS - 1)) headers.append('Set-Cookie', expiredCookie(name))
  const value = `${login.organization_id}.${context.now()}`
  headers.append('Set-Cookie', cookie(cookieName(login.state), value, LOGIN_LIFETIME_SECONDS))
  return new Response(null, { status: 204, headers })
}

/** UNIX milliseconds; 0 where the cookie is not one that `startLogin` wrote. */
const startedAtMs = (value: string): number => Number(/^\d+\.(\d{1,15})$/.exec(value)?.[1] ?? 0)

/**
 * Ends the sign-in that this browser started with this state, once: a second request with the same state is refused, also at
 * the same time and by another process.
 * @returns the organization of the sign-in, and the `Set-Cookie` that removes its cookie
 * @throws Problem `state_mismatch` when this browser started no such sign-in, `login_expired` when it did too long ago
 */
export async function finishLogin(
  context: Context,
  request: Request,
  state: string,
): Promise<{ organizationId: OrganizationId; removeCookie: string }> {
  const name = cookieName(state)
  const value = readCookies(request).get(name)
  if (value === undefined) throw new Problem('state_mismatch')
  const endsAtMs = startedAtMs(value) + LOGIN_LIFETIME_SECONDS * 1000
  if (context.now() >= endsAtMs) throw new Problem('login_expired')
  const organizationId = parseOrganizationId(value.split('.')[0])
  // The browser may send the cookie again; the claim is stored until the sign-in would have expired.
  if (!(await context.store.claim(name, context.now(), endsAtMs))) throw new Problem('state_mismatch')
  return { organizationId, removeCookie: expiredCookie(name) }
}
