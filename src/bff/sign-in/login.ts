/** `/bff/login`: a sign-in up to its callback, in a cookie of the browser (4.1, 5.3; RFC 6749 10.12). */
import { SECOND_MS } from '../../contract/duration.ts'
import type { OrganizationId } from '../../contract/organization.ts'
import { asProblem, isStoreFailure, Problem } from '../../contract/problem.ts'
import { type KeptLogin, LOGIN_LIFETIME_SECONDS, type StartedLogin } from '../../contract/session.ts'
import { bestEffort, type Context } from '../core/context.ts'
import { fingerprint } from '../core/encryption.ts'
import { claim } from '../core/note.ts'
import { nameAddress, openLogin, SEALED_MS, sealLogin } from '../core/server-key.ts'
import { LOGIN, readBody, STARTED } from '../http/bodies.ts'
import { cookie, expiredCookie, readCookies } from '../http/cookie.ts'

/** In one browser. The oldest sign-ins are removed, so that the Cookie header stays small. */
const MAX_LOGINS = 20
const MAX_LOGIN_BYTES = 3400
/** Sealed. */
type Stored = [organizationId: OrganizationId, startedAtMs: number, kept: Login['kept']]
/** A browser keeps the cookie for longer than a sign-in lasts, so that a late one leads back to its place. */
const COOKIE_SECONDS = SEALED_MS / SECOND_MS

/** A sign-in that this browser started, as its cookie proves. */
export interface Login {
  /** The name of its cookie, derived from the state. */
  name: string
  organizationId: OrganizationId
  /** UNIX milliseconds. */
  startedAtMs: number
  /** Empty if the sign-in returns to the start page, and sends no verifier. */
  kept: Partial<KeptLogin>
}

/** Only the browser that started the sign-in has this cookie. */
const cookieName = ({ cookies }: Context, state: string) => cookies.login + fingerprint(state)

/**
 * Stores the organization, the place to return to and the verifier in a cookie named after the state, sealed
 * under that name. 204. @throws Problem `too_many_attempts`
 */
export const startLogin = logFailedSignIn(async (context, request) => {
  const { state, organization_id: organizationId, ...kept } = await readBody(request, LOGIN)
  await context.limiter.take('login', context.address)
  const name = cookieName(context, state)
  const value = await sealLogin(context, [organizationId, context.now(), kept] satisfies Stored, name)
  for (const surplus of await surplusCookies(context, request))
    context.headers.append('Set-Cookie', expiredCookie(context.cookies, surplus))
  context.headers.append('Set-Cookie', cookie(context.cookies, name, value, COOKIE_SECONDS))
  return new Response(null, { status: 204 })
})

/**
 * The login cookies to remove before another is set: invalid ones, and the oldest if there are too many or
 * they are too long.
 */
async function surplusCookies(context: Context, request: Request): Promise<string[]> {
  const cookies = readCookies(request)
  const names = [...cookies.keys()].filter((name) => name.startsWith(context.cookies.login))
  const logins = await Promise.all(names.map((name) => findLogin(context, request, name)))
  const newestFirst = logins
    .filter((login) => login !== undefined)
    .toSorted((a, b) => b.startedAtMs - a.startedAtMs)
  let bytes = 0
  const short = newestFirst.filter(({ name }) => {
    bytes += name.length + (cookies.get(name)?.length ?? 0)
    return bytes <= MAX_LOGIN_BYTES
  })
  const stay = new Set(short.slice(0, MAX_LOGINS - 1).map(({ name }) => name))
  return names.filter((name) => !stay.has(name))
}

/** `undefined` if there is no such cookie or `startLogin` did not write it. Writes nothing. */
async function findLogin(context: Context, request: Request, name: string): Promise<Login | undefined> {
  const stored = await openLogin(context, readCookies(request).get(name) ?? '', name)
  if (stored === undefined) return undefined
  const [organizationId, startedAtMs, kept] = stored as Stored
  return { name, organizationId, startedAtMs, kept }
}

/**
 * Writes nothing and sends nothing.
 * @throws Problem `state_mismatch` if this browser started no such sign-in, `login_expired` if it did so too
 *   long ago
 */
export async function requireLogin(context: Context, request: Request, state: string): Promise<Login> {
  const login = await findStarted(context, request, state)
  if (context.now() >= endOf(login)) throw new Problem('login_expired')
  return login
}

async function findStarted(context: Context, request: Request, state: string): Promise<Login> {
  const login = await findLogin(context, request, cookieName(context, state))
  if (login === undefined) throw new Problem('state_mismatch')
  return login
}

/**
 * `POST /bff/login/started`: what a sign-in of this browser was begun for, also one that took too long. It
 * stays in progress. @throws Problem `state_mismatch` if this browser started no such sign-in
 */
export const getStartedLogin = logFailedSignIn(async (context, request) => {
  const { state } = await readBody(request, STARTED)
  const { organizationId, kept } = await findStarted(context, request, state)
  const { return_to = '/' } = kept
  return Response.json({ organization_id: organizationId, return_to } satisfies StartedLogin)
})

const LIFETIME_MS = LOGIN_LIFETIME_SECONDS * SECOND_MS
const endOf = ({ startedAtMs }: Login) => startedAtMs + LIFETIME_MS

/**
 * Ends a sign-in once: a second request with its state is refused, even at the same time in another process.
 * @returns the `Set-Cookie` that removes its cookie
 * @throws Problem `state_mismatch` if it was ended before
 */
export async function finishLogin(context: Context, login: Login): Promise<string> {
  const nowMs = context.now()
  // The cookie may come again, so the claim is stored until the sign-in would have expired.
  const lapsesAtMs = Math.min(endOf(login), nowMs + LIFETIME_MS)
  if (!(await claim(context, login.name, lapsesAtMs))) throw new Problem('state_mismatch')
  return expiredCookie(context.cookies, login.name)
}

type Handler = (context: Context, request: Request) => Promise<Response>

/** The line has no source if the store, which has the key, fails. The errors of `handle` are thrown. */
export function logFailedSignIn(handle: Handler): Handler {
  return async (context, request) => {
    try {
      return await handle(context, request)
    } catch (error) {
      const source = isStoreFailure(error) ? undefined : await bestEffort(nameAddress(context))
      const { code } = asProblem(error)
      context.log({ level: 'warn', event: 'sign_in', code, ...(source !== undefined && { source }) })
      throw error
    }
  }
}
