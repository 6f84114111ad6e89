/** The closed table of everything that can go wrong, and the one shape in which it is reported (RFC 9457). */
import { count, members, oneOf, type Reader, text } from './json.ts'
import { type Reason, readReasons } from './reason.ts'

export const PROBLEMS = {
  invalid_request: { status: 400, title: 'The request is not understood' },
  invalid_organization_id: { status: 400, title: 'An organization id is a positive whole number' },
  state_mismatch: { status: 400, title: 'This sign-in was not started in this browser' },
  login_expired: { status: 400, title: 'This sign-in was started too long ago' },
  authorization_failed: { status: 400, title: 'The service ended the sign-in' },
  signed_out: { status: 401, title: 'You are not signed in' },
  code_rejected: { status: 401, title: 'The service did not accept the sign-in code' },
  key_rejected: { status: 401, title: 'The service did not accept the API key' },
  credential_refused: { status: 401, title: 'The service no longer accepts this connection' },
  access_withdrawn: { status: 401, title: 'Access was withdrawn or has expired' },
  access_denied: { status: 403, title: 'Permission was not given' },
  not_confirmed: { status: 403, title: 'The service has not confirmed this sign-in yet' },
  organization_refused: { status: 403, title: 'The service does not show this organization to you' },
  forged_request: { status: 403, title: 'The request did not come from this page' },
  not_found: { status: 404, title: 'There is nothing at this address' },
  method_not_allowed: { status: 405, title: 'This address does not take that method' },
  lower_reading: { status: 409, title: 'An earlier reading of this month was higher' },
  evidence_changed: { status: 409, title: 'The evidence does not show this' },
  too_large: { status: 413, title: 'The request is too large' },
  unsupported_media_type: { status: 415, title: 'The request has to be JSON' },
  costs_a_request: { status: 428, title: 'This costs a request, which was not asked for yet' },
  rate_limited: { status: 429, title: 'The requests of this minute are used up' },
  month_suspected: { status: 429, title: 'The requests of this month seem to be used up' },
  limit_unknown: { status: 429, title: 'A limit is reached, and the service does not name it' },
  too_many_streams: { status: 429, title: 'Too many pages of this session are open' },
  too_many_attempts: { status: 429, title: 'Too many attempts came from your network' },
  unknown: { status: 500, title: 'Something went wrong here' },
  client_rejected: { status: 502, title: 'The service does not accept this application' },
  upstream_down: { status: 502, title: 'The service cannot be reached' },
  upstream_failed: { status: 502, title: 'The service failed' },
  unexpected_reply: { status: 502, title: 'The service answered something unexpected' },
  refresh_failed: { status: 503, title: 'The service gives no new access token at present' },
  store_unavailable: { status: 503, title: 'The database cannot be reached' },
  bff_unreachable: { status: 503, title: 'Plimsoll itself cannot be reached' },
  upstream_timeout: { status: 504, title: 'The service takes too long to answer' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof PROBLEMS

export interface ProblemOptions {
  cause?: unknown
  /** Milliseconds after which trying again can help; absent where waiting does not. */
  retryInMs?: number | undefined
  /** Why we think so; never anything that the service sent. */
  reasons?: readonly Reason[] | undefined
  /** Which member or setting is wrong; never its value. */
  detail?: string | undefined
  /** Only on a problem that the server reported: the id under which its log has the cause. */
  supportId?: string
}

/** A rule that failed. Thrown where the rule is, reported once per handler; anything else thrown is a defect of ours. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly retryInMs: number | undefined
  readonly reasons: readonly Reason[]
  readonly detail: string | undefined
  readonly supportId: string | undefined

  constructor(code: ProblemCode, { cause, retryInMs, reasons = [], detail, supportId }: ProblemOptions = {}) {
    super(PROBLEMS[code].title, { cause })
    this.code = code
    this.retryInMs = retryInMs
    this.reasons = reasons
    this.detail = detail
    this.supportId = supportId
  }

  get status(): number {
    return PROBLEMS[this.code].status
  }
}

/** The body of `application/problem+json` (RFC 9457 3.1; the extension members are ours, RFC 9457 3.2). */
export interface ProblemBody {
  type: 'about:blank'
  title: string
  status: number
  code: ProblemCode
  detail?: string
  retry_in_ms?: number
  reasons?: readonly Reason[]
  /** The id under which the log has the cause. */
  support_id: string
}

/** The body that reports a problem; `supportId` is the id under which the log has its cause. */
export function problemBody(problem: Problem, supportId: string): ProblemBody {
  return {
    type: 'about:blank',
    title: PROBLEMS[problem.code].title,
    status: problem.status,
    code: problem.code,
    ...(problem.detail === undefined ? {} : { detail: problem.detail }),
    ...(problem.retryInMs === undefined ? {} : { retry_in_ms: Math.max(0, Math.ceil(problem.retryInMs)) }),
    ...(problem.reasons.length === 0 ? {} : { reasons: problem.reasons }),
    support_id: supportId,
  }
}

/** What was thrown, as a Problem: anything that is not one is `unknown`, with what was thrown as its cause. */
export const asProblem = (thrown: unknown): Problem =>
  thrown instanceof Problem ? thrown : new Problem('unknown', { cause: thrown })

/** Whether what was thrown is that the store could not do its work. */
export const isStoreFailure = (thrown: unknown): thrown is Problem & { code: 'store_unavailable' } =>
  thrown instanceof Problem && thrown.code === 'store_unavailable'

/** Reads a reply of our own server. @throws Problem `unexpected_reply` where the reader throws */
export function readReply<T>(read: Reader<T>, body: unknown): T {
  try {
    return read(body)
  } catch (cause) {
    throw new Problem('unexpected_reply', { cause })
  }
}

const problemCode = oneOf(Object.keys(PROBLEMS) as ProblemCode[])

const readProblemBody = members(
  { code: problemCode, title: text, status: count, support_id: text },
  { detail: text, retry_in_ms: count, reasons: readReasons },
)

/**
 * Reads what {@link problemBody} wrote.
 * @throws Problem `unexpected_reply` for any other body
 */
export function parseProblem(body: unknown): Problem {
  const { code, detail, retry_in_ms, reasons, support_id } = readReply(readProblemBody, body)
  return new Problem(code, { detail, retryInMs: retry_in_ms, reasons, supportId: support_id })
}
