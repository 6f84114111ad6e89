/** @jsxImportSource hono/jsx */
/** Redirects the browser to the application (4.1), and answers with the metadata of the server (RFC 8414). */
import { AUTHORIZATION_PATH } from '../../contract/authorize.ts'
import { TOKEN_PATH } from '../../contract/token.ts'
import { type Choices, numberIn } from '../choices/choices.ts'
import { type Answered, type Handler, type HandlerContext, write, writeJson } from '../http/handler.ts'
import { linkTo, writeMessage } from '../http/page.tsx'
import { usesPkce } from '../token/pkce.ts'
import { isRevocationOffered, REVOCATION_PATH } from '../token/token.ts'

/** RFC 8414 3.1: this path is directly below the host, and the path of {base_url} follows it. */
export const METADATA_PATH = '/.well-known/oauth-authorization-server'
const OTHER_ISSUER = 'https://issuer.example'

/** RFC 8414 2: {base_url} with the origin of this request. */
const issuerOf = (c: HandlerContext): string => new URL(c.req.url).origin + c.get('context').basePath

/** `GET {METADATA_PATH}{path of base_url}` (U34). */
export const metadata: Handler = async (c, next) => {
  const context = c.get('context')
  const { metadata: chosen } = context.choices
  const isHere = new URL(c.req.url).pathname === METADATA_PATH + context.basePath
  if (!isHere) return next()
  const issuer = chosen === 'wrong_issuer' ? OTHER_ISSUER : issuerOf(c)
  return writeJson(c, { issuer, ...serverMetadata(c) })
}

function serverMetadata(c: HandlerContext) {
  const [{ choices }, base] = [c.get('context'), issuerOf(c)]
  const methods = [
    ...(choices.clientauth === 'basic_only' ? [] : ['client_secret_post']),
    ...(choices.clientauth === 'body_only' ? [] : ['client_secret_basic']),
  ]
  return {
    authorization_endpoint: base + AUTHORIZATION_PATH,
    token_endpoint: base + TOKEN_PATH,
    response_types_supported: ['code'],
    response_modes_supported: [choices.redir === 'fragment' ? 'fragment' : 'query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: methods,
    ...(usesPkce(choices) && { code_challenge_methods_supported: ['S256'] }),
    ...(choices.redir.startsWith('iss_') && { authorization_response_iss_parameter_supported: true }),
    ...(isRevocationOffered(choices) && {
      revocation_endpoint: base + REVOCATION_PATH,
      revocation_endpoint_auth_methods_supported: methods,
    }),
  }
}

/** RFC 6749 4.1.2.1. A choice may have another error word. */
export type AuthorizationError = Record<'error' | 'description', string>

interface RedirectTarget {
  redirect_uri: string
  /** As it was sent; absent if none was sent or it is not valid. */
  state?: string | undefined
}
type RedirectParameters = Record<string, string | undefined>

/** RFC 6749 4.1.2. */
export function redirectWithCode(
  c: HandlerContext,
  { redirect_uri, state }: RedirectTarget,
  { code, organizationId }: { code: string; organizationId: number },
): Answered {
  const context = c.get('context')
  const { redir } = context.choices
  const parameters: RedirectParameters = {
    // U1.
    [redir.startsWith('code_named_') ? redir.slice('code_named_'.length) : 'code']: code,
    ...(redir !== 'no_state' && { state }),
    ...(redir === 'extra_parameters' && {
      iss: issuerOf(c),
      session_state: context.nextRandom(),
      organization_id: String(organizationId),
    }),
  }
  return redirectTo(c, uriWith(c, redirect_uri, parameters, redir === 'fragment' ? '#' : '?'))
}

/** RFC 6749 4.1.2.1. */
export const redirectWithError = (
  c: HandlerContext,
  { redirect_uri, state }: RedirectTarget,
  { error, description }: AuthorizationError,
): Answered => redirectTo(c, uriWith(c, redirect_uri, { error, error_description: description, state }, '?'))

const DENIED: AuthorizationError = { error: 'access_denied', description: 'The person denied access.' }

/** U2. */
const DENIALS: Record<Choices['deny'], (c: HandlerContext, target: RedirectTarget) => Answered> = {
  redirect_access_denied: (c, target) => redirectWithError(c, target, DENIED),
  redirect_no_state: (c, { redirect_uri }) => redirectWithError(c, { redirect_uri }, DENIED),
  redirect_other_error: (c, target) =>
    redirectWithError(c, target, { ...DENIED, error: 'user_cancelled_authorize' }),
  page: (c) =>
    writeMessage(c, { title: 'Access denied' }, 'The application gets no access. This window can be closed.'),
  service_home: (c) => redirectTo(c, linkTo(c, '')),
  redirect_bare: (c, { redirect_uri }) => redirectTo(c, redirect_uri),
}
export const redirectWithDenial = (c: HandlerContext, target: RedirectTarget): Answered =>
  DENIALS[c.get('context').choices.deny](c, target)

/** U15. RFC 9700 4.12: after a 307 the browser would send the form to the application. */
function redirectTo(c: HandlerContext, address: string): Answered {
  const { redirstatus } = c.get('context').choices
  // A header field has no other characters than these; what is encoded already stays as it is.
  const Location = address.replaceAll(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text))
  if (redirstatus !== 'page_200') return write(c, numberIn(redirstatus), null, { Location })
  c.header('Refresh', `0;url=${Location}`)
  return writeMessage(c, { title: 'Redirect' }, <a href={Location}>Continue to the application</a>)
}

/** Adds the parameters and the issuer, and keeps the query of the URI (RFC 6749 3.1.2). */
function uriWith(
  c: HandlerContext,
  redirectUri: string,
  parameters: RedirectParameters,
  separator: '?' | '#',
): string {
  const { redir } = c.get('context').choices
  // RFC 9207 2: on errors too.
  const iss = redir === 'iss_right' ? issuerOf(c) : redir === 'iss_wrong' ? OTHER_ISSUER : undefined
  const added = new URLSearchParams(
    Object.entries({ ...parameters, ...(iss !== undefined && { iss }) }).filter(
      (one): one is [string, string] => one[1] !== undefined,
    ),
  )
  const joint = separator === '?' && redirectUri.includes('?') ? '&' : separator
  return `${redirectUri}${joint}${added.toString()}`
}
