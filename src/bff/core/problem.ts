/** Every failure becomes its answer here: a Problem is described, anything else is an internal error and is not. */
import { Answer, HeaderFields, type Inbound, pathOf } from '../../contract/answer.ts'
import { asProblem, Problem, problemBody } from '../../contract/problem.ts'
import type { Context } from './context.ts'

const STORE_RETRY_MS = 2000

/** Writes the answer to a failure, and the log entry. Its support id is the id of the request, which all lines of its handling have. */
export function problemResponse(context: Context, request: Inbound, error: unknown): Answer {
  const problem = withWait(asProblem(error))
  const { requestId: supportId } = context
  logProblem(context, request, problem)
  const headers = new HeaderFields({ 'Content-Type': 'application/problem+json' })
  const { retryInMs } = problem
  if (retryInMs !== undefined) headers.set('Retry-After', String(Math.max(0, Math.ceil(retryInMs / 1000))))
  return new Answer(problem.status, headers, JSON.stringify(problemBody(problem, supportId)))
}

/** Writes the log entry of a failure. */
export function logProblem(context: Context, request: Inbound, problem: Problem): void {
  context.log({
    level: levelOf(problem),
    event: 'problem',
    code: problem.code,
    support_id: context.requestId,
    method: request.method,
    path: pathOf(request).slice(0, 200),
    status: problem.status,
    ...(problem.cause === undefined ? {} : { cause: describe(problem.cause) }),
  })
}

/** A database that is locked or full may be well again soon, and a try costs nothing. */
const withWait = (problem: Problem): Problem =>
  problem.code === 'store_unavailable' && problem.retryInMs === undefined
    ? new Problem('store_unavailable', { cause: problem.cause, retryInMs: STORE_RETRY_MS })
    : problem

/** What only the operator can correct is an error: an internal one, and a client secret that the service does not accept. */
const levelOf = ({ status, code }: Problem) =>
  status < 500 ? 'info' : code === 'unknown' || code === 'client_rejected' ? 'error' : 'warn'

/**
 * Kind, code and message of what was thrown; the stack only of an Error without a code.
 * @param depth how many causes are described at most, since they can form a cycle
 */
export function describe(cause: unknown, depth = 5): string {
  if (!(cause instanceof Error)) return `thrown: ${typeof cause}`
  const { code } = cause as { code?: unknown }
  const inner = cause.cause instanceof Error && depth > 1 ? ` < ${describe(cause.cause, depth - 1)}` : ''
  return typeof code === 'string'
    ? `${cause.name} ${code}: ${cause.message}${inner}`
    : `${cause.stack ?? cause.message}${inner}`
}
