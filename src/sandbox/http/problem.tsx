/** @jsxImportSource hono/jsx */
/** The closed table of refusals, and the function that answers them as JSON or as a page. */
import { writeMessage } from './page.tsx'
import { type Choices, DEFAULT_CHOICES } from '../choices/choices.ts'
import { type Answered, type HandlerContext, write } from './handler.ts'

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

export interface SandboxLogEntry {
  event: 'sandbox_error'
  method: string
  path: string
  cause: string
}

/** The cause of an internal error is only in the log. */
export function answerRefusal(
  error: Error,
  c: HandlerContext,
  log: ((entry: SandboxLogEntry) => void) | undefined,
): Answered {
  const refusal = error instanceof Refusal ? error : new Refusal('server_error')
  if (refusal !== error) {
    const cause = error.stack ?? error.message
    log?.({ event: 'sandbox_error', method: c.req.method, path: c.req.path.slice(0, 200), cause })
  }
  for (const [name, value] of Object.entries(refusal.headers)) c.header(name, value)
  if (c.get('page')) return writeRefusal(c, refusal)
  // Outside the API it is that of RFC 6749 5.2.
  const { errbody } = c.get('api') ? c.get('context').choices : DEFAULT_CHOICES
  const { type, text } = REFUSAL_BODIES[errbody](refusal)
  return write(c, refusal.status, text === '' ? null : text, { 'Content-Type': type })
}

const writeRefusal = (c: HandlerContext, { status, description, code }: Refusal): Answered =>
  writeMessage(
    c,
    { title: 'The request was refused', status },
    <>
      {description} <code>{code}</code>
    </>,
    'To the start page',
  )

type ErrorContent = Pick<Refusal, 'status' | 'word' | 'description'>
interface Body {
  type: string
  text: string
}

const json = (value: unknown, type = 'application/json'): Body => ({ type, text: JSON.stringify(value) })

const htmlBody = ({ status, description }: ErrorContent): Body => ({
  type: 'text/html; charset=utf-8',
  text: `<!doctype html><title>${status}</title><h1>${status}</h1><p>${description}</p>`,
})

/** The status selects one, so one refusal always has the same body. */
const NOT_JSON: readonly [...((content: ErrorContent) => Body)[]] = [
  htmlBody,
  ({ description }) => ({ type: 'text/plain; charset=utf-8', text: description }),
  () => ({ type: 'application/json', text: '' }),
  ({ word }) => ({ type: 'application/json', text: `{"error":"${word}","error_descr` }),
]

/** The shapes that the body of an API error can have (7, U42). The document shows none. */
export const REFUSAL_BODIES: Record<Choices['errbody'], (content: ErrorContent) => Body> = {
  // RFC 6749 5.2 and 7.2.
  error_description: ({ word, description }) =>
    json({ ...(word && { error: word }), error_description: description }),
  message: ({ description }) => json({ message: description }),
  code_message: ({ word = 'unauthorized', description }) => json({ code: word, message: description }),
  errors_list: ({ word = 'unauthorized', description }) =>
    json({ errors: [{ code: word, message: description }] }),
  // RFC 9457 3.
  problem_json: ({ status, description, word = 'unauthorized' }) =>
    json({ type: 'about:blank', title: word, status, detail: description }, 'application/problem+json'),
  not_json: (content) => (NOT_JSON[content.status % NOT_JSON.length] ?? htmlBody)(content),
}
