/** The control plane: the actions on the sandbox as methods, over HTTP and on a page. */
import { type Context as HonoContext, Hono } from 'hono'
import { readCredentials } from '../../contract/credential.ts'
import { bearerChallenge, isSameSecret } from '../api/credential.ts'
import { FORM_TYPE, mediaTypeOf, readText } from '../http/form.ts'
import {
  asHono,
  type Handler,
  type HandlerContext,
  pathBelow,
  Refusal,
  type SandboxEnv,
  write,
  writeJson,
} from '../http/handler.ts'
import { ASSETS, writeMessage } from '../http/page.tsx'
import { derive } from '../state/seed.ts'
import { ownValue } from '../state/state.ts'
import { type ActionParts, type Actions, createActions } from './actions.ts'
import { readRouteForm } from './form.tsx'
import { controlDocument } from './openapi.ts'
import { controlPage } from './page.tsx'
import { Conflict, CONTROL_ROUTES, type ControlRoute, METHODS_BY_PATH, type RouteParts } from './routes.ts'

export interface Control extends Actions {
  fetch: (request: Request) => Promise<Response>
  paths: () => readonly string[]
}

interface ControlParts extends ActionParts {
  random: () => string
  basePath?: string | undefined
  /** Needed at every address but `/healthz`, if there is one. */
  token?: string | undefined
  openWorld?: RouteParts['openWorld']
}

const LARGEST_SNAPSHOT_BYTES = 64 * 1024 * 1024
const TAKE_SNAPSHOTS = ['/restore', '/seed']

export function createControl(parts: ControlParts): Control {
  const actions = createActions(parts)
  const { basePath = '' } = parts
  const partsFor = ({ req }: HandlerContext): RouteParts => {
    return { actions, ...parts, reachedAs: new URL(req.url).hostname }
  }
  const app = new Hono<SandboxEnv>({ getPath: ({ url }) => pathBelow(basePath, new URL(url).pathname) })
  app.onError(answerError)
  app.use(async (c, next) => {
    await next()
    c.header('Cache-Control', 'no-store')
    c.header('X-Content-Type-Options', 'nosniff')
    c.header('Cross-Origin-Resource-Policy', 'same-origin')
  })
  app.use((c, next) => {
    const { apiKeyHeader } = parts.context()
    const denial = c.req.path !== '/healthz' && denialOf(c.req.raw, { apiKeyHeader, token: parts.token })
    if (denial) throw denial
    c.set('context', parts.context())
    return next()
  })
  for (const [path, methods] of Object.entries(METHODS_BY_PATH))
    app.all(path, (c) => answerRoute(c, methodOf(c, methods), partsFor(c)))
  for (const [path, answer] of Object.entries(FILES)) app.on('GET', [path], ...asHono(answer))
  app.all('/', (c) => answerPage(c, { ...partsFor(c), random: parts.random }))
  app.all('*', () => {
    throw new Refusal('not_found', { description: 'There is nothing at this address.' })
  })
  return {
    ...actions,
    paths: () => ['/', ...Object.keys(FILES), ...Object.keys(METHODS_BY_PATH)],
    fetch: async (request) => app.fetch(request),
  }
}

const FILES: Record<string, Handler> = {
  ...ASSETS,
  '/openapi.json': (c) => writeJson(c, controlDocument()),
}

/** Its forms send the name of a route, and the fields of its body. */
async function answerPage(
  c: HandlerContext,
  parts: RouteParts & Pick<ControlParts, 'random'>,
): Promise<Response> {
  c.set('page', true)
  // It changes only with the seed: a page that can read it can send any request anyway.
  const csrfToken = derive(parts.random(), 'form of the control plane')
  if (methodOf(c, { GET: 'page', POST: 'form' }) === 'page') return controlPage(c, parts.context(), csrfToken)
  assertMediaType(c, FORM_TYPE, 'The body has to be a form.')
  const form = new URLSearchParams(await readText(c))
  if (form.get('csrf_token') !== csrfToken)
    throw new Refusal('stale_form', {
      description: 'This form does not have the csrf token of this page. Open the page again.',
    })
  invalidIfThrown(() => {
    const route = ownValue(CONTROL_ROUTES, form.get('route') ?? '')
    if (route === undefined) throw new Error('This form belongs to no route')
    return route.run(parts, readRouteForm(form, route.fields), new URLSearchParams())
  })
  return write(c, 303, null, { Location: './' })
}

async function answerRoute(c: HandlerContext, { run }: ControlRoute, parts: RouteParts): Promise<Response> {
  const body = ['POST', 'PUT', 'PATCH'].includes(c.req.method) ? await readJson(c) : undefined
  const result = invalidIfThrown(() => run(parts, body, new URL(c.req.url).searchParams))
  return result === undefined ? write(c, 204, null) : writeJson(c, result)
}

/** @throws Refusal `method_not_allowed` (RFC 9110 15.5.6) */
function methodOf<Entry>({ req }: HonoContext, methods: Record<string, Entry>): Entry {
  const method = req.method === 'HEAD' ? 'GET' : req.method
  if (Object.hasOwn(methods, method)) return methods[method] as Entry
  const Allow = Object.keys(methods).join(', ')
  throw new Refusal('method_not_allowed', {
    description: `This address takes ${Allow}.`,
    headers: { Allow },
  })
}

/** No form of another site can send JSON. An empty body is `undefined`. */
async function readJson(c: HandlerContext): Promise<unknown> {
  assertMediaType(c, 'application/json', 'The body has to be JSON.')
  const text = await (TAKE_SNAPSHOTS.includes(c.req.path) ? readText(c, LARGEST_SNAPSHOT_BYTES) : readText(c))
  return invalidIfThrown(() => (text === '' ? undefined : (JSON.parse(text) as unknown)))
}

function assertMediaType(c: HandlerContext, type: string, description: string): void {
  if (mediaTypeOf(c) !== type) throw new Refusal('unsupported_media_type', { description })
}

/** @throws Refusal `invalid_request` with the message of what `act` throws */
function invalidIfThrown<Result>(act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    if (error instanceof Conflict) throw error
    const description = error instanceof Error ? error.message.slice(0, 4000) : String(error)
    throw new Refusal('invalid_request', { description })
  }
}

/** As JSON, or as a page if `page` is set. */
function answerError(error: Error, c: HandlerContext): Response | Promise<Response> {
  if (error instanceof Conflict) return writeJson(c, error.content, 409)
  const { status, word, description, headers } =
    error instanceof Refusal
      ? error
      : new Refusal('server_error', { description: error.stack ?? error.message })
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  if (c.get('page'))
    return writeMessage(c, { title: 'This did not work', status }, description, 'To the control plane')
  return writeJson(c, { error: word, error_description: description }, status)
}

interface Access {
  apiKeyHeader: string
  token?: string | undefined
}

/** @returns `undefined` if the request is allowed */
export function denialOf(request: Request, { apiKeyHeader, token }: Access): Refusal | undefined {
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
