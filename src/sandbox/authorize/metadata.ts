/** The issuer, and the server metadata if chosen (RFC 8414, RFC 9207). */
import { AUTHORIZATION_PATH } from '../../contract/authorize.ts'
import { TOKEN_PATH } from '../../contract/token.ts'
import type { Choices } from '../choices/choices.ts'
import { isRevocationOffered, REVOCATION_PATH } from '../token/revocation.ts'
import { type Handler, type HandlerContext, writeJson } from '../http/handler.ts'

/** RFC 8414 3.1: this path is directly below the host, and the path of {base_url} follows it. */
export const METADATA_PATH = '/.well-known/oauth-authorization-server'
export const OTHER_ISSUER = 'https://issuer.example'

/** RFC 8414 2: {base_url} with the origin of this request. */
export const issuerOf = (c: HandlerContext): string => new URL(c.req.url).origin + c.get('context').basePath

const DOCUMENT_ISSUERS: Record<Choices['metadata'], ((c: HandlerContext) => string) | undefined> = {
  none: undefined,
  rfc_8414: issuerOf,
  wrong_issuer: () => OTHER_ISSUER,
}

const AUTHENTICATION_METHODS: Record<Choices['clientauth'], readonly string[]> = {
  body_and_basic: ['client_secret_post', 'client_secret_basic'],
  body_only: ['client_secret_post'],
  basic_only: ['client_secret_basic'],
  both_at_once_refused: ['client_secret_post', 'client_secret_basic'],
}
const SUPPORTS_PKCE: Record<Choices['pkce'], boolean> = {
  ignored: false,
  enforced: true,
  rejected: false,
  required: true,
}

/** `GET {METADATA_PATH}{path of base_url}` (U34). Passes the request on if no metadata are chosen. */
export const metadata: Handler = async (c, next) => {
  const context = c.get('context')
  const issuer = DOCUMENT_ISSUERS[context.choices.metadata]?.(c)
  const isHere = new URL(c.req.url).pathname === METADATA_PATH + context.basePath
  if (issuer === undefined || !isHere) return next()
  return writeJson(c, { issuer, ...serverMetadata(c) })
}

/** The members that follow from the choices (RFC 8414 2). */
function serverMetadata(c: HandlerContext) {
  const [{ choices }, base] = [c.get('context'), issuerOf(c)]
  const methods = AUTHENTICATION_METHODS[choices.clientauth]
  return {
    authorization_endpoint: base + AUTHORIZATION_PATH,
    token_endpoint: base + TOKEN_PATH,
    response_types_supported: ['code'],
    response_modes_supported: [choices.redir === 'fragment' ? 'fragment' : 'query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: methods,
    ...(SUPPORTS_PKCE[choices.pkce] && { code_challenge_methods_supported: ['S256'] }),
    ...(choices.redir.startsWith('iss_') && { authorization_response_iss_parameter_supported: true }),
    ...(isRevocationOffered(choices) && {
      revocation_endpoint: base + REVOCATION_PATH,
      revocation_endpoint_auth_methods_supported: methods,
    }),
  }
}
