/** The control plane: what can be done with the sandbox beyond using it, as methods, over HTTP, and on pages. */
import { Hono } from 'hono'
import { type Denial, denialOf } from './access.ts'
import { type Actions, createActions, type Machine } from './actions.ts'
import { type BodyError, bodyLimit } from '../http/body-limit.ts'
import { choicePage, changeChoice } from './choice-page.tsx'
import { clockState, moveClock } from './clock-command.ts'
import { actOn, startOfControl } from './control-page.tsx'
import { CONTROL_STYLE } from './control-style.ts'
import { type ControlContext, writeFailure } from './control-layout.tsx'
import { LARGEST_BODY_BYTES } from '../http/form.ts'
import { markFile } from '../http/page.tsx'
import { provenance } from './provenance.ts'
import { derive } from '../state/random.ts'
import { STYLE } from '../http/style.ts'
import { tokenStates } from './token-state.ts'
import type { Env, HonoContext } from '../state/context.ts'

export interface Control extends Actions {
  /** Every path over HTTP, as routed. */
  paths: () => readonly string[]
  /** The same over HTTP: JSON, and pages for people. */
  fetch: (request: Request) => Promise<Response>
}

/** Its own secret, and what is routed in the sandbox. */
type Equipment = Machine & { random: () => string; paths: () => readonly string[] }

/** Of a snapshot or a seed; all other bodies are small. */
const LARGEST_SNAPSHOT_BYTES = 64 * 1024 * 1024
const TAKE_SNAPSHOTS = ['/restore', '/seed']

class Denied extends Error {
  readonly denial: Denial & { status: number; headers?: Record<string, string> }

  constructor(denial: Denial & { headers?: Record<string, string> }) {
    super(denial.description)
    this.denial = { status: 403, ...denial }
  }
}

/** What is answered to a method; what it changes, it changes as a whole or not at all. */
type Answer = (body: unknown) => unknown

/** The JSON routes. `undefined` is answered with 204. */
const routesOf = (
  actions: Actions,
  { context, paths }: Equipment,
): Record<string, Record<string, Answer>> => ({
  '/profile': { GET: actions.choices, PATCH: actions.changeChoices },
  '/clock': {
    GET: () => clockState(context()),
    POST(order) {
      moveClock(actions.clock, order)
      return clockState(context())
    },
  },
  '/ledger': { GET: actions.ledger, DELETE: actions.clearRequestLog },
  '/faults': { GET: actions.faults, POST: actions.addFault, DELETE: actions.clearFaults },
  '/limits': { GET: actions.limits, PUT: actions.changeLimits },
  '/tokens': { GET: () => tokenStates(context()) },
  '/provenance': { GET: () => provenance(paths()) },
  '/snapshot': { GET: actions.snapshot },
  '/restore': { POST: actions.restore },
  '/seed': { POST: actions.seed },
  '/reset': { POST: () => actions.reset() },
})

export function createControl(equipment: Equipment): Control {
  const actions = createActions(equipment)
  const app = new Hono<Env>()
  const controlContext = (): ControlContext => ({
    actions,
    context: equipment.context(),
    // Changes with the seed alone: whoever can read a page here may do everything anyway.
    csrfToken: derive(equipment.random(), 'form of the control plane'),
  })

  app.use(async (c, next) => {
    const denial = denialOf(c.req.raw, equipment.context().apiKeyHeader)
    if (denial) throw new Denied(denial)
    c.set('context', equipment.context())
    await next()
  })
  app.use(async (c, next) => {
    await next()
    c.header('Cache-Control', 'no-store')
    c.header('X-Content-Type-Options', 'nosniff')
    c.header('Cross-Origin-Resource-Policy', 'same-origin')
  })
  const small = bodyLimit(LARGEST_BODY_BYTES, bodyError)
  const large = bodyLimit(LARGEST_SNAPSHOT_BYTES, bodyError)
  app.use((c, next) => (TAKE_SNAPSHOTS.includes(c.req.path) ? large : small)(c, next))

  for (const [path, methods] of Object.entries(routesOf(actions, equipment)))
    app.all(path, async (c) => {
      const answer = methodOf(c, methods)
      const body = ['POST', 'PUT', 'PATCH'].includes(c.req.method) ? await readJson(c) : undefined
      const told = attempt(() => answer(body))
      return told === undefined ? c.body(null, 204) : c.json(told)
    })
  const page = (
    path: string,
    write: (c: HonoContext, controlContext: ControlContext) => Response | Promise<Response>,
    act: (form: URLSearchParams, controlContext: ControlContext) => string,
  ) =>
    app.all(path, async (c) => {
      const isForm = methodOf(c, { GET: false, POST: true })
      c.set('page', true)
      if (!isForm) return write(c, controlContext())
      const form = await readForm(c, controlContext())
      return c.redirect(
        attempt(() => act(form, controlContext())),
        303,
      )
    })
  page('/', startOfControl, actOn)
  page('/choices', choicePage, changeChoice)
  app.get('/style.css', (c) =>
    c.body(STYLE + CONTROL_STYLE, 200, { 'Content-Type': 'text/css; charset=utf-8' }),
  )
  app.get('/mark.svg', async (c) => c.body(await markFile(), 200, { 'Content-Type': 'image/svg+xml' }))
  app.all('*', () => {
    throw new Denied({ error: 'not_found', description: 'There is nothing at this address.', status: 404 })
  })
  app.onError((error, c) => refuse(c, error))
  const paths = () => [...new Set(app.routes.map(({ path }) => path).filter((path) => !/^\/?\*$/.test(path)))]
  return { ...actions, paths, fetch: async (request) => app.fetch(request) }
}

function bodyError(error: BodyError, headers: Record<string, string>): Denied {
  return error === 'too_large'
    ? new Denied({ error, description: 'The body is too large for this address.', status: 413, headers })
    : new Denied({ error: 'invalid_request', description: 'The body broke off.', status: 400, headers })
}

function methodOf<Known>({ req }: HonoContext, methods: Record<string, Known>): Known {
  const method = req.method === 'HEAD' ? 'GET' : req.method
  if (Object.hasOwn(methods, method)) return methods[method] as Known
  const allow = Object.keys(methods).join(', ')
  throw new Denied({
    error: 'method_not_allowed',
    description: `This address takes ${allow}.`,
    status: 405,
    headers: { Allow: allow },
  })
}

const mediaType = ({ req }: HonoContext): string =>
  (req.header('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

/** Only JSON, which no form of another site can send. An empty body is no order, and as good as none. */
async function readJson(c: HonoContext): Promise<unknown> {
  if (mediaType(c) !== 'application/json')
    throw new Denied({
      error: 'unsupported_media_type',
      description: 'The body has to be JSON.',
      status: 415,
    })
  const text = await c.req.text()
  return attempt(() => (text === '' ? undefined : (JSON.parse(text) as unknown)))
}

async function readForm(c: HonoContext, { csrfToken }: ControlContext): Promise<URLSearchParams> {
  if (mediaType(c) !== 'application/x-www-form-urlencoded')
    throw new Denied({
      error: 'unsupported_media_type',
      description: 'The body has to be a form.',
      status: 415,
    })
  const form = new URLSearchParams(await c.req.text())
  if (form.get('csrf_token') !== csrfToken)
    throw new Denied({
      error: 'stale_form',
      description: 'This form is not of this page. Open it again.',
      status: 400,
    })
  return form
}

/** What does not take an order says why in an Error. */
function attempt<Result>(act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    const description = error instanceof Error ? error.message.slice(0, 4000) : String(error)
    throw new Denied({ error: 'invalid_request', description, status: 400 })
  }
}

function refuse(c: HonoContext, error: Error): Response | Promise<Response> {
  const unknown = { error: 'server_error', description: error.stack ?? error.message, status: 500 }
  const {
    error: word,
    description,
    status,
    headers = {},
  } = error instanceof Denied ? error.denial : { ...unknown, headers: undefined }
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  if (!c.get('page')) return c.json({ error: word, error_description: description }, status as 400)
  return writeFailure(c, description, status)
}
