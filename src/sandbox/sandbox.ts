/** The sandbox: a local implementation of the service. Which handler answers which address is decided here. */
import { type Handler, Hono, type MiddlewareHandler } from 'hono'
import { except } from 'hono/combine'
import { AUTHORIZATION_PATH } from '../contract/authorize.ts'
import { API_KEY_HEADER } from '../contract/credential.ts'
import { RATE_LIMIT_PATH } from '../contract/rate-limit.ts'
import { TOKEN_PATH } from '../contract/token.ts'
import { ECHO_METHODS, ECHO_PATH, echo, requireEcho } from './api/echo.ts'
import { oneOrganization, ownOrganization } from './api/organization.ts'
import { withinScope } from './api/scope.ts'
import { allowMethods, notFound } from './api/unknown-address.ts'
import { authorize } from './authorize/authorize.ts'
import { answerConsent, CONSENT_PATH } from './authorize/consent.tsx'
import { requireLogin, signIn } from './authorize/login.tsx'
import { metadata, METADATA_PATH } from './authorize/metadata.ts'
import type { Choices } from './choices/choices.ts'
import { type Control, createControl } from './control/control.ts'
import { monthEnd, nextMinute, tokenEnd } from './control/instant.ts'
import { recordRequests } from './control/record.ts'
import { bodyLimit } from './http/body-limit.ts'
import { LARGEST_BODY_BYTES } from './http/form.ts'
import { markFile } from './http/page.tsx'
import { answerRefusal, Refusal, type SandboxLogEntry } from './http/problem.tsx'
import { STYLE } from './http/style.ts'
import { preflight, transport, writeCommonHeaders } from './http/transport.ts'
import { meter } from './limits/meter.ts'
import { rateHeaders, tokenRateHeaders } from './limits/rate-header.ts'
import { rateLimit } from './limits/rate-limit.ts'
import { applyDuePlanChanges } from './settings/plan-change.tsx'
import { planPage } from './settings/plan.tsx'
import { projectPage } from './settings/project.tsx'
import { SETTINGS_PAGES } from './settings/settings.tsx'
import { startPage } from './settings/start.tsx'
import { createClock } from './state/clock.ts'
import { createContextAt, type Context, type Env } from './state/context.ts'
import { ConnectionReset } from './state/injected-fault.ts'
import { createSeededState } from './state/seeded-state.ts'
import type { Seed } from './state/seed.ts'
import type { SandboxState } from './state/state.ts'
import { isNotOffered, REVOCATION_PATH, revoke } from './token/revocation.ts'
import { token } from './token/token.ts'

const STYLE_PATH = '/style.css'
const MARK_PATH = '/mark.svg'

export interface SandboxOptions {
  /** The seed of the first start. */
  seed: Seed
  /** UNIX milliseconds. Every lifetime, window and month follows it, and so does the header Date. */
  now: () => number
  /** An earlier snapshot to go on from, in place of the seed's records. */
  state?: SandboxState
  /** The seed that a reset goes back to, where it is not that of the first start. */
  currentSeed?: Seed
  /** Called at the end of each request that may have changed the state. */
  onChange?: () => void
  /** The choices that differ from their defaults. */
  choices?: Partial<Choices>
  /** The path in front of every address, as `/a/b`. */
  basePath?: string
  /** The header of an API key, where it is not that of 5.1.5. */
  apiKeyHeader?: string
  log?: (entry: SandboxLogEntry) => void
  /** Waits in real time; without it, delays advance the sandbox's clock. */
  wait?: (ms: number) => Promise<void>
}

export interface Sandbox {
  /** Answers every request, also those that fail. @throws ConnectionReset where a fault breaks the connection */
  fetch: (request: Request) => Promise<Response>
  /** A copy of the whole state, as plain JSON; it holds every secret of the sandbox. */
  snapshot(): SandboxState
  /** A copy of the seed that a reset goes back to. */
  currentSeed(): Seed
  /** Every path that is routed, once. */
  paths(): readonly string[]
  /** The actions of the control plane. */
  control: Control
}

/** The same seed, clock and requests give the same answers, byte for byte. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { seed, currentSeed, choices, now, onChange, basePath = '', log, wait } = options
  const apiKeyHeader = options.apiKeyHeader ?? API_KEY_HEADER
  const seeded = createSeededState({ seed, currentSeed, earlier: options.state, choices })
  const { state } = seeded
  const clock = createClock(() => state.clock, now)
  const passTime = wait ?? (async (ms: number) => clock.advance(ms))
  const random = () => seeded.currentSeed().random
  const contextAt = createContextAt({ random, state, basePath, apiKeyHeader, wait: passTime })
  const context = () => contextAt(clock.nowMs())
  const changed = () => onChange?.()
  const record = recordRequests({ state, nowMs: clock.nowMs, wait: passTime, changed, apiKeyHeader })
  const app = createApp({ basePath, log, context, record })
  const paths = () => [...new Set(app.routes.map(({ path }) => path).filter((path) => path !== '/*'))]
  const control = createControl({
    context,
    clock,
    changed,
    random,
    paths,
    restore: seeded.restore,
    reset: seeded.reset,
    seed: seeded.reseed,
    targets: { toNextMinute: nextMinute, toTokenEnd: tokenEnd, toMonthEnd: monthEnd },
  })
  return {
    fetch: async (request) => app.fetch(request),
    snapshot: control.snapshot,
    currentSeed: () => structuredClone(seeded.currentSeed()),
    paths,
    control,
  }
}

interface AppParts {
  basePath: string
  log: SandboxOptions['log']
  /** The context of a request that is answered now. */
  context: () => Context
  record: MiddlewareHandler<Env>
}

/** Joins all routes; what goes around every answer comes first. */
function createApp({ basePath, log, context, record }: AppParts): Hono<Env> {
  const app = new Hono<Env>({ getPath: ({ url }) => pathBelow(basePath, new URL(url).pathname) })
  // Stylesheet and icon are no requests to the service.
  app.use((c, next) => ([STYLE_PATH, MARK_PATH].includes(c.req.path) ? next() : record(c, next)))
  app.use(async (c, next) => {
    c.set('context', context())
    applyDuePlanChanges(c.get('context'))
    await next()
    writeCommonHeaders(c)
  })
  app.onError((error, c) => {
    if (error instanceof ConnectionReset) throw error
    return answerRefusal(error, c, log)
  })
  const limited = bodyLimit(
    LARGEST_BODY_BYTES,
    (error, headers) => new Refusal(error === 'too_large' ? 'too_large' : 'invalid_request', { headers }),
  )
  addPages(app, limited)
  addAsset(app, STYLE_PATH, 'text/css; charset=utf-8', STYLE)
  addAsset(app, MARK_PATH, 'image/svg+xml', markFile())
  app.use(transport)
  addTokenEndpoints(app, limited)
  addApi(app, limited)
  return app
}

function addPages(app: Hono<Env>, limited: MiddlewareHandler): void {
  const page = (path: string, handlers: { get?: Handler<Env>; post?: Handler<Env> }) => {
    const { get, post } = handlers
    app.use(path, async (c, next) => {
      c.set('page', true)
      await next()
    })
    app.all(path, allowMethods(...(get ? ['GET', 'HEAD'] : []), ...(post ? ['POST'] : [])))
    if (get) app.get(path, get)
    if (post) app.post(path, limited, post)
  }
  page('/', { get: startPage })
  page('/projects', { get: requireLogin(projectPage), post: signIn })
  page('/plan', { get: requireLogin(planPage), post: signIn })
  for (const [path, handlers] of SETTINGS_PAGES) page(path, handlers)
  page(AUTHORIZATION_PATH, { get: authorize, post: signIn })
  page(CONSENT_PATH, { post: answerConsent })
}

function addAsset(app: Hono<Env>, path: string, type: string, text: string | Promise<string>): void {
  app.all(path, allowMethods('GET', 'HEAD'), async (c) => c.body(await text, 200, { 'Content-Type': type }))
}

function addTokenEndpoints(app: Hono<Env>, limited: MiddlewareHandler): void {
  app.use(TOKEN_PATH, tokenRateHeaders, preflight)
  app.all(TOKEN_PATH, allowMethods('POST'), limited, token)
  app.use(REVOCATION_PATH, except(isNotOffered, allowMethods('POST'), limited, revoke))
  app.use(METADATA_PATH, metadata)
}

/** Every other address belongs to the API: also the unknown ones are answered and counted there. */
function addApi(app: Hono<Env>, limited: MiddlewareHandler): void {
  app.use(rateHeaders, meter, preflight, withinScope)
  app.all('/organizations', allowMethods('GET'), ownOrganization)
  app.all('/organizations/:id', allowMethods('GET'), oneOrganization)
  app.all(RATE_LIMIT_PATH, allowMethods('GET'), rateLimit)
  app.all(ECHO_PATH, requireEcho, allowMethods(...ECHO_METHODS), limited, echo)
  app.all('*', notFound)
}

/** The path below `basePath`; a path outside of it leads to an unknown address. */
function pathBelow(basePath: string, path: string): string {
  if (path === basePath) return '/'
  // RFC 8414 3.1: the one address that has the path behind it.
  if (path === METADATA_PATH + basePath) return METADATA_PATH
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : '/outside'
}
