/** `/bff/session`: returns who is signed in, creates a session by either of the two methods of section 5, and deletes it. */
import { AUTHORIZATION_PATH } from '../contract/authorize.ts'
import { Problem } from '../contract/problem.ts'
import { parseSessionRequest, type Session, type SignedIn } from '../contract/session.ts'
import { finishLogin } from './authorize.ts'
import { briefly } from './after-answer.ts'
import { readJson } from './body.ts'
import type { Context } from './context.ts'
import { expiredCookie, readCookies, SESSION_COOKIE } from './cookie.ts'
import { ORGANIZATION_READ, ORGANIZATIONS_READ, type ServiceRead, serviceRead } from './forwarded-reads.ts'
import { type ReadResult, readService } from './service-read.ts'
import {
  type Credential,
  changeSession,
  endSession,
  findSession,
  type LoadedSession,
  limitOwner,
  nameSession,
  publicIdOf,
  storeSession,
  unprovenName,
} from './session-record.ts'
import { exchangeCode, redirectUri } from './token.ts'

/** The time of the last use is stored at most this often. */
const SEEN_EVERY_MS = 3_600_000

/** `GET /bff/session`: 200, signed in or not. */
export async function getSession(context: Context, request: Request, headers: Headers): Promise<Response> {
  let session = await findSession(context, request)
  if (session === undefined) {
    if (readCookies(request).has(SESSION_COOKIE)) headers.append('Set-Cookie', expiredCookie(SESSION_COOKIE))
    return Response.json(signedOut(context))
  }
  if (context.now() - session.record.seenAtMs > SEEN_EVERY_MS) {
    session = await changeSession(context, session, (record) => ({ ...record, seenAtMs: context.now() }))
  }
  return Response.json(signedIn(context, session))
}

function signedOut({ config }: Context): Session {
  return {
    signed_in: false,
    authorize: {
      authorization_endpoint: config.serviceUrl + AUTHORIZATION_PATH,
      client_id: config.clientId,
      redirect_uri: redirectUri(config),
      ...(config.pkce === 'S256' ? { code_challenge_method: 'S256' } : {}),
    },
  }
}

function signedIn(context: Context, session: LoadedSession): SignedIn {
  const { credential } = session.record
  return {
    signed_in: true,
    id: publicIdOf(session),
    method: credential.method,
    ...(credential.method === 'oauth' ? { organization_id: credential.organizationId } : {}),
    ends_in: Math.floor((session.endsAtMs - context.now()) / 1000),
  }
}

/**
 * `POST /bff/session`: exchanges the code, or takes the key, and reads the organization once. That one request proves the
 * credential, fills the first screen and brings the first rate-limit headers. 201.
 * @throws Problem `organization_refused` or `key_rejected` when the service refuses the read; for a key also that of any other
 *   read without success: no session is created. After a code that was taken a session is, and a later read is the proof
 */
export async function createSession(context: Context, request: Request, headers: Headers): Promise<Response> {
  const body = parseSessionRequest(await readJson(request))
  const previous = await findSession(context, request)
  const names = nameSession()
  const { credential, read } =
    'api_key' in body
      ? {
          credential: { method: 'api_key', apiKey: body.api_key } as const,
          read: serviceRead(ORGANIZATIONS_READ),
        }
      : await exchange(context, request, headers, { ...body, organization: unprovenName(names) })
  const holder = { id: names.id, record: { credential, proven: false } }
  const { result, written } = await readService(context, holder, read, { initiator: 'sign_in' })
  await briefly(context, written)
  const proven = !(result instanceof Problem)
  const refusal = credentialRefusal(credential, result)
  if (refusal !== undefined) {
    context.log({ level: 'warn', event: 'sign_in', code: refusal.code })
    throw refusal
  }
  if (!proven && credential.method === 'api_key') throw result
  const copies = proven ? { [read.path]: { text: result.text, atMs: context.now() } } : {}
  const { session, setCookie } = await storeSession(context, { credential, proven, copies }, names)
  // A sign-in never continues an older session: another name, another key.
  if (previous !== undefined) await endSession(context, previous)
  headers.append('Set-Cookie', setCookie)
  context.log({ level: 'info', event: 'sign_in', organization: limitOwner(session).organization })
  return Response.json(signedIn(context, session), { status: 201 })
}

/** @param grant its requests are recorded under the name `organization` */
async function exchange(
  context: Context,
  request: Request,
  headers: Headers,
  grant: { code: string; state: string; code_verifier?: string; organization: string },
): Promise<{ credential: Credential; read: ServiceRead }> {
  const { code, state, code_verifier: codeVerifier, organization } = grant
  const { organizationId, removeCookie } = await finishLogin(context, request, state)
  headers.append('Set-Cookie', removeCookie)
  const tokens = await exchangeCode(context, { code, codeVerifier, organization })
  return {
    credential: { method: 'oauth', organizationId, tokens },
    read: serviceRead(ORGANIZATION_READ, organizationId),
  }
}

/** The Problem of a sign-in whose credential the service refuses; `undefined` when it was not refused. */
export function credentialRefusal(credential: Credential, result: ReadResult['result']): Problem | undefined {
  if (!(result instanceof Problem)) return undefined
  if (result.code !== 'credential_refused' && result.code !== 'organization_refused') return undefined
  return new Problem(credential.method === 'api_key' ? 'key_rejected' : 'organization_refused')
}

/** `DELETE /bff/session`: ends the session, and removes our cookies. 204, also when there was no session. */
export async function deleteSession(context: Context, request: Request, headers: Headers): Promise<Response> {
  // The names of the login cookies begin with that of the session cookie.
  for (const name of readCookies(request).keys())
    if (name.startsWith(SESSION_COOKIE)) headers.append('Set-Cookie', expiredCookie(name))
  headers.set('Clear-Site-Data', '"cookies", "storage"')
  const session = await findSession(context, request)
  if (session !== undefined) {
    await endSession(context, session)
    context.log({ level: 'info', event: 'sign_out', organization: limitOwner(session).organization })
  }
  return new Response(null, { status: 204 })
}
