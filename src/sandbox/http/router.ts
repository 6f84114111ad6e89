/** Runs the handlers of a request's route, one around the other, and answers the errors that they throw. */
import { Answer, type Inbound, pathOf } from '../../contract/answer.ts'
import { findRoute, routeTable } from '../../contract/route.ts'
import { type Answered, type Handler, HandlerContext, HandlerRequest } from './handler-context.ts'

interface RouterParts {
  /** By path, whose last segment may be an id. Each handler goes around those after it. */
  routes: Readonly<Record<string, readonly Handler[]>>
  /** For every other path. */
  otherwise: readonly Handler[]
  /** Answers an error of a handler. Outer handlers see that answer. Its own error ends the request. */
  onError: (error: Error, c: HandlerContext) => Answered
  toRoutePath?: (pathname: string) => string
}

/** A HEAD has the header fields of its GET, and no body (RFC 9110 9.3.2). */
export type Router = (request: Inbound) => Promise<Answer>

export function createRouter({
  routes,
  otherwise,
  onError,
  toRoutePath = (path) => path,
}: RouterParts): Router {
  const table = routeTable(routes)
  return async (request) => {
    const path = toRoutePath(pathOf(request))
    const found = findRoute(table, path)
    const c = new HandlerContext(new HandlerRequest(request, { path, id: found?.id }), found !== undefined)
    await run(c, found?.route ?? otherwise, onError)
    return request.method === 'HEAD' ? new Answer(c.res.status, c.res.headers) : c.res
  }
}

async function run(
  c: HandlerContext,
  handlers: readonly Handler[],
  onError: RouterParts['onError'],
  at = 0,
): Promise<void> {
  try {
    const answer = await handlers[at]?.(c, () => run(c, handlers, onError, at + 1))
    if (answer !== undefined && !c.isAnswered) c.res = answer
  } catch (error) {
    if (!(error instanceof Error)) throw error
    c.error = error
    c.res = await onError(error, c)
  }
}
