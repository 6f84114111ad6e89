/** Hono's context and handlers, with the variables that the handlers of one request pass to each other. */
import type { Context as HonoContext, MiddlewareHandler, Next } from 'hono'
import type { ContentfulStatusCode, StatusCode } from 'hono/utils/http-status'
import type { Variables } from '../state/context.ts'

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

/** A path outside `basePath` leads to an unknown address. */
export function pathBelow(basePath: string, path: string): string {
  if (path === basePath) return '/'
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : '/outside'
}
