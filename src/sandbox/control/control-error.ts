import type { Denial } from './access.ts'
import { writeFailure } from './control-layout.tsx'
import type { Answered, HandlerContext } from '../http/handler-context.ts'

interface ControlProblem extends Denial {
  headers?: Record<string, string>
}

export class ControlError extends Error {
  readonly problem: ControlProblem & { status: number }

  constructor(problem: ControlProblem) {
    super(problem.description)
    this.problem = { status: 403, ...problem }
  }
}

/** An Error of `act` becomes a ControlError `invalid_request` with the same message. */
export function withInvalidRequest<Result>(act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    const description = error instanceof Error ? error.message.slice(0, 4000) : String(error)
    throw new ControlError({ error: 'invalid_request', description, status: 400 })
  }
}

/** As JSON, or as a page if `page` is set. */
export function answerControlError(error: Error, c: HandlerContext): Answered {
  const { problem } =
    error instanceof ControlError
      ? error
      : new ControlError({
          error: 'server_error',
          description: error.stack ?? error.message,
          status: 500,
        })
  for (const [name, value] of Object.entries(problem.headers ?? {})) c.header(name, value)
  if (c.get('page')) return writeFailure(c, problem.description, problem.status)
  return c.json({ error: problem.error, error_description: problem.description }, problem.status)
}
