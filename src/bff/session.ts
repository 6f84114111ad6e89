/** Tells who is signed in, opens a session by either of the two methods of section 5, and ends it. */
import { AUTHORIZATION_PATH } from '../contract/authorize.ts'
import { organizationPath } from '../contract/organization.ts'
import { Problem } from '../contract/problem.ts'
import { parseSessionRequest, type Session, type SignedIn } from '../contract/session.ts'
import { finishLogin } from './authorize.ts'
import { readJson } from './body.ts'
import { type Called, callService } from './call.ts'
import { noCookie, readCookies, SESSION_COOKIE } from './cookie.ts'
import type { House } from './house.ts'
import {
  type Credential,
  changeSession,
  createSession,
  endSession,
  findSession,
  type OpenSession,
  organizationOf,
  publicIdOf,
} from './session-record.ts'
import { exchangeCode, redirectUri } from './token.ts'

/** Being seen is written down this often at most. */
const SEEN_EVERY_MS = 3_600_000

/** `GET /bff/session`: 200 for everybody. */
export async function tellSession(house: House, request: Request, reply: Headers): Promise<Response> {
  let session = await findSession(house, request)
  if (session === undefined) {
    if (readCookies(request).has(SESSION_COOKIE)) reply.append('Set-Cookie', noCookie(SESSION_COOKIE))
    return Response.json(signedOut(house))
  }
  if (house.now() - session.record.seenAtMs > SEEN_EVERY_MS) {
    session = await changeSession(house, session, (record) => ({ ...record, seenAtMs: house.now() }))
  }
  return Response.json(signedIn(house, session))
}

function signedOut({ config }: House): Session {
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

function signedIn(house: House, session: OpenSession): SignedIn {
  const { credential } = session.record
  return {
    signed_in: true,
    id: publicIdOf(session),
    method: credential.method,
    ...(credential.method === 'oauth' ? { organization_id: credential.organizationId } : {}),
    ends_in: Math.max(0, Math.floor((session.endsAtMs - house.now()) / 1000)),
  }
}

/**
 * `POST /bff/session`: swaps the code, or takes the key, and reads the organization once. That one request proves the
 * credential, fills the first screen and brings the first rate-limit headers. 201.
 * @throws Problem `organization_refused` or `key_rejected` when the service says no, and then no session is opened; when it
 *   says nothing (429, 5xx, no answer) one is, and the next read is the proof
 */
export async function openSession(house: House, request: Request, reply: Headers): Promise<Response> {
  const asked = parseSessionRequest(await readJson(request))
  const before = await findSession(house, request)
  const { credential, path } =
    'api_key' in asked
      ? { credential: { method: 'api_key', apiKey: asked.api_key } as const, path: '/organizations' }
      : await byCode(house, request, reply, asked)
  const { result } = await callService(house, credential, path, { initiator: 'sign_in' })
  const no = refusalOf(credential, result)
  if (no !== undefined) {
    house.log({ level: 'warn', event: 'sign_in', code: no.code })
    throw no
  }
  const { session, setCookie } = await createSession(house, {
    credential,
    proven: !(result instanceof Problem),
    copies: result instanceof Problem ? {} : { [path]: { text: result.text, atMs: house.now() } },
  })
  // A new sign-in has a new name, and the one before it is dead.
  if (before !== undefined) await endSession(house, before)
  reply.append('Set-Cookie', setCookie)
  house.log({ level: 'info', event: 'sign_in', organization: organizationOf(credential) })
  return Response.json(signedIn(house, session), { status: 201 })
}

async function byCode(
  house: House,
  request: Request,
  reply: Headers,
  { code, state, code_verifier }: { code: string; state: string; code_verifier?: string },
): Promise<{ credential: Credential; path: string }> {
  const { organizationId, forget } = await finishLogin(house, request, state)
  reply.append('Set-Cookie', forget)
  const tokens = await exchangeCode(house, {
    code,
    codeVerifier: code_verifier,
    organization: organizationId,
  })
  return { credential: { method: 'oauth', organizationId, tokens }, path: organizationPath(organizationId) }
}

/** The service's definite no to a credential that has not been proven. */
export function refusalOf(credential: Credential, result: Called['result']): Problem | undefined {
  if (!(result instanceof Problem)) return undefined
  const definite = result.code === 'credential_refused' || result.code === 'organization_refused'
  if (!definite) return undefined
  return new Problem(credential.method === 'api_key' ? 'key_rejected' : 'organization_refused')
}

/** `DELETE /bff/session`: ends it here and in the browser. 204, also when there was none. */
export async function closeSession(house: House, request: Request, reply: Headers): Promise<Response> {
  for (const name of readCookies(request).keys())
    if (name.startsWith(SESSION_COOKIE)) reply.append('Set-Cookie', noCookie(name))
  reply.set('Clear-Site-Data', '"cookies", "storage"')
  const session = await findSession(house, request)
  if (session !== undefined) {
    await endSession(house, session)
    house.log({ level: 'info', event: 'sign_out', organization: organizationOf(session.record.credential) })
  }
  return new Response(null, { status: 204 })
}
