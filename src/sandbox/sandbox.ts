/** The sandbox, a local implementation of the service. This file decides which handler answers an address. */
import type { Answer, Inbound } from '../contract/answer.ts'
import { AUTHORIZATION_PATH } from '../contract/authorize.ts'
import { API_KEY_HEADER } from '../contract/credential.ts'
import { RATE_LIMIT_PATH } from '../contract/rate-limit.ts'
import { TOKEN_PATH } from '../contract/token.ts'
import { ECHO_METHODS, ECHO_PATH, echo, requireEcho } from './api/echo.ts'
import { oneOrganization, ownOrganization } from './api/organization.ts'
import { withinScope } from './api/scope.ts'
import { allowMethods, refuseUnknownPath } from './api/unknown-address.ts'
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
import type { Handler } from './http/handler-context.ts'
import { markFile } from './http/page.tsx'
import { answerRefusal, Refusal, type SandboxLogEntry } from './http/problem.tsx'
import { createRouter } from './http/router.ts'
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
import { createContextAt, type Context } from './state/context.ts'
import { ConnectionReset } from './state/injected-fault.ts'
import { createSeededState } from './state/seeded-state.ts'
import type { Seed } from './state/seed.ts'
import type { SandboxState } from './state/state.ts'
import { isRevocationOffered, REVOCATION_PATH, revoke } from './token/revocation.ts'
import { token } from './token/token.ts'

const STYLE_PATH = '/style.css'
const MARK_PATH = '/mark.svg'

export interface SandboxOptions {
  /** The seed of the first start. */
  seed: Seed
  /** UNIX milliseconds. Lifetimes, windows, months and the header Date follow it. */
  now: () => number
  /** An earlier snapshot to continue from, in place of the seed's records. */
  state?: SandboxState
  /** The seed that a reset goes back to, if it is not the first. */
  currentSeed?: Seed
  /** Called at the end of each request that may have changed the state. */
  onChange?: () => void
  /** Choices that differ from their defaults. */
  choices?: Partial<Choices>
  /** The path in front of every address, for example `/a/b`. */
  basePath?: string
  /** Given if it is not that of 5.1.5. */
  apiKeyHeader?: string
  log?: (entry: SandboxLogEntry) => void
  /** Waits in real time. Without it, delays advance the sandbox's clock. */
  wait?: (ms: number) => Promise<void>
}

export interface Sandbox {
  /** Answers every request, also those that fail. @throws ConnectionReset if a fault breaks the connection */
  answer: (request: Inbound) => Promise<Answer>
  fetch: (request: Request) => Promise<Response>
  /** A copy as plain JSON. It has every secret of the sandbox. */
  snapshot(): SandboxState
  /** The snapshot as JSON, without the index, which a restore builds again. */
  snapshotText(): string
  /** A copy. A reset goes back to it. */
  currentSeed(): Seed
  /** Every path that has a route, once. */
  paths(): readonly string[]
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
  const { answer, paths } = createRoutes({ basePath, log, context, record })
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
    answer,
    fetch: async (request) => (await answer(request)).toResponse(),
    snapshot: control.snapshot,
    snapshotText: () => JSON.stringify({ ...state, index: {} }),
    currentSeed: () => structuredClone(seeded.currentSeed()),
    paths,
    control,
  }
}

interface RouteParts {
  basePath: string
  log: SandboxOptions['log']
  context: () => Context
  record: Handler
}

/** Each list begins with the handlers that go around the answer. */
function createRoutes({ basePath, log, context, record }: RouteParts) {
  const inContext: Handler = async (c, next) => {
    c.set('context', context())
    applyDuePlanChanges(c.get('context'))
    await next()
    writeCommonHeaders(c)
  }
  const recorded = [record, inContext]
  const routes = {
    ...pageRoutes(recorded),
    // The stylesheet and the icon are not requests to the service.
    [STYLE_PATH]: [inContext, ...asset('text/css; charset=utf-8', STYLE)],
    [MARK_PATH]: [inContext, ...asset('image/svg+xml', markFile())],
    ...tokenRoutes([...recorded, transport]),
    ...apiRoutes([...recorded, transport, ...API_HANDLERS]),
  }
  const answer = createRouter({
    routes,
    // Unknown addresses also belong to the API, which counts them.
    otherwise: [...recorded, transport, ...API_HANDLERS, refuseUnknownPath],
    toRoutePath: (pathname) => pathBelow(basePath, pathname),
    onError(error, c) {
      if (error instanceof ConnectionReset) throw error
      return answerRefusal(error, c, log)
    },
  })
  return { answer, paths: () => Object.keys(routes) }
}

const limited = bodyLimit(
  LARGEST_BODY_BYTES,
  (error, headers) => new Refusal(error === 'too_large' ? 'too_large' : 'invalid_request', { headers }),
)
const API_HANDLERS = [rateHeaders, meter, preflight, withinScope]

type Routes = Record<string, readonly Handler[]>

function pageRoutes(around: readonly Handler[]): Routes {
  const asPage: Handler = (c, next) => {
    c.set('page', true)
    return next()
  }
  const page = ({ get, post }: { get?: Handler; post?: Handler }): Handler[] => [
    ...around,
    asPage,
    allowMethods(...(get ? ['GET', 'HEAD'] : []), ...(post ? ['POST'] : [])),
    ...(get ? [forReads(get)] : []),
    ...(post ? [limited, post] : []),
  ]
  return {
    '/': page({ get: startPage }),
    '/projects': page({ get: requireLogin(projectPage), post: signIn }),
    '/plan': page({ get: requireLogin(planPage), post: signIn }),
    ...Object.fromEntries(SETTINGS_PAGES.map(([path, handlers]) => [path, page(handlers)])),
    [AUTHORIZATION_PATH]: page({ get: authorize, post: signIn }),
    [CONSENT_PATH]: page({ post: answerConsent }),
  }
}

const forReads =
  (get: Handler): Handler =>
  (c, next) =>
    ['GET', 'HEAD'].includes(c.req.method) ? get(c, next) : next()

const asset = (type: string, text: string | Promise<string>): Handler[] => [
  allowMethods('GET', 'HEAD'),
  async (c) => c.body(await text, 200, { 'Content-Type': type }),
]

/** Revocation and metadata are unknown addresses of the API if they are not offered. */
function tokenRoutes(around: readonly Handler[]): Routes {
  const whereOffered =
    (handler: Handler): Handler =>
    (c, next) =>
      isRevocationOffered(c) ? handler(c, next) : next()
  return {
    [TOKEN_PATH]: [...around, tokenRateHeaders, preflight, allowMethods('POST'), limited, token],
    [REVOCATION_PATH]: [
      ...around,
      ...[allowMethods('POST'), limited, revoke].map(whereOffered),
      ...API_HANDLERS,
      refuseUnknownPath,
    ],
    [METADATA_PATH]: [...around, metadata, ...API_HANDLERS, refuseUnknownPath],
  }
}

const apiRoutes = (around: readonly Handler[]): Routes => ({
  '/organizations': [...around, allowMethods('GET'), ownOrganization],
  '/organizations/:id': [...around, allowMethods('GET'), oneOrganization],
  [RATE_LIMIT_PATH]: [...around, allowMethods('GET'), rateLimit],
  [ECHO_PATH]: [...around, requireEcho, allowMethods(...ECHO_METHODS), limited, echo],
})

/** A path outside `basePath` leads to an unknown address. */
function pathBelow(basePath: string, path: string): string {
  if (path === basePath) return '/'
  // RFC 8414 3.1: only this address is followed by the base path.
  if (path === METADATA_PATH + basePath) return METADATA_PATH
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : '/outside'
}
