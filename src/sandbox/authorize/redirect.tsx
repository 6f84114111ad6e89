/** @jsxImportSource hono/jsx */
/** Redirects the browser to the application (4.1). */
import type { AuthorizationError } from './authorization-error.ts'
import { linkTo, writePage } from '../http/page.tsx'
import { issuerOf, redirectIssuer } from './metadata.ts'
import type { Choices } from '../choices/choices.ts'
import type { Answered, HandlerContext } from '../http/handler-context.ts'

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
  extras?: (c: HandlerContext, organizationId: number) => RedirectParameters
}
const BY_QUERY: CodeRedirect = { name: 'code', hasState: true, separator: '?' }

/** U1. */
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
}

/** RFC 6749 4.1.2. */
export function redirectWithCode(
  c: HandlerContext,
  { redirectUri, state }: RedirectTarget,
  { code, organizationId }: { code: string; organizationId: number },
): Answered {
  const { name, hasState, separator, extras } = CODE_REDIRECTS[c.get('context').choices.redir]
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
    writePage(
      c,
      { title: 'Access denied' },
      <section class="card">
        <h1>Access denied</h1>
        <p>The application gets no access. This window can be closed.</p>
      </section>,
    ),
  service_home: (c) => redirectTo(c, linkTo(c, '')),
  redirect_bare: (c, { redirectUri }) => redirectTo(c, redirectUri),
}
export const redirectWithDenial = (c: HandlerContext, target: RedirectTarget): Answered =>
  DENIALS[c.get('context').choices.deny](c, target)

/** U15. RFC 9700 4.12: after a 307 the browser would send the form to the application. */
const REDIRECTS: Record<Choices['redirstatus'], (c: HandlerContext, address: string) => Answered> = {
  status_302: (c, address) => c.redirect(address, 302),
  status_303: (c, address) => c.redirect(address, 303),
  page_200: (c, address) => {
    c.header('Refresh', `0;url=${address}`)
    return writePage(
      c,
      { title: 'Redirect' },
      <p>
        <a href={address}>Continue to the application</a>
      </p>,
    )
  },
  status_307: (c, address) => c.redirect(address, 307),
}
const redirectTo = (c: HandlerContext, address: string): Answered =>
  REDIRECTS[c.get('context').choices.redirstatus](c, address)

/** Adds the parameters and the issuer (RFC 9207 2), and keeps the query of the URI (RFC 6749 3.1.2). */
function uriWith(
  c: HandlerContext,
  redirectUri: string,
  parameters: RedirectParameters,
  separator: '?' | '#',
): string {
  const iss = redirectIssuer(c)
  const added = new URLSearchParams(
    Object.entries({ ...parameters, ...(iss !== undefined && { iss }) }).filter(
      (one): one is [string, string] => one[1] !== undefined,
    ),
  )
  const joint = separator === '?' && redirectUri.includes('?') ? '&' : separator
  return `${redirectUri}${joint}${added.toString()}`
}
