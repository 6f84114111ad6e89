/** The sandbox, a local implementation of the service. This file decides which handler answers an address. */
import { Hono } from 'hono'
import { AUTHORIZATION_PATH } from '../contract/authorize.ts'
import { API_KEY_HEADER } from '../contract/credential.ts'
import { RATE_LIMIT_PATH } from '../contract/rate-limit.ts'
import { TOKEN_PATH } from '../contract/token.ts'
import { withinScope } from './api/credential.ts'
import { ECHO_METHODS, ECHO_PATH, echo, oneOrganization, ownOrganization } from './api/organization.ts'
import { authorize } from './authorize/authorize.ts'
import { answerConsent, CONSENT_PATH } from './authorize/consent.tsx'
import { signIn } from './authorize/login.tsx'
import { METADATA_PATH, metadata } from './authorize/redirect.tsx'
import type { Choices } from './choices/choices.ts'
import { type Control, createControl } from './control/control.ts'
import { serviceDocument } from './control/openapi.ts'
import { recordRequests } from './control/record.ts'
import {
  allowMethods,
  allowOrigins,
  asHono,
  type Handler,
  OUTSIDE,
  page,
  pathBelow,
  preflight,
  refuseUnknownPath,
  type SandboxEnv,
  writeCommonHeaders,
  writeJson,
} from './http/handler.ts'
import { ASSETS, answerRefusal } from './http/page.tsx'
import { meter, rateHeaders, tokenRateHeaders } from './limits/meter.ts'
import { rateLimit } from './limits/rate-limit.ts'
import { PAGES, START_PAGE } from './settings/pages.tsx'
import { type Context, createClock, createContextAt } from './state/context.ts'
import { ConnectionReset } from './state/injected-fault.ts'
import type { Seed } from './state/seed.ts'
import { createSeededState, type SandboxState, type SeededStateOptions } from './state/state.ts'
import { isRevocationOffered, REVOCATION_PATH, revoke, token } from './token/token.ts'

export interface SandboxOptions extends SeededStateOptions {
  /** UNIX milliseconds. Lifetimes, windows, months and the header Date follow it. */
  now: () => number
  /** Called at the end of each request that may have changed the state. */
  onChange?: () => void
  /** The path in front of every address, for example `/a/b`. */
  basePath?: string
  /** Without it the control plane takes no token: it is then for this machine alone. */
  controlToken?: string
  /** Opens an isolated copy. @returns its addresses, under the host name that the client used */
  openWorld?: (reachedAs: string) => { url: string; control_url: string }
  apiKeyHeader?: string
  /** Called with the cause of an answer 500. */
  onError?: (error: Error) => void
  /** Waits in real time. Without it, delays advance the sandbox's clock. */
  wait?: (ms: number) => Promise<void>
}

export interface Sandbox {
  /** Answers every request, also those that fail. @throws ConnectionReset if a fault breaks the connection */
  fetch: (request: Request) => Promise<Response>
  /** A copy as plain JSON. It has every secret of the sandbox. */
  snapshot(): SandboxState
  /** The state itself, which later requests change. */
  state(): Context['state']
  currentSeed(): Seed
  paths(): readonly string[]
  control: Control
}

/** The same seed, clock and requests give the same answers, byte for byte. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { now, onChange, onError, basePath = '', wait } = options
  const apiKeyHeader = options.apiKeyHeader ?? API_KEY_HEADER
  const seeded = createSeededState(options)
  const { state } = seeded
  const clock = createClock(() => state.clock, now)
  const passTime = wait ?? (async (ms: number) => clock.advance(ms))
  const random = () => seeded.currentSeed().random
  const contextAt = createContextAt({ random, state, basePath, apiKeyHeader })
  const context = () => contextAt(clock.nowMs())
  const changed = () => onChange?.()
  const record = recordRequests({ context, wait: passTime, changed })
  const { fetch, paths } = createRoutes(options, context, record)
  const { controlToken: token, openWorld } = options
  const access = { basePath, token, openWorld, onError }
  const control = createControl({ context, clock, changed, random, ...seeded, ...access })
  return {
    fetch,
    snapshot: control.snapshot,
    state: () => state,
    currentSeed: () => structuredClone(seeded.currentSeed()),
    paths,
    control,
  }
}

function createRoutes({ basePath = '', onError }: SandboxOptions, context: () => Context, record: Handler) {
  const app = new Hono<SandboxEnv>({
    getPath: ({ url }) => servicePathBelow(basePath, new URL(url).pathname),
  })
  app.onError((error, c) => {
    if (error instanceof ConnectionReset) throw error
    return answerRefusal(error, c, onError)
  })
  for (const [path, answer] of Object.entries(FILES))
    app.use(path, ...asHono(inContext(context), allowMethods('GET', 'HEAD'), answer))
  app.use(...asHono(record, inContext(context)))
  for (const [path, handlers] of Object.entries(ROUTES)) app.use(path, ...asHono(...handlers))
  app.use(`${OUTSIDE}/*`, ...asHono(setUnknown, refuseUnknownPath))
  // Unknown addresses also belong to the API, which counts them.
  app.use(...asHono(setUnknown, ...API, refuseUnknownPath))
  const paths = () => [...Object.keys(FILES), ...Object.keys(ROUTES)]
  return { fetch: async (request: Request) => app.fetch(request), paths }
}

const inContext =
  (context: () => Context): Handler =>
  async (c, next) => {
    c.set('context', context())
    c.set('contextNow', context)
    await next()
    writeCommonHeaders(c)
  }

const setUnknown: Handler = async (c, next) => {
  c.set('unknown', true)
  await next()
}

const FILES: Record<string, Handler> = {
  ...ASSETS,
  '/openapi.json': (c) => writeJson(c, serviceDocument(c.get('context').apiKeyHeader)),
}

/** Each of these goes around those after it. */
const API = [allowOrigins, rateHeaders, meter, preflight, withinScope]

/** Passes the request on, to the unknown addresses, if `isOffered` is false. */
const ifOffered = (isOffered: (choices: Readonly<Choices>) => boolean, ...handlers: Handler[]): Handler[] =>
  handlers.map(
    (handler): Handler =>
      (c, next) =>
        isOffered(c.get('context').choices) ? handler(c, next) : next(),
  )

const ROUTES: Record<string, Handler[]> = {
  '/': page({ get: START_PAGE }),
  [AUTHORIZATION_PATH]: page({ get: authorize, post: (c) => signIn(c) }),
  [CONSENT_PATH]: page({ post: answerConsent }),
  ...Object.fromEntries(
    PAGES.map(([path, { get, post }]) => [path, page({ get, post: post ?? ((c) => signIn(c)) })]),
  ),
  [TOKEN_PATH]: [allowOrigins, tokenRateHeaders, preflight, allowMethods('POST'), token],
  [REVOCATION_PATH]: ifOffered(isRevocationOffered, allowOrigins, allowMethods('POST'), revoke),
  [METADATA_PATH]: ifOffered(({ metadata: chosen }) => chosen !== 'none', allowMethods('GET'), metadata),
  '/organizations': [...API, allowMethods('GET'), ownOrganization],
  '/organizations/:id': [...API, allowMethods('GET'), oneOrganization],
  [RATE_LIMIT_PATH]: [...API, allowMethods('GET'), rateLimit],
  [ECHO_PATH]: ifOffered(
    ({ resources }) => resources === 'echo',
    ...API,
    allowMethods(...ECHO_METHODS),
    echo,
  ),
}

/** RFC 8414 3.1: only the address of the metadata is followed by the base path. */
const servicePathBelow = (basePath: string, path: string): string =>
  path === METADATA_PATH + basePath ? METADATA_PATH : pathBelow(basePath, path)
