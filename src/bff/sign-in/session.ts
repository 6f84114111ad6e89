/** `/bff/session`: says who is signed in, creates a session by either method of section 5, and deletes it. */
import { isJsonObject } from '../../contract/json.ts'
import { Problem } from '../../contract/problem.ts'
import type { Tables } from '../../store/store.ts'
import { briefly, type Context, untilStored } from '../core/context.ts'
import { nameApiKey } from '../core/server-key.ts'
import { API_KEY, CODE, parseBody } from '../http/bodies.ts'
import { expiredCookie, isOwnCookie, readCookies } from '../http/cookie.ts'
import { readJson } from '../http/input.ts'
import { credentialRefusal, readService } from '../read/service-read.ts'
import {
  ORGANIZATION_READ,
  ORGANIZATIONS_READ,
  type ServiceRead,
  serviceRead,
} from '../service/forwarded-reads.ts'
import { newPress, type Press } from '../service/request.ts'
import {
  addSession,
  countGuess,
  findBrowser,
  findSession,
  forgetBrowser,
  leaveSession,
  loadInUse,
  removeBrowser,
  sessionsOf,
  without,
} from '../session/browser.ts'
import { keepBrowserName } from '../session/browser-names.ts'
import { type Credential, organizationOf, writeCopy } from '../session/grant.ts'
import { browserOf, endOfSession, endOldest, listingFor } from '../session/owner.ts'
import {
  endSession,
  type Listing,
  type LoadedSession,
  limitOwner,
  nameSecret,
  parseSecret,
  reloadSession,
  senderOf,
  storeSession,
  unprovenName,
} from '../session/record.ts'
import { noteUse } from '../session/use.ts'
import { exchangeCode } from '../token/token.ts'
import { finishLogin, type Login, logFailedSignIn, requireLogin } from './login.ts'
import { signedIn, signedOut } from './session-answer.ts'

/** 200, signed in or not. @throws Problem `too_many_attempts`, which removes the cookie too */
export async function getSession(context: Context, request: Request): Promise<Response> {
  const browser = await findBrowser(context, request)
  if (browser === 'unknown') {
    forgetBrowser(context)
    await countGuess(context)
  }
  if (typeof browser === 'string') return Response.json(await signedOut(context))
  const found = await loadInUse(context, browser)
  const open = await sessionsOf(context, browser)
  const session = typeof found === 'string' ? undefined : await noteUseBriefly(context, found)
  if (session !== undefined) return Response.json(await signedIn(context, session, without(session, open)))
  const others = typeof found === 'string' ? open : without(found, open)
  if (found === 'none' || found === 'closed') return Response.json(await signedOut(context, others))
  const ended = await endOfSession(context, parseSecret(browser.inUse ?? ''))
  // Another tab asks with the old cookie. Removing it would remove the new one, which is on its way.
  if (ended === 'replaced') return Response.json(await signedOut(context, others))
  await leaveSession(context, browser)
  return Response.json(await signedOut(context, others, ended))
}

/** A slow store does not delay the answer. @returns `undefined` if the session ended */
async function noteUseBriefly(context: Context, session: LoadedSession): Promise<LoadedSession | undefined> {
  const note = async () => {
    const seen = await noteUse(context, session)
    return { seen: seen && seen !== session ? await keepBrowserName(context, seen) : seen }
  }
  const noted = await briefly(context, note())
  return noted === undefined ? session : noted.seen
}

/**
 * Exchanges the code, or takes the key, and reads the organization once. This one request proves the
 * credential, fills the first screen and brings the first rate-limit headers. 201.
 *
 * An API key creates a session only if the read proves it. A code that was exchanged creates one unless the
 * service refuses the read; without a proof, a later read may be one.
 * @throws Problem `organization_refused` or `key_rejected` if the service refuses the read; the Problem of
 *   the code exchange, and for a key also that of the read; `too_many_attempts` (nothing was sent or written)
 */
export const createSession = logFailedSignIn(async (context, request) => {
  const { limiter, address } = context
  const json = await readJson(request)
  if (isJsonObject(json) && 'api_key' in json) {
    const body = parseBody(API_KEY, json)
    return limiter.attempt('api_key', address, () => openSession(context, request, body))
  }
  const body = parseBody(CODE, json)
  // Refuse a sign-in that this browser did not start before anything is counted or written.
  const login = await requireLogin(context, request, body.state)
  return limiter.attempt('code', address, () => openSession(context, request, { ...body, login }))
})

type Attempt = { api_key: string } | { code: string; code_verifier?: string; login: Login }

async function openSession(context: Context, request: Request, attempt: Attempt): Promise<Response> {
  const names = nameSecret()
  const press = newPress()
  const { credential, read, listing, browserId, browserCookie } =
    'api_key' in attempt
      ? await byApiKey(context, request, attempt)
      : await byCode(context, request, press, { ...attempt, organization: unprovenName(names) })
  const owner = senderOf({ ...listing, record: { browserId } })
  const holder = { id: names.id, owner, record: { credential, proven: false } }
  const { result } = await readService(context, { holder, read, press, initiator: 'sign_in' })
  const refusal = credentialRefusal(credential, result)
  if (refusal !== undefined) throw refusal
  const proven = !(result instanceof Problem) && result.isProof === true
  if (!proven && credential.method === 'api_key')
    throw result instanceof Problem ? result : new Problem('unexpected_reply')
  const start = { listing, credential, proven, ...(browserId && { browserId }) }
  const open = async (store: Tables) => {
    const inside = { ...context, store }
    // An earlier try may have stored it, and failed to say so.
    const known = await reloadSession(inside, names)
    if (known !== undefined) return known
    const { session } = await storeSession(inside, start, names)
    if (proven) {
      await store.attribute(unprovenName(names), organizationOf(credential), context.now())
      await writeCopy(inside, session, read.path, result.text)
    }
    return session
  }
  const stored = await untilStored(context, () => context.store.transaction(open))
  context.measure({ what: 'session', change: 'opened' })
  const session = await keepBrowserName(context, stored)
  const login = 'login' in attempt ? attempt.login.name : undefined
  const others = await addSession(context, request, { session, secret: names.secret, login })
  if (browserCookie !== undefined) context.headers.append('Set-Cookie', browserCookie)
  await endOldest(context, session)
  context.log({ level: 'info', event: 'sign_in', organization: limitOwner(session).organization })
  return Response.json(await signedIn(context, session, others), { status: 201 })
}

interface Opening {
  credential: Credential
  /** It proves the credential. */
  read: ServiceRead
  listing: Listing
  browserId?: string
  /** The `Set-Cookie` for a browser without a name. */
  browserCookie?: string
}

async function byApiKey(
  context: Context,
  request: Request,
  { api_key: apiKey }: { api_key: string },
): Promise<Opening> {
  const credential = { method: 'api_key', apiKey, name: await nameApiKey(context, apiKey) } as const
  return { credential, read: serviceRead(ORGANIZATIONS_READ), ...listingFor(context, request, credential) }
}

/** @param grant its requests are recorded under the name `organization` */
async function byCode(
  context: Context,
  request: Request,
  press: Press,
  grant: { code: string; code_verifier?: string; login: Login; organization: string },
): Promise<Opening> {
  const { code, code_verifier: codeVerifier, login, organization } = grant
  context.headers.append('Set-Cookie', await finishLogin(context, login))
  const { organizationId, kept } = login
  const named = listingFor(context, request, { method: 'oauth' })
  const { owner } = named.listing
  const tokens = await exchangeCode(context, press, {
    code,
    codeVerifier: codeVerifier ?? kept.code_verifier,
    organization,
    owner,
  })
  return {
    credential: { method: 'oauth', organizationId, tokens },
    read: serviceRead(ORGANIZATION_READ, organizationId),
    ...named,
  }
}

/** 204, also without a session. @throws Problem `store_unavailable`: the cookies stay for another try */
export async function deleteSession(context: Context, request: Request): Promise<Response> {
  await signOut(context, request, await findSession(context, request))
  return new Response(null, { status: 204 })
}

/** Ends all sessions of the browser, and removes all our data from it, also from the back/forward cache. */
export async function signOut(
  context: Context,
  request: Request,
  session: LoadedSession | undefined,
): Promise<void> {
  const browser = await findBrowser(context, request)
  // With the OAuth sessions whose cookies it lost: after the sign-out no list would show them.
  const lost = await context.store.listSessions(browserOf(context, request).owner, context.now())
  const ids = new Set([...(await sessionsOf(context, browser)), ...lost].map(({ id }) => id))
  // The one in use last, so that a person whose sign-out fails can repeat it.
  for (const id of [...ids].toReversed()) await endSession(context, { id })
  if (session !== undefined)
    context.log({ level: 'info', event: 'sign_out', organization: limitOwner(session).organization })
  if (typeof browser !== 'string') await removeBrowser(context, browser)
  const { cookies } = context
  for (const name of readCookies(request).keys())
    if (isOwnCookie(cookies, name)) context.headers.append('Set-Cookie', expiredCookie(cookies, name))
  // "cookies" would remove those of other apps, on other ports and on other hosts of the domain.
  context.headers.set('Clear-Site-Data', '"cache", "storage"')
}
