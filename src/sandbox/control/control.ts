/** The control plane: the actions on the sandbox as methods, over HTTP and on a page. */
import { Hono } from 'hono'
import { readCredentials } from '../../contract/credential.ts'
import { bearerChallenge, isSameSecret } from '../api/credential.ts'
import { mediaTypeOf, readBody, readText } from '../http/form.ts'
import {
  allowMethods,
  asHono,
  type Handler,
  type HandlerContext,
  page,
  pathBelow,
  queryOf,
  Refusal,
  refuseUnknownPath,
  type SandboxEnv,
  write,
  writeJson,
} from '../http/handler.ts'
import { ASSETS, answerRefusal, linkTo } from '../http/page.tsx'
import type { Context } from '../state/context.ts'
import { derive } from '../state/seed.ts'
import { ownValue } from '../state/state.ts'
import { fieldsOf, readFields, readForm } from './form.tsx'
import { controlDocument } from './openapi.ts'
import { controlPage } from './page.tsx'
import { ACTIONS, type Action, type ActionParts } from './routes.ts'

/** The actions as methods: each throws an Error with the reason if its argument is not valid. */
type Methods = {
  [Name in keyof typeof ACTIONS]: (value?: unknown) => ReturnType<(typeof ACTIONS)[Name]['run']>
}

export interface Control extends Methods {
  nowMs: () => number
  fetch: (request: Request) => Promise<Response>
  paths: () => readonly string[]
}

interface ControlParts extends Omit<ActionParts, 'reachedAs'> {
  context: () => Context
  changed: () => void
  random: () => string
  basePath?: string | undefined
  onError?: ((error: Error) => void) | undefined
  /** Needed at every address but `/healthz`, if there is one. */
  token?: string | undefined
}

const LARGEST_SNAPSHOT_BYTES = 64 * 1024 * 1024

export function createControl(parts: ControlParts): Control {
  const act: Act = ({ at, run }, value, reachedAs = '127.0.0.1') => {
    const result = run(parts.context(), value, { ...parts, reachedAs })
    if (!at.startsWith('GET ')) parts.changed()
    return result
  }
  const methods = Object.entries(ACTIONS).map(([name, action]) => [
    name,
    (value?: unknown) => act(action, value),
  ])
  const app = createRoutes(parts, act)
  return {
    ...(Object.fromEntries(methods) as Methods),
    nowMs: parts.clock.nowMs,
    paths: () => ['/', ...Object.keys(FILES), ...PATHS],
    fetch: async (request) => app.fetch(request),
  }
}

type Act = (action: Action, value: unknown, reachedAs?: string) => unknown

function createRoutes({ basePath = '', context, random, onError, token }: ControlParts, act: Act) {
  const app = new Hono<SandboxEnv>({ getPath: ({ url }) => pathBelow(basePath, new URL(url).pathname) })
  app.onError((error, c) => answerRefusal(error, c, onError))
  app.use(async (c, next) => {
    await next()
    c.header('Cache-Control', 'no-store')
    c.header('X-Content-Type-Options', 'nosniff')
    c.header('Cross-Origin-Resource-Policy', 'same-origin')
  })
  app.use((c, next) => {
    c.set('context', context())
    const { apiKeyHeader } = c.get('context')
    const denial = c.req.path !== '/healthz' && denialOf(c.req.raw, { apiKeyHeader, token })
    if (denial) throw denial
    return next()
  })
  for (const [path, answer] of Object.entries(FILES)) app.on('GET', [path], ...asHono(answer))
  // It changes only with the seed: a page that can read it can send any request anyway.
  const csrfToken = () => derive(random(), 'form of the control plane')
  const get: Handler = (c) => controlPage(c, context(), csrfToken())
  app.use('/', ...asHono(...page({ get, post: (c) => answerForm(c, act, csrfToken()) })))
  for (const path of PATHS) app.use(path, ...asHono(allowMethods(...methodsAt(path))))
  for (const action of Object.values<Action>(ACTIONS)) {
    const [method = '', path = ''] = action.at.split(' ')
    app.on(method, [path], (c) => answerAction(c, action, act))
  }
  app.use(...asHono(refuseUnknownPath))
  return app
}

const FILES: Record<string, Handler> = {
  ...ASSETS,
  '/openapi.json': (c) => writeJson(c, controlDocument()),
}
const ROUTES = Object.values<Action>(ACTIONS).map(({ at }) => at.split(' '))
const PATHS = [...new Set(ROUTES.map(([, path = '']) => path))]
const methodsAt = (path: string) => ROUTES.flatMap(([method = '', at]) => (at === path ? [method] : []))

/** Its forms send the name of an action, and the fields of its value. */
async function answerForm(c: HandlerContext, act: Act, csrfToken: string): Promise<Response> {
  const form = await readBody(c)
  if (form.get('csrf_token') !== csrfToken)
    throw new Refusal('stale_form', {
      description: 'This form does not have the csrf token of this page. Open the page again.',
    })
  invalidIfThrown(() => {
    const action = ownValue<Action>(ACTIONS, form.get('action') ?? '')
    if (action === undefined) throw new Error('This form belongs to no action')
    act(action, readForm(form, action), hostOf(c))
  })
  return write(c, 303, null, { Location: linkTo(c, '') })
}

async function answerAction(c: HandlerContext, action: Action, act: Act): Promise<Response> {
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(c.req.method)
  const value = hasBody ? await readJson(c) : readFields(fieldsOf(action.body), queryOf(c))
  const result = invalidIfThrown(() => act(action, value, hostOf(c)))
  if (result === undefined) return write(c, 204, null)
  const isUnmet =
    action === ACTIONS.verify && (result as ReturnType<typeof ACTIONS.verify.run>).differences.length > 0
  return writeJson(c, result, isUnmet ? 409 : 200)
}

const hostOf = ({ req }: HandlerContext): string => new URL(req.url).hostname

/** No form of another site can send JSON. An empty body, which needs no type, is `undefined`. */
async function readJson(c: HandlerContext): Promise<unknown> {
  const [type, isSnapshot] = [mediaTypeOf(c), ['/restore', '/seed'].includes(c.req.path)]
  const text = await readText(c, isSnapshot ? LARGEST_SNAPSHOT_BYTES : undefined)
  if (type !== 'application/json' && (type !== '' || text !== ''))
    throw new Refusal('unsupported_media_type', { description: 'The body has to be JSON.' })
  return invalidIfThrown(() => (text === '' ? undefined : (JSON.parse(text) as unknown)))
}

/** @throws Refusal `invalid_request` with the message of what `act` throws */
function invalidIfThrown<Result>(act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    const description = error instanceof Error ? error.message.slice(0, 4000) : String(error)
    throw new Refusal('invalid_request', { description })
  }
}

/** @returns `undefined` if the request is allowed */
export function denialOf(
  request: Request,
  { apiKeyHeader, token }: { apiKeyHeader: string; token?: string | undefined },
): Refusal | undefined {
  const { headers, method } = request
  const sent = readCredentials(headers, apiKeyHeader)
  if (token === undefined && sent.length > 0) return new Refusal('service_credential')
  if (token !== undefined && !isToken(sent, token))
    return new Refusal('control_token', { headers: bearerChallenge() })
  const isReading = method === 'GET' || method === 'HEAD'
  return isReading ? denyForeignRead(headers) : denyForeignWrite(request)
}

const isToken = ([first, second]: ReturnType<typeof readCredentials>, token: string): boolean =>
  second === undefined &&
  typeof first === 'object' &&
  first.method === 'oauth' &&
  isSameSecret(first.accessToken, token)

/** Another site may link to a page, but not read or embed it (Fetch Metadata). */
function denyForeignRead(headers: Headers): Refusal | undefined {
  const site = headers.get('Sec-Fetch-Site') ?? 'none'
  const isNavigation =
    headers.get('Sec-Fetch-Mode') === 'navigate' && headers.get('Sec-Fetch-Dest') === 'document'
  return ['same-origin', 'none'].includes(site) || isNavigation ? undefined : new Refusal('forged_request')
}

/** Our pages send no referrer, so the `Origin` of their forms is `null`. */
function denyForeignWrite({ url, headers }: Request): Refusal | undefined {
  const site = headers.get('Sec-Fetch-Site')
  const origin = headers.get('Origin')
  if (site !== null && site !== 'same-origin') return new Refusal('forged_request')
  if (origin === null || origin === new URL(url).origin) return undefined
  return origin === 'null' && site === 'same-origin' ? undefined : new Refusal('forged_request')
}
