/** Handlers, the closed table of refusals, and the header fields of every answer. */
import type { Context as HonoContext, MiddlewareHandler, Next } from 'hono'
import type { ContentfulStatusCode, StatusCode } from 'hono/utils/http-status'
import { RATE_HEADERS } from '../../contract/rate-limit.ts'
import { reportedDate, type Variables } from '../state/context.ts'

export interface SandboxEnv {
  Variables: Variables
}
export type HandlerContext = HonoContext<SandboxEnv>
export type Answered = Response | Promise<Response>
/** Answers, or passes the request on to the next handler and completes its answer. */
export type Handler = (c: HandlerContext, next: Next) => Response | Promise<Response | void>

/** Hono's type of a handler knows none that may be asynchronous. */
export const asHono = (...handlers: Handler[]) => handlers as MiddlewareHandler<SandboxEnv>[]

export const queryOf = (c: HandlerContext): URLSearchParams => new URL(c.req.url).searchParams

/** Hono's types know the registered statuses only; a choice may have others, such as 440. */
export const write = (
  c: HandlerContext,
  status: number,
  body: string | null,
  headers: Record<string, string> = {},
): Response =>
  body === null
    ? c.body(null, status as StatusCode, headers)
    : c.body(body, status as ContentfulStatusCode, headers)

export const writeJson = (c: HandlerContext, value: unknown, status = 200): Response =>
  write(c, status, JSON.stringify(value), { 'Content-Type': 'application/json' })

/** Put in front of a path outside `basePath`. The path of a URL never begins with it. */
export const OUTSIDE = '/..'

export function pathBelow(basePath: string, path: string): string {
  if (path === basePath) return '/'
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : OUTSIDE + path
}

/** Status and description. The keys are error codes, if possible of RFC 6749 5.2 and RFC 6750 3.1 (7). */
export const REFUSALS = {
  invalid_request: [400, 'A parameter is missing or repeated, or the request is malformed.'],
  invalid_client: [401, 'No application is registered with this client_id and client_secret.'],
  invalid_grant: [400, 'The code or refresh token is unknown, used, expired, or not for this request.'],
  unsupported_grant_type: [400, 'grant_type has to be authorization_code or refresh_token.'],
  invalid_token: [401, 'The access token or API key is unknown or has expired.'],
  missing_credential: [401, 'Send an access token in Authorization, or an API key in its header.'],
  not_found: [404, 'There is nothing at this address, or it is not accessible.'],
  method_not_allowed: [405, 'This address does not take that method.'],
  too_large: [413, 'The body is larger than 16 kB.'],
  unsupported_media_type: [415, 'The media type of the body is not supported.'],
  insufficient_scope: [403, 'The credential does not allow this request.'],
  minute_over: [429, 'The requests of this minute are used up.'],
  month_over: [429, 'The requests of this month are used up.'],
  too_many_requests: [429, 'There were too many of these requests.'],
  unknown_application: [400, 'No application is registered with this client_id.'],
  redirect_uri_mismatch: [400, 'The redirect URI is not registered for the application.'],
  stale_form: [400, 'This form was answered already, is too old, or was shown to another person.'],
  maximum_reached: [409, 'The maximum of the plan is reached.'],
  forged_request: [403, 'The request was sent from another site.'],
  control_token: [401, 'Send the token of the control plane as Authorization: Bearer.'],
  service_credential: [403, 'The control plane takes no credential of the service.'],
  server_error: [500, 'The sandbox has an internal error.'],
} as const satisfies Record<string, readonly [status: number, description: string]>

export type RefusalWord = keyof typeof REFUSALS

interface RefusalOptions {
  /** Status and error code, if a choice has others than the table. */
  status?: number
  word?: string
  /** A sentence for this case, in the characters that RFC 6749 5.2 allows. It never repeats input. */
  description?: string
  headers?: Record<string, string>
}

/** The step that checks a rule throws this. Any other error is an internal one. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalWord
  readonly status: number
  readonly description: string
  /** A request without a credential gets none (RFC 6750 3). */
  readonly word: string | undefined
  readonly headers: Record<string, string>

  constructor(code: RefusalWord, { status, word, description, headers = {} }: RefusalOptions = {}) {
    super(code)
    this.code = code
    const [byDefault, text] = REFUSALS[code]
    this.status = status ?? byDefault
    this.description = description ?? text
    this.word = code === 'missing_credential' ? undefined : (word ?? code)
    this.headers = headers
  }
}

export function writeCommonHeaders(c: HandlerContext): void {
  const { headers } = c.res
  const date = reportedDate(c.get('context'))
  if (date !== undefined) headers.set('Date', date)
  headers.set('X-Content-Type-Options', 'nosniff')
  // RFC 6749 5.1 and RFC 6585 4 forbid caching.
  headers.set('Cache-Control', 'no-store')
  headers.set('Pragma', 'no-cache')
}

const EXPOSED = [...Object.values(RATE_HEADERS), 'Retry-After'].join(', ')

/** U81. Goes around the handlers of the token endpoint and the API. */
export const allowOrigins: Handler = async (c, next) => {
  await next()
  const { cors } = c.get('context').choices
  if (cors === 'none' || (cors === 'missing_on_refusals' && [401, 429].includes(c.res.status))) return
  c.res.headers.set('Access-Control-Allow-Origin', '*')
  if (cors !== 'any_origin') c.res.headers.set('Access-Control-Expose-Headers', EXPOSED)
}

export const preflight: Handler = async (c, next) => {
  const { choices, apiKeyHeader } = c.get('context')
  const isPreflight =
    c.req.method === 'OPTIONS' && c.req.header('Access-Control-Request-Method') !== undefined
  if (choices.cors === 'none' || !isPreflight) return next()
  const key = choices.cors === 'key_header_refused' ? [] : [apiKeyHeader]
  return write(c, 204, null, {
    'Access-Control-Allow-Methods': 'GET, POST, PATCH, PUT, DELETE',
    'Access-Control-Allow-Headers': ['Authorization', 'Content-Type', ...key].join(', '),
  })
}

export const refuseUnknownPath: Handler = () => {
  throw new Refusal('not_found')
}

/** GET includes HEAD (RFC 9110 9.1, 9.3.2); a 405 names the methods (RFC 9110 15.5.6). */
export const allowMethods = (...methods: string[]): Handler => {
  const allowed = [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
  return async (c, next) => {
    if (!allowed.includes(c.req.method))
      throw new Refusal('method_not_allowed', { headers: { Allow: allowed.join(', ') } })
    await next()
  }
}

/** The handlers of a page. HEAD is answered as GET. */
export function page({ get, post }: { get?: Handler; post?: Handler }): Handler[] {
  const asPage: Handler = async (c, next) => {
    c.set('page', true)
    await next()
  }
  const methods = [...(get ? ['GET'] : []), ...(post ? ['POST'] : [])]
  const answer: Handler = (c, next) => (c.req.method === 'POST' ? post : get)?.(c, next) ?? next()
  return [asPage, allowMethods(...methods), answer]
}
