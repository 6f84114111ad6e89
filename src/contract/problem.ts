/** The closed table of problems with their status, and the body that reports one (RFC 9457). */
import type { Fault } from './fault.ts'
import type { Reason } from './reason.ts'

export const PROBLEMS = {
  invalid_request: 400,
  invalid_organization_id: 400,
  state_mismatch: 400,
  login_expired: 400,
  authorization_failed: 400,
  signed_out: 401,
  code_rejected: 401,
  key_rejected: 401,
  credential_refused: 401,
  access_withdrawn: 401,
  access_denied: 403,
  not_confirmed: 403,
  organization_refused: 403,
  forged_request: 403,
  not_found: 404,
  method_not_allowed: 405,
  lower_reading: 409,
  evidence_changed: 409,
  too_large: 413,
  unsupported_media_type: 415,
  costs_a_request: 428,
  rate_limited: 429,
  month_suspected: 429,
  limit_unknown: 429,
  too_many_streams: 429,
  too_many_attempts: 429,
  unknown: 500,
  client_rejected: 502,
  upstream_down: 502,
  upstream_failed: 502,
  unexpected_reply: 502,
  refresh_failed: 503,
  store_unavailable: 503,
  bff_unreachable: 503,
  upstream_timeout: 504,
} as const satisfies Record<string, number>

export type ProblemCode = keyof typeof PROBLEMS

/** For readers of the wire or the log. The page has its own sentences, in its language. */
const titleOf = (code: ProblemCode): string => code.replaceAll('_', ' ')

export interface ProblemOptions {
  cause?: unknown
  /** Milliseconds after which a retry can help; absent if waiting does not. */
  retryInMs?: number | undefined
  /** Never texts of the service. */
  reasons?: readonly Reason[] | undefined
  /** Never the wrong value. */
  fault?: Fault | undefined
  known?: readonly string[] | undefined
  /** The id of the cause in the server's log; only on a problem that the server reported. */
  supportId?: string
}

/** A failed rule, which the handler reports once. Any other thrown value is a defect of ours. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly retryInMs: number | undefined
  readonly reasons: readonly Reason[]
  readonly fault: Fault | undefined
  readonly known: readonly string[] | undefined
  readonly supportId: string | undefined

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    const { cause, retryInMs, reasons = [], fault, known, supportId } = options
    super(titleOf(code), { cause })
    this.code = code
    this.retryInMs = retryInMs
    this.reasons = reasons
    this.fault = fault
    this.known = known
    this.supportId = supportId
  }

  get status(): number {
    return PROBLEMS[this.code]
  }
}

/** The body of `application/problem+json` (RFC 9457 3.1; the extension members are ours, RFC 9457 3.2). */
export interface ProblemBody {
  type: 'about:blank'
  title: string
  status: number
  code: ProblemCode
  fault?: Fault
  known?: readonly string[]
  retry_in_ms?: number
  reasons?: readonly Reason[]
  /** The id of the cause in the log. */
  support_id: string
}

/** @param supportId the id of the cause in the log */
export function problemBody(problem: Problem, supportId: string): ProblemBody {
  return {
    type: 'about:blank',
    title: problem.message,
    status: problem.status,
    code: problem.code,
    ...(problem.fault && { fault: problem.fault }),
    ...(problem.known && { known: problem.known }),
    ...(problem.retryInMs === undefined ? {} : { retry_in_ms: Math.max(0, Math.ceil(problem.retryInMs)) }),
    ...(problem.reasons.length === 0 ? {} : { reasons: problem.reasons }),
    support_id: supportId,
  }
}

/** Any other value becomes the cause of `unknown`. */
export const asProblem = (thrown: unknown): Problem =>
  thrown instanceof Problem ? thrown : new Problem('unknown', { cause: thrown })

export const isStoreFailure = (thrown: unknown): thrown is Problem & { code: 'store_unavailable' } =>
  thrown instanceof Problem && thrown.code === 'store_unavailable'

export const isProblemCode = (value: unknown): value is ProblemCode =>
  typeof value === 'string' && Object.hasOwn(PROBLEMS, value)

/** Reads what {@link problemBody} wrote. `unexpected_reply` for the body of another program. */
export function problemOf(body: Partial<ProblemBody> | undefined): Problem {
  const { code, retry_in_ms: retryInMs, support_id: supportId, ...rest } = body ?? {}
  if (!isProblemCode(code) || supportId === undefined) return new Problem('unexpected_reply')
  return new Problem(code, { ...rest, retryInMs, supportId })
}
