/** The sandbox: a local implementation of the service. Which address is answered by whom stands here. */
import { type Handler, Hono } from 'hono'
import { except } from 'hono/combine'
import { AUTHORIZATION_PATH } from '../contract/authorize.ts'
import { RATE_LIMIT_PATH } from '../contract/rate-limit.ts'
import { API_KEY_HEADER } from '../contract/credential.ts'
import { TOKEN_PATH } from '../contract/token.ts'
import { nothingHere, only } from './address.ts'
import { authorize } from './authorize.ts'
import { bodyLimit } from './body-limit.ts'
import { createClock } from './clock.ts'
import { type Control, createControl } from './control.ts'
import { ECHO_METHODS, ECHO_PATH, echo, ifInvented } from './echo.ts'
import { LARGEST_BODY_BYTES } from './form.ts'
import { monthEnd, nextMinute, tokenEnd } from './instant.ts'
import { metadata, METADATA_PATH } from './metadata.ts'
import { meter } from './meter.ts'
import { planPage } from './month.tsx'
import { oneOrganization, ownOrganization } from './organization.ts'
import { markFile } from './page.tsx'
import { answerPermission, PERMISSION_PATH } from './permission.tsx'
import { forPeople, signIn } from './person.tsx'
import { beginDuePlans } from './plan-change.tsx'
import { parseProfile, type Profile } from './profile.ts'
import { answerRefusal, Refusal, type SandboxLogEntry } from './problem.tsx'
import { projectPage } from './project.tsx'
import { rateHeaders, tokenRateHeaders } from './rate-header.ts'
import { rateLimit } from './rate-limit.ts'
import { record } from './record.ts'
import { isNotOffered, REVOCATION_PATH, revoke } from './revocation.ts'
import { SETTINGS_PAGES } from './settings.tsx'
import { withinScope } from './scope.ts'
import { startPage } from './start.tsx'
import { beginningOf, parseSeed, parseState } from './snapshot.ts'
import type { SandboxState, Seed } from './state.ts'
import { STYLE } from './style.ts'
import { token } from './token.ts'
import { preflight, transport, writeCommonHeaders } from './transport.ts'
import { createWorld, type Env, type Visit } from './world.ts'

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
  profile?: Partial<Profile>
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
  profile,
  wait,
  apiKeyHeader = API_KEY_HEADER,
  currentSeed,
  state: earlier,
}: SandboxOptions): Sandbox {
  let begun = currentSeed === undefined ? seed : parseSeed(currentSeed, seed)
  const state = earlier === undefined ? beginningOf(begun) : parseState(earlier, beginningOf(begun))
  state.profile = parseProfile(profile ?? {}, state.profile)
  const clock = createClock(() => state.clock, now)
  const passTime = wait ?? (async (ms: number) => clock.advance(ms))
  const worldAt = createWorld({
    random: () => begun.random,
    state,
    basePath,
    apiKeyHeader,
    wait: passTime,
  })
  /** How each request in flight is being answered. */
  const visits = new WeakMap<Request, Visit>()
  const pathOf = (url: URL) => pathBelow(basePath, url.pathname)
  const app = new Hono<Env>({ getPath: ({ url }) => pathOf(new URL(url)) })

  app.use(async (c, next) => {
    const world = worldAt(clock.nowMs())
    c.set('world', world)
    beginDuePlans(world)
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
    app.all(path, only(...(get ? ['GET', 'HEAD'] : []), ...(post ? ['POST'] : [])))
    if (get) app.get(path, get)
    if (post) app.post(path, limited, post)
  }
  page('/', { get: startPage })
  page('/projects', { get: forPeople(projectPage), post: signIn })
  page('/plan', { get: forPeople(planPage), post: signIn })
  for (const [path, handlers] of SETTINGS_PAGES) page(path, handlers)
  page(AUTHORIZATION_PATH, { get: authorize, post: signIn })
  page(PERMISSION_PATH, { post: answerPermission })
  const asset = (path: string, type: string, text: string | Promise<string>) => {
    app.all(path, only('GET', 'HEAD'), async (c) => c.body(await text, 200, { 'Content-Type': type }))
  }
  asset(STYLE_PATH, 'text/css; charset=utf-8', STYLE)
  asset(MARK_PATH, 'image/svg+xml', markFile())

  app.use(transport)
  app.use(TOKEN_PATH, tokenRateHeaders, preflight)
  app.all(TOKEN_PATH, only('POST'), limited, token)
  app.use(REVOCATION_PATH, except(isNotOffered, only('POST'), limited, revoke))
  app.use(METADATA_PATH, metadata)

  // All else is the API: addresses that there are not are answered, and counted, as well.
  app.use(rateHeaders, meter, preflight, withinScope)
  app.all('/organizations', only('GET'), ownOrganization)
  app.all('/organizations/:id', only('GET'), oneOrganization)
  app.all(RATE_LIMIT_PATH, only('GET'), rateLimit)
  app.all(ECHO_PATH, ifInvented, only(...ECHO_METHODS), limited, echo)
  app.all('*', nothingHere)

  const paths = () => [...new Set(app.routes.map(({ path }) => path).filter((path) => path !== '/*'))]
  const control = createControl({
    world: () => worldAt(clock.nowMs()),
    clock,
    changed: () => onChange?.(),
    paths,
    restore: (snapshot) => Object.assign(state, parseState(snapshot, beginningOf(begun))),
    reset: () => Object.assign(state, beginningOf(begun, profile)),
    seed(records) {
      begun = parseSeed(records, seed)
      Object.assign(state, beginningOf(begun, profile))
    },
    random: () => begun.random,
    targets: { toNextMinute: nextMinute, toTokenEnd: tokenEnd, toMonthEnd: monthEnd },
  })
  const answer = async (request: Request) => {
    const whole = await app.fetch(request)
    return { whole, visit: visits.get(request) as Visit }
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
