/** @jsxImportSource hono/jsx */
/** Redirects the browser to the application (4.1). */
import { AUTHORIZATION_PATH } from '../../contract/authorize.ts'
import { TOKEN_PATH } from '../../contract/token.ts'
import type { Choices } from '../choices/choices.ts'
import { type Answered, type Handler, type HandlerContext, write, writeJson } from '../http/handler.ts'
import { linkTo, writeMessage } from '../http/page.tsx'
import { isRevocationOffered, REVOCATION_PATH } from '../token/revocation.ts'

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

/** RFC 6749 4.1.2.1. A choice may have another error word. */
export interface AuthorizationError {
  error: string
  description: string
}

export interface RedirectTarget {
  redirectUri: string
  /** As it was sent; absent if none was sent or it is not valid. */
  state?: string | undefined
}
type RedirectParameters = Record<string, string | undefined>

interface CodeRedirect {
  name: string
  hasState: boolean
  separator: '?' | '#'
  /** On errors too (RFC 9207 2). */
  iss?: (c: HandlerContext) => string
  extras?: (c: HandlerContext, organizationId: number) => RedirectParameters
}
const BY_QUERY: CodeRedirect = { name: 'code', hasState: true, separator: '?' }

/** U1, U14. */
const CODE_REDIRECTS: Record<Choices['redir'], CodeRedirect> = {
  query: BY_QUERY,
  code_named_authorization_code: { ...BY_QUERY, name: 'authorization_code' },
  code_named_auth_code: { ...BY_QUERY, name: 'auth_code' },
  no_state: { ...BY_QUERY, hasState: false },
  fragment: { ...BY_QUERY, separator: '#' },
  extra_parameters: {
    ...BY_QUERY,
    extras: (c, organizationId) => ({
      iss: issuerOf(c),
      session_state: c.get('context').nextRandom(),
      organization_id: String(organizationId),
    }),
  },
  iss_right: { ...BY_QUERY, iss: issuerOf },
  iss_wrong: { ...BY_QUERY, iss: () => OTHER_ISSUER },
}
const redirectOf = (c: HandlerContext): CodeRedirect => CODE_REDIRECTS[c.get('context').choices.redir]

/** RFC 6749 4.1.2. */
export function redirectWithCode(
  c: HandlerContext,
  { redirectUri, state }: RedirectTarget,
  { code, organizationId }: { code: string; organizationId: number },
): Answered {
  const { name, hasState, separator, extras } = redirectOf(c)
  const parameters = { [name]: code, state: hasState ? state : undefined, ...extras?.(c, organizationId) }
  return redirectTo(c, uriWith(c, redirectUri, parameters, separator))
}

/** RFC 6749 4.1.2.1. */
export const redirectWithError = (
  c: HandlerContext,
  { redirectUri, state }: RedirectTarget,
  { error, description }: AuthorizationError,
): Answered => redirectTo(c, uriWith(c, redirectUri, { error, error_description: description, state }, '?'))

const DENIED: AuthorizationError = { error: 'access_denied', description: 'The person denied access.' }

/** U2. */
const DENIALS: Record<Choices['deny'], (c: HandlerContext, target: RedirectTarget) => Answered> = {
  redirect_access_denied: (c, target) => redirectWithError(c, target, DENIED),
  redirect_no_state: (c, { redirectUri }) => redirectWithError(c, { redirectUri }, DENIED),
  redirect_other_error: (c, target) =>
    redirectWithError(c, target, { ...DENIED, error: 'user_cancelled_authorize' }),
  page: (c) =>
    writeMessage(c, { title: 'Access denied' }, 'The application gets no access. This window can be closed.'),
  service_home: (c) => redirectTo(c, linkTo(c, '')),
  redirect_bare: (c, { redirectUri }) => redirectTo(c, redirectUri),
}
export const redirectWithDenial = (c: HandlerContext, target: RedirectTarget): Answered =>
  DENIALS[c.get('context').choices.deny](c, target)

type Redirect = (c: HandlerContext, address: string) => Answered

const withStatus =
  (status: number): Redirect =>
  (c, address) =>
    write(c, status, null, { Location: address })

/** U15. RFC 9700 4.12: after a 307 the browser would send the form to the application. */
const REDIRECTS: Record<Choices['redirstatus'], Redirect> = {
  status_302: withStatus(302),
  status_303: withStatus(303),
  page_200: (c, address) => {
    c.header('Refresh', `0;url=${address}`)
    return writeMessage(c, { title: 'Redirect' }, <a href={address}>Continue to the application</a>)
  },
  status_307: withStatus(307),
}

/** A header field has no other characters than these; what is encoded already stays as it is. */
const redirectTo: Redirect = (c, address) =>
  REDIRECTS[c.get('context').choices.redirstatus](
    c,
    address.replaceAll(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text)),
  )

/** Adds the parameters and the issuer, and keeps the query of the URI (RFC 6749 3.1.2). */
function uriWith(
  c: HandlerContext,
  redirectUri: string,
  parameters: RedirectParameters,
  separator: '?' | '#',
): string {
  const iss = redirectOf(c).iss?.(c)
  const added = new URLSearchParams(
    Object.entries({ ...parameters, ...(iss !== undefined && { iss }) }).filter(
      (one): one is [string, string] => one[1] !== undefined,
    ),
  )
  const joint = separator === '?' && redirectUri.includes('?') ? '&' : separator
  return `${redirectUri}${joint}${added.toString()}`
}
