/** @jsxImportSource hono/jsx */
/** The closed table of what the sandbox refuses, and the one way out for it: JSON, or a page where a person is reading. */
import { linkTo, writePage } from './page.tsx'
import { DEFAULT_CHOICES } from '../choices/choices.ts'
import { type Body, refusalBody } from './refusal-body.ts'
import type { HonoContext } from '../state/context.ts'

/** The keys are the error words, of RFC 6749 5.2 and RFC 6750 3.1 where these have one; the document shows none (7). */
export const REFUSALS = {
  invalid_request: {
    status: 400,
    description: 'The request is missing something, has something twice, or is malformed.',
  },
  invalid_client: {
    status: 401,
    description: 'No application is registered with this client_id and client_secret.',
  },
  invalid_grant: {
    status: 400,
    description: 'The code or refresh token is unknown, used, expired, or not for this request.',
  },
  unsupported_grant_type: {
    status: 400,
    description: 'grant_type has to be authorization_code or refresh_token.',
  },
  invalid_token: { status: 401, description: 'The access token or API key is unknown or has expired.' },
  missing_credential: { status: 401, description: 'Send Authorization: Bearer, or X-Service-Api-Key.' },
  not_found: { status: 404, description: 'There is nothing at this address for you.' },
  method_not_allowed: { status: 405, description: 'This address does not take that method.' },
  too_large: { status: 413, description: 'The body is larger than 16 kB.' },
  unsupported_media_type: { status: 415, description: 'The body has to be of another media type.' },
  gone: { status: 410, description: 'This version is no more.' },
  insufficient_scope: { status: 403, description: 'This credential is not good for that.' },
  minute_over: { status: 429, description: 'The requests of this minute are used up.' },
  month_over: { status: 429, description: 'The requests of this month are used up.' },
  too_many_requests: { status: 429, description: 'There were too many of these requests.' },
  unknown_application: { status: 400, description: 'No application is registered with this client_id.' },
  redirect_uri_mismatch: {
    status: 400,
    description: 'This is not the redirect URI that is registered for the application.',
  },
  stale_form: {
    status: 400,
    description: 'This question was answered already, is too old, or was asked of somebody else.',
  },
  maximum_reached: { status: 409, description: 'The plan of the organization allows no more of these.' },
  forged_request: { status: 403, description: 'This form was sent from another site.' },
  server_error: { status: 500, description: 'The sandbox has a fault of its own.' },
} as const satisfies Record<string, { status: number; description: string }>

export type RefusalWord = keyof typeof REFUSALS

interface RefusalOptions {
  /** Where a choice says another status, or another word, than the table. */
  status?: number
  word?: string
  /** A sentence for this case, of the characters that RFC 6749 5.2 allows; never anything that was sent. */
  description?: string
  headers?: Record<string, string>
  /** The whole body, where it has another shape than a refusal's. */
  body?: Body
}

/** A rule that the request breaks. Thrown where the rule stands; anything else thrown is a fault of ours. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalWord
  readonly status: number
  readonly description: string
  /** The word on the wire; a request without any credential is told none (RFC 6750 3). */
  readonly word: string | undefined
  readonly headers: Record<string, string>
  readonly body: Body | undefined

  constructor(code: RefusalWord, { status, word, description, headers = {}, body }: RefusalOptions = {}) {
    super(code)
    this.code = code
    this.status = status ?? REFUSALS[code].status
    this.description = description ?? REFUSALS[code].description
    this.word = code === 'missing_credential' ? undefined : (word ?? code)
    this.headers = headers
    this.body = body
  }
}

/** One line for the log, about a fault of ours. */
export interface SandboxLogEntry {
  event: 'sandbox_fault'
  method: string
  path: string
  cause: string
}

/** Writes the answer to whatever was thrown; a fault of ours is told to the log only. */
export function answerRefusal(
  error: Error,
  c: HonoContext,
  log: ((entry: SandboxLogEntry) => void) | undefined,
): Response | Promise<Response> {
  const refusal = error instanceof Refusal ? error : new Refusal('server_error')
  if (refusal !== error) {
    const cause = error.stack ?? error.message
    log?.({ event: 'sandbox_fault', method: c.req.method, path: c.req.path.slice(0, 200), cause })
  }
  for (const [name, value] of Object.entries(refusal.headers)) c.header(name, value)
  if (c.get('page')) {
    return writePage(
      c,
      { title: 'This did not work', status: refusal.status },
      <section class="card">
        <h1>This did not work</h1>
        <p>{refusal.description}</p>
        <p class="quiet">
          <code>{refusal.code}</code>
        </p>
        <p>
          <a href={linkTo(c, '')}>To the start page</a>
        </p>
      </section>,
    )
  }
  const { type, text } = refusal.body ?? bodyOf(c, refusal)
  if (type !== '') c.header('Content-Type', type)
  c.status(refusal.status as 400)
  return text === '' ? c.body(null) : c.body(text)
}

/** The API has the shape that is chosen for it; everything else that of RFC 6749 5.2. */
const bodyOf = (c: HonoContext, { status, word, description }: Refusal): Body =>
  refusalBody(c.get('api') ? c.get('context').choices : DEFAULT_CHOICES, { status, word, description })
