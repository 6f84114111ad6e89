/** The sandbox: a local implementation of the service. Which address is answered by whom stands here. */
import { type Handler, Hono } from 'hono'
import { except } from 'hono/combine'
import { AUTHORIZATION_PATH } from '../contract/authorize.ts'
import { RATE_LIMIT_PATH } from '../contract/rate-limit.ts'
import { API_KEY_HEADER } from '../contract/credential.ts'
import { TOKEN_PATH } from '../contract/token.ts'
import { allowMethods, notFound } from './api/unknown-address.ts'
import { authorize } from './authorize/authorize.ts'
import { bodyLimit } from './http/body-limit.ts'
import { createClock } from './state/clock.ts'
import { type Control, createControl } from './control/control.ts'
import { ECHO_METHODS, ECHO_PATH, echo, requireEcho } from './api/echo.ts'
import { LARGEST_BODY_BYTES } from './http/form.ts'
import { monthEnd, nextMinute, tokenEnd } from './control/instant.ts'
import { metadata, METADATA_PATH } from './authorize/metadata.ts'
import { meter } from './limits/meter.ts'
import { planPage } from './limits/month.tsx'
import { oneOrganization, ownOrganization } from './api/organization.ts'
import { markFile } from './http/page.tsx'
import { answerConsent, CONSENT_PATH } from './authorize/consent.tsx'
import { requireLogin, signIn } from './authorize/login.tsx'
import { applyDuePlanChanges } from './settings/plan-change.tsx'
import { parseChoices, type Choices } from './choices/choices.ts'
import { answerRefusal, Refusal, type SandboxLogEntry } from './http/problem.tsx'
import { projectPage } from './settings/project.tsx'
import { rateHeaders, tokenRateHeaders } from './limits/rate-header.ts'
import { rateLimit } from './limits/rate-limit.ts'
import { record } from './control/record.ts'
import { isNotOffered, REVOCATION_PATH, revoke } from './token/revocation.ts'
import { SETTINGS_PAGES } from './settings/settings.tsx'
import { withinScope } from './api/scope.ts'
import { startPage } from './settings/start.tsx'
import { initialState, parseSeed, parseState } from './state/snapshot.ts'
import type { SandboxState, Seed } from './state/state.ts'
import { STYLE } from './http/style.ts'
import { token } from './token/token.ts'
import { preflight, transport, writeCommonHeaders } from './http/transport.ts'
import { createContextAt, type Env, type HonoContext } from './state/context.ts'

const STYLE_PATH = '/style.css'
const MARK_PATH = '/mark.svg'

export interface SandboxOptions {
  seed: Seed
  /** UNIX milliseconds. Every lifetime, window and month follows it, and so does the header Date. */
  now: () => number
  /** The name of the header that carries an API key; `X-Service-Api-Key` where none is named (5.1.5). */
  apiKeyHeader?: string
  /** The seed that the state stands on, where it is not the built-in one. */
  currentSeed?: Seed
  /** An earlier snapshot to go on from, in place of the seed's records. */
  state?: SandboxState
  /** Called at the end of each request that changed the state. */
  onChange?: () => void
  /** Where the document is silent, what to do other than by default. */
  choices?: Partial<Choices>
  /** The path in front of every address, as `/a/b`. */
  basePath?: string
  log?: (entry: SandboxLogEntry) => void
  /** Passes real time, for what is slow on purpose; without it, the sandbox's clock goes on by as much. */
  wait?: (ms: number) => Promise<void>
}

export interface Sandbox {
  /** Answers every request, also those that fail. */
  fetch: (request: Request) => Promise<Response>
  /** A copy of the whole state, as plain JSON; it holds every secret of the sandbox. */
  snapshot(): SandboxState
  /** The seed that a reset goes back to: the last one of `seed`, or the built-in one. */
  currentSeed(): Seed
  /** Every path that it answers by itself, as routed. */
  paths: () => readonly string[]
  /** What can be done with it beyond using it. */
  control: Control
}

/** The same seed, clock and requests give the same answers, byte for byte. */
export function createSandbox({
  seed,
  now,
  onChange,
  basePath = '',
  log,
  choices,
  wait,
  apiKeyHeader = API_KEY_HEADER,
  currentSeed,
  state: earlier,
}: SandboxOptions): Sandbox {
  let begun = currentSeed === undefined ? seed : parseSeed(currentSeed, seed)
  const state = earlier === undefined ? initialState(begun) : parseState(earlier, initialState(begun))
  state.choices = parseChoices(choices ?? {}, state.choices)
  const clock = createClock(() => state.clock, now)
  const passTime = wait ?? (async (ms: number) => clock.advance(ms))
  const contextAt = createContextAt({
    random: () => begun.random,
    state,
    basePath,
    apiKeyHeader,
    wait: passTime,
  })
  /** How each request in flight is being answered. */
  const visits = new WeakMap<Request, HonoContext>()
  const pathOf = (url: URL) => pathBelow(basePath, url.pathname)
  const app = new Hono<Env>({ getPath: ({ url }) => pathOf(new URL(url)) })

  app.use(async (c, next) => {
    const context = contextAt(clock.nowMs())
    c.set('context', context)
    applyDuePlanChanges(context)
    visits.set(c.req.raw, c)
    await next()
    writeCommonHeaders(c)
  })
  app.onError((error, c) => answerRefusal(error, c, log))

  const limited = bodyLimit(
    LARGEST_BODY_BYTES,
    (error, headers) => new Refusal(error === 'too_large' ? error : 'invalid_request', { headers }),
  )
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
  const asset = (path: string, type: string, text: string | Promise<string>) => {
    app.all(path, allowMethods('GET', 'HEAD'), async (c) => c.body(await text, 200, { 'Content-Type': type }))
  }
  asset(STYLE_PATH, 'text/css; charset=utf-8', STYLE)
  asset(MARK_PATH, 'image/svg+xml', markFile())

  app.use(transport)
  app.use(TOKEN_PATH, tokenRateHeaders, preflight)
  app.all(TOKEN_PATH, allowMethods('POST'), limited, token)
  app.use(REVOCATION_PATH, except(isNotOffered, allowMethods('POST'), limited, revoke))
  app.use(METADATA_PATH, metadata)

  // All else is the API: addresses that there are not are answered, and counted, as well.
  app.use(rateHeaders, meter, preflight, withinScope)
  app.all('/organizations', allowMethods('GET'), ownOrganization)
  app.all('/organizations/:id', allowMethods('GET'), oneOrganization)
  app.all(RATE_LIMIT_PATH, allowMethods('GET'), rateLimit)
  app.all(ECHO_PATH, requireEcho, allowMethods(...ECHO_METHODS), limited, echo)
  app.all('*', notFound)

  const paths = () => [...new Set(app.routes.map(({ path }) => path).filter((path) => path !== '/*'))]
  const control = createControl({
    context: () => contextAt(clock.nowMs()),
    clock,
    changed: () => onChange?.(),
    paths,
    restore: (snapshot) => Object.assign(state, parseState(snapshot, initialState(begun))),
    reset: () => Object.assign(state, initialState(begun, choices)),
    seed(records) {
      begun = parseSeed(records, seed)
      Object.assign(state, initialState(begun, choices))
    },
    random: () => begun.random,
    targets: { toNextMinute: nextMinute, toTokenEnd: tokenEnd, toMonthEnd: monthEnd },
  })
  const answer = async (request: Request) => {
    const whole = await app.fetch(request)
    return { whole, visit: visits.get(request) as HonoContext }
  }
  const fetch = async (request: Request) => {
    // What only dresses a page is no request to the service.
    if ([STYLE_PATH, MARK_PATH].includes(pathOf(new URL(request.url)))) return app.fetch(request)
    try {
      return await record(
        { state, nowMs: clock.nowMs, wait: passTime, pathOf, answer, apiKeyHeader },
        request,
      )
    } finally {
      onChange?.()
    }
  }
  return { fetch, snapshot: control.snapshot, currentSeed: () => structuredClone(begun), paths, control }
}

/** The path without what is in front of it; what is not below it leads to no address that there is. */
function pathBelow(basePath: string, path: string): string {
  if (path === basePath) return '/'
  // RFC 8414 3.1: the one address that has the path behind it.
  if (path === METADATA_PATH + basePath) return METADATA_PATH
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : '/outside'
}
