/** The control plane: the actions on the sandbox, as methods, over HTTP, and on pages. */
import { Hono } from 'hono'
import { isJsonObject } from '../../contract/json.ts'
import { type BodyError, bodyLimit } from '../http/body-limit.ts'
import { LARGEST_BODY_BYTES } from '../http/form.ts'
import { markFile } from '../http/page.tsx'
import { STYLE } from '../http/style.ts'
import type { Env, HonoContext } from '../state/context.ts'
import { derive } from '../state/random.ts'
import { denialOf } from './access.ts'
import { type ActionParts, type Actions, createActions } from './actions.ts'
import { changeChoice, choicePage } from './choice-page.tsx'
import { clockState, moveClock } from './clock-command.ts'
import { answerControlError, ControlError, withInvalidRequest } from './control-error.ts'
import type { ControlContext } from './control-layout.tsx'
import { controlPage, submitControlForm } from './control-page.tsx'
import { methodOf, readForm, readJson } from './control-request.ts'
import { clockStyle } from './clock-style.ts'
import { CONTROL_STYLE } from './control-style.ts'
import { provenance } from './provenance.ts'
import { tokenStates } from './token-state.ts'

export interface Control extends Actions {
  /** The same over HTTP: JSON, and pages. */
  fetch: (request: Request) => Promise<Response>
  /** Every path that is routed here, once. */
  paths: () => readonly string[]
}

interface ControlParts extends ActionParts {
  /** Random material of the current seed. */
  random: () => string
  /** Every path that is routed in the sandbox. */
  paths: () => readonly string[]
}

const LARGEST_SNAPSHOT_BYTES = 64 * 1024 * 1024
const TAKE_SNAPSHOTS = ['/restore', '/seed']

/** Takes the parsed body; what it changes, it changes as a whole or not at all. */
type JsonHandler = (body: unknown) => unknown

export function createControl(parts: ControlParts): Control {
  const actions = createActions(parts)
  const app = new Hono<Env>()
  app.onError(answerControlError)
  addGuards(app, parts)
  addJsonRoutes(app, jsonRoutes(actions, parts))
  addPages(app, (c) => ({
    actions,
    context: parts.context(),
    query: new URL(c.req.url).searchParams,
    // Changes with the seed only: a page that can read it can send any request anyway.
    csrfToken: derive(parts.random(), 'form of the control plane'),
  }))
  const style = (path: string, text: () => string) =>
    app.get(path, (c) => c.body(text(), 200, { 'Content-Type': 'text/css; charset=utf-8' }))
  style('/style.css', () => STYLE + CONTROL_STYLE)
  style('/clock.css', () => clockStyle(parts.context()))
  app.get('/mark.svg', async (c) => c.body(await markFile(), 200, { 'Content-Type': 'image/svg+xml' }))
  app.all('*', () => {
    throw new ControlError({
      error: 'not_found',
      description: 'There is nothing at this address.',
      status: 404,
    })
  })
  const paths = () => [...new Set(app.routes.map(({ path }) => path).filter((path) => !/^\/?\*$/.test(path)))]
  return { ...actions, paths, fetch: async (request) => app.fetch(request) }
}

/** What goes around every answer. */
function addGuards(app: Hono<Env>, { context }: ControlParts): void {
  app.use(async (c, next) => {
    const denial = denialOf(c.req.raw, context().apiKeyHeader)
    if (denial) throw new ControlError(denial)
    c.set('context', context())
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
}

const bodyError = (error: BodyError, headers: Record<string, string>): ControlError =>
  error === 'too_large'
    ? new ControlError({
        error,
        description: 'The body is too large for this address.',
        status: 413,
        headers,
      })
    : new ControlError({ error: 'invalid_request', description: 'The body broke off.', status: 400, headers })

/** The JSON routes. `undefined` is answered with 204. */
const jsonRoutes = (
  actions: Actions,
  { context, paths }: ControlParts,
): Record<string, Record<string, JsonHandler>> => ({
  '/profile': { GET: actions.choices, PATCH: actions.changeChoices },
  '/clock': {
    GET: () => clockState(context()),
    POST(command) {
      moveClock(actions.clock, command)
      return clockState(context())
    },
  },
  '/ledger': { GET: actions.requestLog, DELETE: actions.clearRequestLog },
  '/faults': { GET: actions.faults, POST: actions.addFault, DELETE: actions.clearFaults },
  '/limits': { GET: actions.limits, PUT: actions.changeLimits },
  '/usage': { GET: actions.usage, PATCH: actions.changeUsage },
  '/presets': {
    GET: actions.presets,
    POST: (body) => actions.applyPreset(isJsonObject(body) ? body['name'] : undefined),
  },
  '/tokens': { GET: () => tokenStates(context()) },
  '/provenance': { GET: () => provenance(paths()) },
  '/snapshot': { GET: actions.snapshot },
  '/restore': { POST: actions.restore },
  '/seed': { POST: actions.seed },
  '/reset': { POST: () => actions.reset() },
})

function addJsonRoutes(app: Hono<Env>, routes: ReturnType<typeof jsonRoutes>): void {
  for (const [path, methods] of Object.entries(routes))
    app.all(path, async (c) => {
      const handler = methodOf(c, methods)
      const body = ['POST', 'PUT', 'PATCH'].includes(c.req.method) ? await readJson(c) : undefined
      const result = withInvalidRequest(() => handler(body))
      return result === undefined ? c.body(null, 204) : c.json(result)
    })
}

function addPages(app: Hono<Env>, controlContext: (c: HonoContext) => ControlContext): void {
  const page = (
    path: string,
    write: (c: HonoContext, controlContext: ControlContext) => Response | Promise<Response>,
    /** @returns the address to redirect to */
    submit: (form: URLSearchParams, controlContext: ControlContext) => string,
  ) =>
    app.all(path, async (c) => {
      const isForm = methodOf(c, { GET: false, POST: true })
      c.set('page', true)
      if (!isForm) return write(c, controlContext(c))
      const form = await readForm(c, controlContext(c).csrfToken)
      const location = withInvalidRequest(() => submit(form, controlContext(c)))
      return c.redirect(location, 303)
    })
  page('/', controlPage, submitControlForm)
  page('/choices', choicePage, changeChoice)
}
