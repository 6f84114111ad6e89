/** The backend-for-frontend: the table of its routes, one check before every handler, one place where every answer is completed. */
import { type Context as HonoContext, Hono } from 'hono'
import { BFF } from '../contract/api.ts'
import { Problem } from '../contract/problem.ts'
import type { Store } from '../store/store.ts'
import { startLogin } from './authorize.ts'
import { clientAddress } from './client-address.ts'
import {
  type BffConfig,
  type Context,
  createMemory,
  inBackground,
  type LogEntry,
  type Upstream,
} from './context.ts'
import { assertSameOrigin } from './csrf.ts'
import { randomText } from './encryption.ts'
import { getEvents } from './events.ts'
import { confirmFinding, forgetFinding, getEvidence } from './evidence.ts'
import { FORWARDED_READS } from './forwarded-reads.ts'
import { getLedgerDays } from './ledger-days.ts'
import { getLedger } from './ledger-page.ts'
import { Limiter } from './limiter.ts'
import { type LineCounts, limitLines } from './log-limit.ts'
import { type Measurement, methodLabel } from './measurement.ts'
import { useOtherSession } from './other-sessions.ts'
import { ownPage } from './own-page.ts'
import { type Documents, type Site, type StaticFiles, servePage } from './pages.ts'
import { problemResponse } from './problem.ts'
import { forwardRead } from './proxy.ts'
import { getQuota } from './quota.ts'
import { addReading, deleteReading, getReadings } from './readings.ts'
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
  [`${BFF.sessions}/:id`]: { POST: useOtherSession, DELETE: deleteOwnSession },
  [BFF.login]: { POST: startLogin },
  [BFF.quota]: { GET: getQuota },
  [BFF.readings]: { GET: getReadings, POST: addReading },
  [`${BFF.readings}/:id`]: { DELETE: deleteReading },
  [BFF.ledger]: { GET: getLedger },
  [BFF.ledgerDays]: { GET: getLedgerDays },
  [BFF.evidence]: { GET: getEvidence },
  [`${BFF.evidence}/:id`]: { POST: confirmFinding, DELETE: forgetFinding },
  [BFF.events]: { GET: getEvents },
}
for (const row of FORWARDED_READS)
  ROUTES[row.bffPath] = {
    GET: (context, request, headers, id) => forwardRead(context, request, headers, row, id),
  }

/** What is known of the connection of a request. */
interface Connection {
  /** Of its other end. */
  address?: string
  /** Closes it when it is destroyed. */
  outgoing?: { destroy: () => unknown }
}

export interface Bff {
  fetch: (request: Request, connection?: Connection) => Promise<Response>
  /** Ends the streams, and waits for requests, and for the work that goes on in the background, such as a refresh and the write of its tokens. */
  drain: () => Promise<void>
  /** How many streams of events are open. */
  openStreams: () => number
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
  /** Gets what happens as numbers; absent: no one counts. */
  measure?: (measurement: Measurement) => void
  /** For how many milliseconds after its answer a read answers those who ask for the same one. */
  sharedForMs?: number
  /** The built app; tests of other parts have none. */
  files?: StaticFiles
  documents?: Documents | undefined
}

/** Joins the parts. The bff does no I/O except through them, and has no clock except `now`. */
export function createBff({ files = new Map(), documents, ...parts }: BffParts): Bff {
  const site = { files, ...(documents && { documents }) }
  const { log, flush } = limitedLog(parts)
  const limiter = new Limiter(parts.store, parts.now)
  const shared = { sharedForMs: 1000, measure: () => {}, ...parts, log, memory: createMemory(), limiter }
  const app = new Hono<Bindings>()
  for (const [path, methods] of Object.entries(ROUTES)) {
    app.all(path, (at) => measured(at, path, () => answer(at, methods, path === BFF.events)))
  }
  for (const unknown of ['/bff/*', '/api/*']) {
    app.all(unknown, (at) => measured(at, unknown, () => answerUnknown(at)))
  }
  for (const path of ['/assets/*', '/*'])
    app.all(path, (at) => measured(at, path, async () => page(at, site)))
  const handle = async (request: Request, context: Context) => app.fetch(request, context)
  return {
    // Also one whose browser has gone is waited for: it is paid for, and what it learns is to be stored.
    fetch: (request, connection = {}) =>
      inBackground(shared.memory, handle(request, contextOf(shared, request, connection))),
    async drain() {
      shared.memory.streams.close()
      while (shared.memory.background.size > 0) await Promise.all(shared.memory.background)
      flush()
    },
    openStreams: () => shared.memory.streams.size,
  }
}

/** What the router hands on beside the request. */
interface Bindings {
  Bindings: Context
}

/** The context of one request: its id is on every line of its handling. */
function contextOf(
  shared: Omit<Context, 'requestId' | 'address' | 'disconnect'>,
  { headers }: Request,
  { address, outgoing }: Connection,
): Context {
  const requestId = randomText(9)
  const forwardedFor = headers.get('X-Forwarded-For')
  return {
    ...shared,
    requestId,
    address: clientAddress(address, forwardedFor, shared.config.trustProxy ?? 0),
    log: (entry) => shared.log({ ...entry, request_id: requestId }),
    ...(outgoing && { disconnect: () => void outgoing.destroy() }),
  }
}

/** The log without the lines of a flood. `flush` writes how many were left out, whose minute has not ended. */
function limitedLog({ log, now }: Pick<BffParts, 'log' | 'now'>) {
  let counts: LineCounts = new Map()
  const pass = (entry: LogEntry | undefined, nowMs: number): void => {
    const limited = limitLines(counts, entry, nowMs)
    counts = limited.counts
    for (const line of limited.write) log(line)
  }
  return { log: (entry: LogEntry) => pass(entry, now()), flush: () => pass(undefined, Infinity) }
}

/** Reports the request when it is answered. */
async function measured(
  { req, env }: HonoContext<Bindings>,
  route: string,
  answerIt: () => Response | Promise<Response>,
): Promise<Response> {
  const startedAtMs = env.now()
  const response = await answerIt()
  env.measure({
    what: 'request',
    method: methodLabel(req.method),
    // What an id consists of is no part of its name.
    route: route.replaceAll(/\{[^}]*\}/g, ''),
    status: response.status,
    tookMs: Math.max(0, env.now() - startedAtMs),
    requestId: env.requestId,
  })
  return response
}

function answerUnknown({ req, env }: HonoContext<Bindings>): Response {
  return complete(env, problemResponse(env, req.raw, new Problem('not_found')), new Headers())
}

async function answer(
  { req, env: context }: HonoContext<Bindings>,
  methods: Methods,
  isStream: boolean,
): Promise<Response> {
  const request = req.raw
  const headers = new Headers()
  try {
    assertSameOrigin(request, context.config.publicUrl, isStream)
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

async function page(
  { req: { raw: request }, env: context }: HonoContext<Bindings>,
  site: Site,
): Promise<Response> {
  return withSecurityHeaders(
    context,
    await servePage(site, request, ownPage(context, request, site.documents)),
  )
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
