/** The backend-for-frontend: a table of routes, one guard before all of them, one way out after all of them. */
import { type Context, Hono } from 'hono'
import { BFF } from '../contract/api.ts'
import { Problem } from '../contract/problem.ts'
import type { Store } from '../store/store.ts'
import { startLogin } from './authorize.ts'
import { assertOurs } from './guard.ts'
import { type BffConfig, createMemory, type House, type LogEntry, type Upstream } from './house.ts'
import { type StaticFiles, servePage } from './pages.ts'
import { problemReply } from './problem.ts'
import { passOn } from './proxy.ts'
import { tellQuota } from './quota.ts'
import { closeSession, openSession, tellSession } from './session.ts'

/** Answers a request. What it puts into `reply` is on the answer also when it throws. */
type Handler = (house: House, request: Request, reply: Headers) => Promise<Response>

export const ROUTES: Record<string, { [method: string]: Handler }> = {
  [BFF.session]: { GET: tellSession, POST: openSession, DELETE: closeSession },
  [BFF.login]: { POST: startLogin },
  [BFF.quota]: { GET: tellQuota },
  '/api/organizations': { GET: passOn },
  '/api/organizations/:id{[0-9]+}': { GET: passOn },
  '/api/rate_limit': { GET: passOn },
}

export interface Bff {
  fetch: (request: Request) => Promise<Response>
}

export interface BffParts {
  config: BffConfig
  store: Store
  upstream: Upstream
  /** UNIX milliseconds. */
  now: () => number
  log: (entry: LogEntry) => void
  /** The built app; none in tests of the rest. */
  files?: StaticFiles
}

/** Joins the parts. The bff does no I/O but through them, and has no clock but `now`. */
export function createBff({ files = new Map(), ...parts }: BffParts): Bff {
  const house: House = { ...parts, memory: createMemory() }
  const app = new Hono()
  for (const [path, methods] of Object.entries(ROUTES)) {
    app.all(path, (context) => answer(house, context, methods))
  }
  for (const unknown of ['/bff', '/bff/*', '/api', '/api/*']) {
    app.all(unknown, ({ req }) =>
      finish(house, problemReply(house, req.raw, new Problem('not_found')), new Headers()),
    )
  }
  app.all('*', ({ req }) => withOrigin(house, servePage(files, req.raw)))
  return { fetch: async (request) => app.fetch(request) }
}

async function answer(
  house: House,
  { req: { raw: request } }: Context,
  methods: { [method: string]: Handler },
): Promise<Response> {
  const reply = new Headers()
  try {
    assertOurs(request, house.config.publicUrl)
    const handle = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined
    if (handle === undefined) {
      reply.set('Allow', Object.keys(methods).join(', '))
      throw new Problem('method_not_allowed')
    }
    return finish(house, await handle(house, request, reply), reply)
  } catch (error) {
    return finish(house, problemReply(house, request, error), reply)
  }
}

/** Puts on every answer under /bff and /api what keeps it out of caches, frames and other origins. */
function finish(house: House, response: Response, reply: Headers): Response {
  for (const [name, value] of reply) response.headers.append(name, value)
  response.headers.set('Cache-Control', 'no-store')
  response.headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  response.headers.set('Vary', 'Sec-Fetch-Site, Origin')
  return withOrigin(house, response)
}

function withOrigin({ config }: House, response: Response): Response {
  response.headers.set('X-Content-Type-Options', 'nosniff')
  response.headers.set('Referrer-Policy', 'no-referrer')
  response.headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  response.headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  response.headers.set('X-Frame-Options', 'DENY')
  if (config.publicUrl.startsWith('https:'))
    response.headers.set('Strict-Transport-Security', 'max-age=63072000; includeSubDomains')
  return response
}
