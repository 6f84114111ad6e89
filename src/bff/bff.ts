/** The backend-for-frontend: its routes, a check before every handler, and a place that completes answers. */
import { Hono } from 'hono'
import { BFF, BUILD_HEADER } from '../contract/api.ts'
import { PAIRING } from '../contract/pairing.ts'
import { Problem } from '../contract/problem.ts'
import { WATCH } from '../contract/watch.ts'
import type { Store } from '../store/store.ts'
import {
  type BffConfig,
  type Context,
  createMemory,
  inBackground,
  type LogEntry,
  type Upstream,
} from './core/context.ts'
import { type Measurement, methodLabel } from './core/measurement.ts'
import { problemResponse } from './core/problem.ts'
import { complete, withSecurityHeaders } from './core/security-headers.ts'
import { getEvents } from './events/events.ts'
import { EventStreams } from './events/streams.ts'
import { confirmFinding, forgetFinding, getEvidence } from './evidence/evidence.ts'
import { clientAddress, givenRequestId, newRequestId } from './http/client-address.ts'
import { cookieNames } from './http/cookie.ts'
import { assertSameOrigin, queryParameters } from './http/input.ts'
import { Limiter } from './limiter/limiter.ts'
import { type Documents, factsOf, type Site, type StaticFiles, servePage } from './pages/pages.ts'
import { claimCode, openPairedSession } from './pairing/claim.ts'
import { confirmNumber, offerCode } from './pairing/offer.ts'
import { getLedgerBrowsers, getLedgerDays } from './quota/ledger-counts.ts'
import { getLedger } from './quota/ledger-page.ts'
import { getMonths } from './quota/months.ts'
import { getQuota } from './quota/snapshot.ts'
import { forwardRead } from './read/proxy.ts'
import { addReading, deleteReading, getReadings } from './readings/readings.ts'
import { FORWARDED_READS } from './service/forwarded-reads.ts'
import { getStartedLogin, startLogin } from './sign-in/login.ts'
import {
  deleteOtherSessions,
  deleteOwnSession,
  getOwnSessions,
  putBrowserName,
  useOtherSession,
} from './sign-in/own-sessions.ts'
import { createSession, deleteSession, getSession } from './sign-in/session.ts'
import { getWatchedEvents } from './watch/events.ts'
import { addWatchLink, deleteWatchLink, getWatchLinks } from './watch/link.ts'
import { getQuotaByToken, getWatchedDays, getWatchedQuota, getWatching, openWatch } from './watch/watch.ts'

/** @param id the `:id` of the path */
type Handler = (context: Context, request: Request, id?: string) => Promise<Response>
type Methods = { [method: string]: Handler }

export const ROUTES: Record<string, Methods> = {
  [BFF.session]: { GET: getSession, POST: createSession, DELETE: deleteSession },
  [BFF.sessions]: { GET: getOwnSessions, DELETE: deleteOtherSessions },
  [`${BFF.sessions}/:id`]: { POST: useOtherSession, DELETE: deleteOwnSession },
  [BFF.browser]: { PUT: putBrowserName },
  [PAIRING.offer]: { POST: offerCode, PUT: confirmNumber },
  [PAIRING.claim]: { POST: claimCode },
  [PAIRING.session]: { POST: openPairedSession },
  [BFF.login]: { POST: startLogin },
  [BFF.startedLogin]: { POST: getStartedLogin },
  [BFF.quota]: { GET: getQuota },
  [BFF.readings]: { GET: getReadings, POST: addReading },
  [`${BFF.readings}/:id`]: { DELETE: deleteReading },
  [BFF.ledger]: { GET: getLedger },
  [BFF.ledgerDays]: { GET: getLedgerDays },
  [BFF.ledgerBrowsers]: { GET: getLedgerBrowsers },
  [BFF.months]: { GET: getMonths },
  [BFF.evidence]: { GET: getEvidence },
  [`${BFF.evidence}/:id`]: { POST: confirmFinding, DELETE: forgetFinding },
  [BFF.events]: { GET: getEvents },
  [BFF.watchLinks]: { GET: getWatchLinks, POST: addWatchLink },
  [`${BFF.watchLinks}/:id`]: { DELETE: deleteWatchLink },
  [`${WATCH.session}/:id`]: { GET: getWatching, POST: openWatch },
  [WATCH.quota]: { GET: getQuotaByToken, HEAD: getQuotaByToken },
  [`${WATCH.quota}/:id`]: { GET: getWatchedQuota },
  [`${WATCH.days}/:id`]: { GET: getWatchedDays },
  [`${WATCH.events}/:id`]: { GET: getWatchedEvents },
}
for (const row of FORWARDED_READS)
  ROUTES[row.bffPath] = {
    GET: (context, request, id) => forwardRead(context, request, row, id),
  }

interface Connection {
  /** The network address of the client, or of the last proxy. */
  address?: string
  /** Destroying it closes the connection. */
  outgoing?: { destroy: () => unknown }
}

export interface Bff {
  /** Never rejects. */
  fetch: (request: Request, connection?: Connection) => Promise<Response>
  /** Ends the streams. Resolves when all requests and all background work, such as a refresh, have ended. */
  drain: () => Promise<void>
  openStreams: () => number
}

export interface BffParts {
  config: BffConfig
  store: Store
  upstream: Upstream
  /** UNIX milliseconds. */
  now: () => number
  /** Resolves after `ms` milliseconds of real time. */
  wait: (ms: number) => Promise<void>
  log: (entry: LogEntry) => void
  /** Absent: nothing is measured. */
  measure?: (measurement: Measurement) => void
  /** The answer to a read is shared this long with requests for the same read. */
  sharedForMs?: number
  /** The built app; tests of other parts have none. */
  files?: StaticFiles
  documents?: Documents | undefined
}

type Shared = Omit<Context, 'requestId' | 'headers' | 'address' | 'disconnect'>

/** The bff does no I/O except through these parts, and has no clock except `now`. */
export function createBff({ files = new Map(), documents, ...parts }: BffParts): Bff {
  const cookies = cookieNames(parts.config.publicUrl)
  const limiter = new Limiter(parts.store, parts.now)
  const memory = createMemory(new EventStreams())
  const shared = { sharedForMs: 1000, measure: () => {}, ...parts, cookies, memory, limiter }
  const app = appOf(shared, { files, cookies, ...(documents && { documents }) })
  return {
    // The work goes on if the browser has gone: it is paid for, and its result must be stored.
    fetch: (request, connection = {}) =>
      inBackground(memory, Promise.resolve(app.fetch(request, connection))),
    async drain() {
      memory.streams.close()
      while (memory.background.size > 0) await Promise.all(memory.background)
    },
    openStreams: () => memory.streams.size,
  }
}

/** The lists read theirs; session and quota ignore theirs. Every other route refuses a parameter. */
const MAY_HAVE_PARAMETERS: readonly string[] = [BFF.session, BFF.quota, BFF.ledger, BFF.months]

/** Below these prefixes no answer is a page. */
const OURS = ['/bff', '/api', WATCH.session, WATCH.quota, WATCH.days, WATCH.events]

function appOf(shared: Shared, site: Site): Hono<{ Bindings: Connection }> {
  const app = new Hono<{ Bindings: Connection }>()
  const add = (pattern: string, route: string, answer: Handler) =>
    app.all(pattern, async ({ req, env }) => {
      const context = contextOf(shared, req.raw, env)
      return measured(context, req.raw, route, () => answer(context, req.raw, req.param('id')))
    })
  const build = site.documents?.build
  const addOurs = (pattern: string, route: string, methods: Methods | undefined) =>
    add(pattern, route, async (context, request, id) => {
      const answer = await answerRoute(context, request, { methods, route, id })
      if (build) answer.headers.set(BUILD_HEADER, build)
      return answer
    })
  for (const [pattern, methods] of Object.entries(ROUTES))
    addOurs(pattern, pattern.replace(/\{.*/, ''), methods)
  for (const prefix of OURS) addOurs(`${prefix}/*`, `${prefix}/*`, undefined)
  const page: Handler = (context, request) => answerPage(context, request, site)
  add('/assets/*', '/assets/*', page)
  add('*', '/*', page)
  return app
}

function contextOf(shared: Shared, { headers }: Request, { address, outgoing }: Connection): Context {
  const trustProxy = shared.config.trustProxy ?? 0
  const givenId = givenRequestId(headers.get('X-Request-Id'), trustProxy)
  const requestId = givenId ?? newRequestId()
  return {
    ...shared,
    headers: new Headers(),
    requestId,
    isRequestIdGiven: givenId !== undefined,
    address: clientAddress(address, headers.get('X-Forwarded-For'), trustProxy),
    log: (entry) => shared.log({ ...entry, request_id: requestId }),
    disconnect: outgoing && (() => void outgoing.destroy()),
  }
}

async function measured(
  context: Context,
  { method }: Request,
  route: string,
  answer: () => Promise<Response>,
): Promise<Response> {
  const startedAtMs = context.now()
  const answered = await answer()
  context.measure({
    what: 'request',
    method: methodLabel(method),
    route,
    status: answered.status,
    tookMs: Math.max(0, context.now() - startedAtMs),
    requestId: context.requestId,
  })
  return answered
}

async function answerRoute(
  context: Context,
  request: Request,
  { methods, route, id }: { methods: Methods | undefined; route: string; id: string | undefined },
): Promise<Response> {
  try {
    // Nothing of ours has a NUL, and PostgreSQL takes none in a text.
    if (methods === undefined || request.url.includes('%00')) throw new Problem('not_found')
    if (route !== WATCH.quota || !isOfScript(request))
      assertSameOrigin(request, context.config.publicUrl, route === BFF.events)
    const handle = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined
    if (handle === undefined) {
      context.headers.set('Allow', Object.keys(methods).join(', '))
      throw new Problem('method_not_allowed')
    }
    if (!MAY_HAVE_PARAMETERS.includes(route)) queryParameters(request)
    return complete(context, await handle(context, request, id))
  } catch (error) {
    return complete(context, problemResponse(context, request, error))
  }
}

/** No browser adds `Authorization` by itself, and another site may not ask it to (Fetch 3.2.2). */
function isOfScript({ method, headers }: Request): boolean {
  const isOfBrowser = ['Sec-Fetch-Site', 'Origin'].some((name) => headers.get(name) !== null)
  return headers.get('Authorization') !== null || (/^(GET|HEAD)$/.test(method) && !isOfBrowser)
}

async function answerPage(context: Context, request: Request, site: Site): Promise<Response> {
  try {
    return withSecurityHeaders(context, await servePage(site, request, factsOf(context, request)))
  } catch (error) {
    return complete(context, problemResponse(context, request, error))
  }
}
