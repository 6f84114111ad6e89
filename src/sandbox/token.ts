/** The token endpoint: swaps a code, or a refresh token, for tokens (4.2, 5.3, 5.4). */
import { EXCHANGE_PARAMETERS, REFRESH_PARAMETERS, type TokenResponse } from '../contract/token.ts'
import { isSameSecret } from './credential.ts'
import { isRepeated, readBody, valueOf } from './form.ts'
import { isOver, issueTokens, revokeTokens } from './grant.ts'
import { Refusal } from './problem.tsx'
import { type Application, type Frozen, lookUp } from './state.ts'
import type { Visit, World } from './world.ts'

const PARAMETERS = [...new Set([...EXCHANGE_PARAMETERS, ...REFRESH_PARAMETERS])]

/** `POST /oauth2/token`. Every step throws or passes on. */
export async function token(c: Visit): Promise<Response> {
  const world = c.get('world')
  noParameterInUri(c)
  const sent = await readBody(c, world.choices.token_encoding)
  noParameterTwice(sent)
  const application = authenticateApplication(world, c.req.header('Authorization'), sent)
  const grant = grantOf(sent)
  // From here to the answer nothing waits, so that of two who bring the same code one is first.
  return c.json(grant(world, application, sent))
}

/** RFC 6749 2.3.1: credentials are not in the address, where logs keep it. */
function noParameterInUri(c: Visit): void {
  const query = new URL(c.req.url).searchParams
  if (PARAMETERS.some((name) => query.has(name)))
    throw new Refusal('invalid_request', { says: 'The parameters belong in the body, not in the address.' })
}

/** RFC 6749 3.2. */
function noParameterTwice(sent: URLSearchParams): void {
  const twice = PARAMETERS.find((name) => isRepeated(sent, name))
  if (twice) throw new Refusal('invalid_request', { says: `${twice} stands twice.` })
}

/** RFC 6749 2.3.1: by the body or by HTTP Basic, never by both. */
function authenticateApplication(
  { state }: World,
  authorization: string | undefined,
  sent: URLSearchParams,
): Frozen<Application> {
  const basic = authorization === undefined ? undefined : readBasic(authorization)
  const inBody = { id: valueOf(sent, 'client_id'), secret: valueOf(sent, 'client_secret') }
  if (basic && (inBody.secret !== undefined || (inBody.id ?? basic.id) !== basic.id))
    throw new Refusal('invalid_request', { says: 'The application is to be authenticated once.' })
  const { id, secret } = basic ?? inBody
  const application = state.applications.find(({ client_id }) => client_id === id)
  if (application === undefined || !isSameSecret(application.client_secret, secret ?? ''))
    throw invalidClient()
  return application
}

/** The id and secret of HTTP Basic, each encoded like a form's value (RFC 6749 2.3.1). */
function readBasic(authorization: string): { id: string; secret: string } {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1]
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? []
  if (id === undefined || secret === undefined) throw invalidClient()
  try {
    const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))
    return { id: decode(id), secret: decode(secret) }
  } catch {
    throw invalidClient()
  }
}

// RFC 6749 5.2, RFC 9110 15.5.2: a 401 says by which scheme one could do better.
const invalidClient = () =>
  new Refusal('invalid_client', { headers: { 'WWW-Authenticate': 'Basic realm="token", charset="UTF-8"' } })

type GrantHandler = (world: World, application: Frozen<Application>, sent: URLSearchParams) => TokenResponse

function grantOf(sent: URLSearchParams): GrantHandler {
  const grantType = valueOf(sent, 'grant_type')
  if (grantType === undefined) throw new Refusal('invalid_request', { says: 'grant_type is missing.' })
  if (grantType === 'authorization_code') return exchangeCode
  if (grantType === 'refresh_token') return refresh
  throw new Refusal('unsupported_grant_type')
}

/** RFC 6749 4.1.3. */
function exchangeCode(world: World, application: Frozen<Application>, sent: URLSearchParams): TokenResponse {
  const code = required(sent, 'code')
  const issued = lookUp(world.state.codes, code)
  const grant = issued && lookUp(world.state.grants, issued.grant_id)
  if (issued === undefined || grant?.client_id !== application.client_id) throw new Refusal('invalid_grant')
  // RFC 6749 4.1.2, 10.5: a code that comes again is in strange hands, and so may be its tokens.
  if (issued.used) {
    revokeTokens(world, issued.grant_id)
    throw new Refusal('invalid_grant')
  }
  if (isOver(world, issued, world.choices.code_lifetime_seconds)) throw new Refusal('invalid_grant')
  if (valueOf(sent, 'redirect_uri') !== issued.redirect_uri) throw new Refusal('invalid_grant')
  world.change(({ codes }) => {
    codes[code] = { ...issued, used: true }
  })
  return issueTokens(world, issued.grant_id, world.draw())
}

/** RFC 6749 6. Parameters beyond those of 5.4.3 are not looked at. */
function refresh(world: World, application: Frozen<Application>, sent: URLSearchParams): TokenResponse {
  const refreshToken = required(sent, 'refresh_token')
  const issued = lookUp(world.state.refresh_tokens, refreshToken)
  const grant = issued && lookUp(world.state.grants, issued.grant_id)
  if (issued === undefined || grant?.client_id !== application.client_id) throw new Refusal('invalid_grant')
  if (isOver(world, issued, world.choices.refresh_token_lifetime_seconds)) throw new Refusal('invalid_grant')
  if (!world.choices.refresh_token_rotates) return issueTokens(world, issued.grant_id, refreshToken)
  world.change(({ refresh_tokens }) => {
    delete refresh_tokens[refreshToken]
  })
  return issueTokens(world, issued.grant_id, world.draw())
}

function required(sent: URLSearchParams, name: string): string {
  const value = valueOf(sent, name)
  if (value === undefined) throw new Refusal('invalid_request', { says: `${name} is missing.` })
  return value
}
