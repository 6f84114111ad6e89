/** The requests and answers between web and bff about who is signed in. */
import { isCode, isState } from './authorize.ts'
import { closedObject } from './closed-object.ts'
import { isApiKey } from './credential.ts'
import { count, listOf, members, oneOf, type Reader, text } from './json.ts'
import { type OrganizationId, parseOrganizationId } from './organization.ts'
import { Problem, readReply } from './problem.ts'

/** What the browser may know of the application, to start a sign-in. */
export interface Application {
  authorization_endpoint: string
  client_id: string
  redirect_uri: string
  /** Present when a challenge is to be sent too (RFC 7636). */
  code_challenge_method?: 'S256'
}

/** What every answer of `GET /bff/session` has. */
interface EveryAnswer {
  authorize: Application
  /** Present where the service is the embedded sandbox. */
  sandbox?: EmbeddedSandbox
  /** Sessions of this browser that are open and not in use; absent where there is none. */
  others?: OtherSession[]
}

/** In one browser; when another one is signed in to, the one least used ends. */
export const MOST_ORGANIZATIONS = 5

/** A session of the same browser, for another organization. Nothing in it opens it. */
export interface OtherSession {
  id: string
  method: 'oauth' | 'api_key'
  organization_id?: OrganizationId
}

/** The answer of `GET /bff/session` without a session. */
export interface SignedOut extends EveryAnswer {
  signed_in: false
  /** Why the session of the browser's cookie is over, where it did not end by itself or by its own sign-out. */
  ended?: SessionEnd
}

/** What a person may sign in to at the embedded sandbox. */
export interface EmbeddedSandbox {
  /** Address of its control plane. */
  control_url: string
  organizations: { id: OrganizationId; name: string }[]
}

/** `elsewhere`: ended in the list of sessions. `too_many`: the oldest when one too many was opened. */
export type SessionEnd = (typeof SESSION_ENDS)[number]
export const SESSION_ENDS = ['elsewhere', 'too_many'] as const

/** The answer of `GET /bff/session` with a session, of `POST /bff/session`, and of `POST /bff/sessions/{id}`. */
export interface SignedIn extends EveryAnswer {
  signed_in: true
  /** Another one for each session, so that a page sees that its session was replaced. It opens nothing. */
  id: string
  method: 'oauth' | 'api_key'
  /** Absent with an API key: it belongs to one organization (5.1), but no answer is sure to name it (4.4). */
  organization_id?: OrganizationId
  /** Seconds until the session ends by itself. */
  ends_in: number
}

export type Session = SignedIn | SignedOut

/** How long a person may take on the service's pages. */
export const LOGIN_LIFETIME_SECONDS = 600

/** Body of `POST /bff/login`: a sign-in begins. */
export interface LoginRequest {
  state: string
  organization_id: OrganizationId
}

/** Body of `POST /bff/session`: a sign-in ends, by either of the two methods of section 5. */
export type SessionRequest = { code: string; state: string; code_verifier?: string } | { api_key: string }

/** @throws Problem `invalid_request`, `invalid_organization_id` */
export function parseLoginRequest(body: unknown): LoginRequest {
  const { state, organization_id } = closedObject(body, ['state', 'organization_id'])
  if (!isState(state)) throw new Problem('invalid_request', { fault: 'state_malformed' })
  return { state, organization_id: parseOrganizationId(organization_id) }
}

/** @throws Problem `invalid_request`, `key_rejected` for an API key that no header could carry */
export function parseSessionRequest(body: unknown): SessionRequest {
  const { api_key, code, state, code_verifier } = closedObject(body, [
    'api_key',
    'code',
    'state',
    'code_verifier',
  ])
  if (api_key !== undefined) {
    if (code !== undefined || state !== undefined || code_verifier !== undefined) {
      throw new Problem('invalid_request', { fault: 'api_key_beside_code' })
    }
    if (typeof api_key !== 'string' || !isApiKey(api_key)) {
      throw new Problem('key_rejected', { fault: 'api_key_malformed' })
    }
    return { api_key }
  }
  if (!isState(state)) throw new Problem('state_mismatch')
  if (!isCode(code)) throw new Problem('invalid_request', { fault: 'code_malformed' })
  if (code_verifier === undefined) return { code, state }
  // RFC 7636 4.1
  if (typeof code_verifier !== 'string' || !/^[A-Za-z0-9\-._~]{43,128}$/.test(code_verifier)) {
    throw new Problem('invalid_request', { fault: 'code_verifier_malformed' })
  }
  return { code, state, code_verifier }
}

const organizationId: Reader<OrganizationId> = (value) => parseOrganizationId(text(value))

const address: Reader<string> = (value) => {
  if (!URL.canParse(text(value))) throw new TypeError('expected an address')
  return text(value)
}

/** An address that a link may lead to: of no `javascript:` and the like. */
const webAddress: Reader<string> = (value) => {
  if (!['http:', 'https:'].includes(new URL(address(value)).protocol))
    throw new TypeError('expected an address of the web')
  return text(value)
}

const authorize = members(
  { authorization_endpoint: address, client_id: text, redirect_uri: address },
  { code_challenge_method: oneOf(['S256']) },
)

const sandbox = members(
  { control_url: webAddress, organizations: listOf(members({ id: organizationId, name: text }, {})) },
  {},
)

const method = oneOf(['oauth', 'api_key'])

/** Of a session by OAuth the organization is known, of one by an API key it is not. */
const withOrganization =
  <S extends { method: 'oauth' | 'api_key'; organization_id?: OrganizationId }>(read: Reader<S>): Reader<S> =>
  (value) => {
    const session = read(value)
    if (session.method === 'oauth') organizationId(session.organization_id)
    return session
  }

const others = listOf(withOrganization(members({ id: text, method }, { organization_id: organizationId })))

const readSignedIn = withOrganization(
  members(
    { signed_in: oneOf([true]), id: text, method, ends_in: count, authorize },
    { organization_id: organizationId, sandbox, others },
  ),
)

const readSignedOut = members(
  { signed_in: oneOf([false]), authorize },
  { ended: oneOf(SESSION_ENDS), sandbox, others },
)

/** Reads an answer that names a session or none. @throws Problem `unexpected_reply` for anything that is no session */
export const parseSession = (body: unknown): Session =>
  readReply((value): Session => {
    const { signed_in } = members({ signed_in: oneOf([true, false]) }, {})(value)
    return signed_in ? readSignedIn(value) : readSignedOut(value)
  }, body)
