/** @jsxImportSource hono/jsx */
/** Redirects the browser to the application (4.1). */
import type { Choices } from '../choices/choices.ts'
import { type Answered, type HandlerContext, write } from '../http/handler.ts'
import { linkTo, writeMessage } from '../http/page.tsx'
import type { AuthorizationError } from './authorization-error.ts'
import { issuerOf, OTHER_ISSUER } from './metadata.ts'

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
