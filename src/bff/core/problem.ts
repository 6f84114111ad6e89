/** Turns every failure into an answer. An error that is no Problem is an internal one, not described. */
import { SECOND_MS } from '../../contract/duration.ts'
import { asProblem, Problem, problemBody } from '../../contract/problem.ts'
import type { Context } from './context.ts'

const STORE_RETRY_MS = 2 * SECOND_MS

/** The support id is the id of the request, which all its log lines have. */
export function problemResponse(context: Context, request: Request, error: unknown): Response {
  const problem = withWait(asProblem(error))
  const { requestId: supportId } = context
  logProblem(context, request, problem)
  const headers = new Headers({ 'Content-Type': 'application/problem+json' })
  const { retryInMs } = problem
  if (retryInMs !== undefined)
    headers.set('Retry-After', String(Math.max(0, Math.ceil(retryInMs / SECOND_MS))))
  return new Response(JSON.stringify(problemBody(problem, supportId)), { status: problem.status, headers })
}

export function logProblem(context: Context, request: Request, problem: Problem): void {
  context.log({
    level: levelOf(problem),
    event: 'problem',
    code: problem.code,
    support_id: context.requestId,
    method: request.method,
    // Behind it is the secret of a watch link whose `#` was encoded.
    path: new URL(request.url).pathname.replace(/%23.*/, '').slice(0, 200),
    status: problem.status,
    ...(problem.cause === undefined ? {} : { cause: describe(problem.cause) }),
  })
}

/** A locked or full database may recover soon and a try costs nothing, so this adds a time to wait. */
const withWait = (problem: Problem): Problem =>
  problem.code === 'store_unavailable' && problem.retryInMs === undefined
    ? new Problem('store_unavailable', { cause: problem.cause, retryInMs: STORE_RETRY_MS })
    : problem

/** Errors are what only the operator can correct: an internal error, or a rejected client secret. */
const levelOf = ({ status, code }: Problem) =>
  status < 500 ? 'info' : code === 'unknown' || code === 'client_rejected' ? 'error' : 'warn'

/**
 * The kind, code and message of an error. Only an Error without a code gets its stack.
 * @param depth the greatest number of causes to describe, since causes can form a cycle
 */
export function describe(cause: unknown, depth = 5): string {
  if (!(cause instanceof Error)) return `thrown: ${typeof cause}`
  const { code } = cause as { code?: unknown }
  const inner = cause.cause instanceof Error && depth > 1 ? ` < ${describe(cause.cause, depth - 1)}` : ''
  return typeof code === 'string'
    ? `${cause.name} ${code}: ${cause.message}${inner}`
    : `${cause.stack ?? cause.message}${inner}`
}
