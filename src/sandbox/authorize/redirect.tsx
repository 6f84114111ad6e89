/** @jsxImportSource hono/jsx */
/** Sends the browser back to the application: what stands in the address, where in it, and by which answer (4.1). */
import type { AuthorizationError } from './authorization-error.ts'
import { linkTo, writePage } from '../http/page.tsx'
import { issuerOf, redirectIssuer } from './metadata.ts'
import type { Choices } from '../choices/choices.ts'
import type { HonoContext } from '../state/context.ts'

/** Where a request for authorization came from, and goes back to. */
export interface WayBack {
  redirectUri: string
  /** As it was sent; absent where none was, or none that can be sent back. */
  state?: string | undefined
}
type Parameters = Record<string, string | undefined>

interface CodeRedirect {
  name: string
  hasState: boolean
  behind: '?' | '#'
  extras?: (c: HonoContext, organizationId: number) => Parameters
}
const BY_QUERY: CodeRedirect = { name: 'code', hasState: true, behind: '?' }

/** What carries the code (U1). */
const CODE_REDIRECTS: Record<Choices['redir'], CodeRedirect> = {
  query: BY_QUERY,
  code_named_authorization_code: { ...BY_QUERY, name: 'authorization_code' },
  code_named_auth_code: { ...BY_QUERY, name: 'auth_code' },
  no_state: { ...BY_QUERY, hasState: false },
  fragment: { ...BY_QUERY, behind: '#' },
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
  c: HonoContext,
  { redirectUri, state }: WayBack,
  { code, organizationId }: { code: string; organizationId: number },
): Response | Promise<Response> {
  const { name, hasState, behind, extras } = CODE_REDIRECTS[c.get('context').choices.redir]
  const parameters = { [name]: code, state: hasState ? state : undefined, ...extras?.(c, organizationId) }
  return goTo(c, addressWith(c, redirectUri, parameters, behind))
}

/** RFC 6749 4.1.2.1. */
export const redirectWithError = (
  c: HonoContext,
  { redirectUri, state }: WayBack,
  { error, description }: AuthorizationError,
): Response | Promise<Response> =>
  goTo(c, addressWith(c, redirectUri, { error, error_description: description, state }, '?'))

const DENIED: AuthorizationError = { error: 'access_denied', description: 'The person did not permit it.' }

/** What follows when the person does not permit (U2). */
const DENIALS: Record<Choices['deny'], (c: HonoContext, way: WayBack) => Response | Promise<Response>> = {
  redirect_access_denied: (c, way) => redirectWithError(c, way, DENIED),
  redirect_no_state: (c, { redirectUri }) => redirectWithError(c, { redirectUri }, DENIED),
  redirect_other_error: (c, way) =>
    redirectWithError(c, way, { ...DENIED, error: 'user_cancelled_authorize' }),
  page: (c) =>
    writePage(
      c,
      { title: 'Not permitted' },
      <section class="card">
        <h1>You have not permitted it</h1>
        <p>The application gets no access. This window can be closed.</p>
      </section>,
    ),
  service_home: (c) => goTo(c, linkTo(c, '')),
  redirect_bare: (c, { redirectUri }) => goTo(c, redirectUri),
}
export const redirectWithDenial = (c: HonoContext, way: WayBack): Response | Promise<Response> =>
  DENIALS[c.get('context').choices.deny](c, way)

/** By which answer the browser leaves (U15). RFC 9700 4.12: 307 would send the form on as a form. */
const DEPARTURES: Record<
  Choices['redirstatus'],
  (c: HonoContext, address: string) => Response | Promise<Response>
> = {
  status_302: (c, address) => c.redirect(address, 302),
  status_303: (c, address) => c.redirect(address, 303),
  page_200: (c, address) => {
    c.header('Refresh', `0;url=${address}`)
    return writePage(
      c,
      { title: 'Going on' },
      <p>
        <a href={address}>Go on to the application</a>
      </p>,
    )
  },
  status_307: (c, address) => c.redirect(address, 307),
}
const goTo = (c: HonoContext, address: string): Response | Promise<Response> =>
  DEPARTURES[c.get('context').choices.redirstatus](c, address)

/** The redirect URI as it stands, its own query kept (RFC 6749 3.1.2), with the parameters added, and the issuer (RFC 9207 2). */
function addressWith(c: HonoContext, redirectUri: string, parameters: Parameters, behind: '?' | '#'): string {
  const iss = redirectIssuer(c)
  const added = new URLSearchParams(
    Object.entries({ ...parameters, ...(iss !== undefined && { iss }) }).filter(
      (one): one is [string, string] => one[1] !== undefined,
    ),
  )
  const joint = behind === '?' && redirectUri.includes('?') ? '&' : behind
  return `${redirectUri}${joint}${added.toString()}`
}
