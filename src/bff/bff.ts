/** The backend-for-frontend: the table of its routes, one check before every handler, one place where every answer is completed. */
import { type Context as HonoContext, Hono } from 'hono'
import { BFF } from '../contract/api.ts'
import { Problem } from '../contract/problem.ts'
import type { Store } from '../store/store.ts'
import { startLogin } from './authorize.ts'
import { type BffConfig, type Context, createMemory, type LogEntry, type Upstream } from './context.ts'
import { assertSameOrigin } from './csrf.ts'
import { FORWARDED_READS } from './forwarded-reads.ts'
import { type StaticFiles, servePage } from './pages.ts'
import { problemResponse } from './problem.ts'
import { forwardRead } from './proxy.ts'
import { getQuota } from './quota.ts'
import { createSession, deleteSession, getSession } from './session.ts'
import { deleteOwnSession, deleteOtherSessions, getOwnSessions } from './sessions.ts'

/**
 * Answers a request.
 * @param headers are added to the answer, also when the handler throws
 * @param id the `:id` of the route's path
 */
type Handler = (context: Context, request: Request, headers: Headers, id?: string) => Promise<Response>
type Methods = { [method: string]: Handler }

export const ROUTES: Record<string, Methods> = {
  [BFF.session]: { GET: getSession, POST: createSession, DELETE: deleteSession },
  [BFF.sessions]: { GET: getOwnSessions, DELETE: deleteOtherSessions },
  [`${BFF.sessions}/:id`]: { DELETE: deleteOwnSession },
  [BFF.login]: { POST: startLogin },
  [BFF.quota]: { GET: getQuota },
}
for (const row of FORWARDED_READS)
  ROUTES[row.bffPath] = {
    GET: (context, request, headers, id) => forwardRead(context, request, headers, row, id),
  }

export interface Bff {
  /** @param connection what is known of it: the address of its other end */
  fetch: (request: Request, connection?: { address?: string }) => Promise<Response>
  /** Waits for the work that goes on in the background, such as a refresh and the write of its tokens. */
  drain: () => Promise<void>
}

export interface BffParts {
  config: BffConfig
  store: Store
  upstream: Upstream
  /** UNIX milliseconds. */
  now: () => number
  /** Resolves after that many milliseconds of real time. */
  wait: (ms: number) => Promise<void>
  log: (entry: LogEntry) => void
  /** For how many milliseconds after its answer a read answers those who ask for the same one. */
  sharedForMs?: number
  /** The built app; tests of other parts have none. */
  files?: StaticFiles
}

/** Joins the parts. The bff does no I/O except through them, and has no clock except `now`. */
export function createBff({ files = new Map(), ...parts }: BffParts): Bff {
  const context: Context = { sharedForMs: 1000, ...parts, memory: createMemory() }
  const app = new Hono()
  for (const [path, methods] of Object.entries(ROUTES)) {
    app.all(path, (honoContext) => answer(context, honoContext, methods))
  }
  for (const unknown of ['/bff/*', '/api/*']) {
    app.all(unknown, ({ req }) => {
      const response = problemResponse(context, req.raw, new Problem('not_found'))
      return complete(context, response, new Headers())
    })
  }
  app.all('*', ({ req }) => withSecurityHeaders(context, servePage(files, req.raw)))
  return {
    fetch: async (request) => app.fetch(request),
    async drain() {
      while (context.memory.background.size > 0) await Promise.all(context.memory.background)
    },
  }
}

async function answer(context: Context, { req }: HonoContext, methods: Methods): Promise<Response> {
  const request = req.raw
  const headers = new Headers()
  try {
    assertSameOrigin(request, context.config.publicUrl)
    const handle = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined
    if (handle === undefined) {
      headers.set('Allow', Object.keys(methods).join(', '))
      throw new Problem('method_not_allowed')
    }
    return complete(context, await handle(context, request, headers, req.param('id')), headers)
  } catch (error) {
    return complete(context, problemResponse(context, request, error), headers)
  }
}

/** Adds to every answer under /bff and /api the headers that forbid caching and framing. */
function complete(context: Context, response: Response, headers: Headers): Response {
  for (const [name, value] of headers) response.headers.append(name, value)
  response.headers.set('Cache-Control', 'no-store')
  response.headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  response.headers.set('Vary', 'Sec-Fetch-Site, Origin')
  return withSecurityHeaders(context, response)
}

function withSecurityHeaders({ config }: Context, response: Response): Response {
  response.headers.set('X-Content-Type-Options', 'nosniff')
  response.headers.set('Referrer-Policy', 'no-referrer')
  response.headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  response.headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  response.headers.set('X-Frame-Options', 'DENY')
  if (config.publicUrl.startsWith('https:'))
    response.headers.set('Strict-Transport-Security', 'max-age=63072000; includeSubDomains')
  return response
}
