/** Says who the issuer is, and describes the server where that is chosen (RFC 8414, RFC 9207). */
import type { MiddlewareHandler } from 'hono'
import { AUTHORIZATION_PATH } from '../../contract/authorize.ts'
import { TOKEN_PATH } from '../../contract/token.ts'
import type { Profile } from '../choices/choices.ts'
import { isNotOffered, REVOCATION_PATH } from '../token/revocation.ts'
import type { Env, Visit } from '../state/context.ts'

/** RFC 8414 3.1: below the host, the path of {base_url} behind it. */
export const METADATA_PATH = '/.well-known/oauth-authorization-server'
/** An issuer that is not the sandbox. */
const STRANGE_ISSUER = 'https://issuer.example'

/** RFC 8414 2: {base_url}, as this request found it. */
export const issuerOf = (c: Visit): string => new URL(c.req.url).origin + c.get('world').basePath

/** The issuer on the redirect (U14); `undefined` for none. */
const REDIRECT_ISSUERS: Record<Profile['iss'], (c: Visit) => string | undefined> = {
  absent: () => undefined,
  right: issuerOf,
  wrong: () => STRANGE_ISSUER,
}
export const redirectIssuer = (c: Visit): string | undefined =>
  REDIRECT_ISSUERS[c.get('world').profile.iss](c)

const DOCUMENT_ISSUERS: Record<Profile['metadata'], ((c: Visit) => string) | undefined> = {
  none: undefined,
  rfc_8414: issuerOf,
  wrong_issuer: () => STRANGE_ISSUER,
}

const METHODS: Record<Profile['clientauth'], readonly string[]> = {
  body_and_basic: ['client_secret_post', 'client_secret_basic'],
  body_only: ['client_secret_post'],
  basic_only: ['client_secret_basic'],
  both_at_once_refused: ['client_secret_post', 'client_secret_basic'],
}
const SPEAKS_PKCE: Record<Profile['pkce'], boolean> = {
  ignored: false,
  enforced: true,
  rejected: false,
  required: true,
}

/** `GET /.well-known/oauth-authorization-server{path of base_url}`; where none is chosen, there is nothing (U34). */
export const metadata: MiddlewareHandler<Env> = async (c, next) => {
  const world = c.get('world')
  const issuer = DOCUMENT_ISSUERS[world.profile.metadata]?.(c)
  const isHere = new URL(c.req.url).pathname === METADATA_PATH + world.basePath
  if (issuer === undefined || !isHere) return next()
  return c.json({ issuer, ...described(c) })
}

/** RFC 8414 2: what the profile offers, and no more. */
function described(c: Visit) {
  const [{ profile }, base] = [c.get('world'), issuerOf(c)]
  const methods = METHODS[profile.clientauth]
  return {
    authorization_endpoint: base + AUTHORIZATION_PATH,
    token_endpoint: base + TOKEN_PATH,
    response_types_supported: ['code'],
    response_modes_supported: [profile.redir === 'fragment' ? 'fragment' : 'query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: methods,
    ...(SPEAKS_PKCE[profile.pkce] && { code_challenge_methods_supported: ['S256'] }),
    ...(profile.iss !== 'absent' && { authorization_response_iss_parameter_supported: true }),
    ...(!isNotOffered(c) && {
      revocation_endpoint: base + REVOCATION_PATH,
      revocation_endpoint_auth_methods_supported: methods,
    }),
  }
}
