/** The control plane: the actions on the sandbox as methods, over HTTP and on pages. */
import { isJsonObject } from '../../contract/json.ts'
import { type BodyError, bodyLimit } from '../http/body-limit.ts'
import { LARGEST_BODY_BYTES } from '../http/form.ts'
import type { Answered, Handler, HandlerContext } from '../http/handler-context.ts'
import { markFile } from '../http/page.tsx'
import { createRouter } from '../http/router.ts'
import { STYLE } from '../http/style.ts'
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
  fetch: (request: Request) => Promise<Response>
  /** Every path that has a route, once. */
  paths: () => readonly string[]
}

interface ControlParts extends ActionParts {
  /** Random material of the current seed. */
  random: () => string
  /** Every path of the sandbox that has a route. */
  paths: () => readonly string[]
}

const LARGEST_SNAPSHOT_BYTES = 64 * 1024 * 1024
const TAKE_SNAPSHOTS = ['/restore', '/seed']

/** Takes the parsed body. Makes its whole change or none. */
type JsonHandler = (body: unknown) => unknown

export function createControl(parts: ControlParts): Control {
  const actions = createActions(parts)
  const guards = guardsOf(parts)
  const file = (type: string, text: () => string | Promise<string>): Handler[] => [
    ...guards,
    async (c) =>
      ['GET', 'HEAD'].includes(c.req.method)
        ? c.body(await text(), 200, { 'Content-Type': type })
        : throwNotFound(),
  ]
  const style = (text: () => string) => file('text/css; charset=utf-8', text)
  const routes = {
    ...jsonHandlers(guards, jsonRoutes(actions, parts)),
    ...pageHandlers(guards, (c) => ({
      actions,
      context: parts.context(),
      query: c.req.url.searchParams,
      // It changes only with the seed: a page that can read it can send any request anyway.
      csrfToken: derive(parts.random(), 'form of the control plane'),
    })),
    '/style.css': style(() => STYLE + CONTROL_STYLE),
    '/clock.css': style(() => clockStyle(parts.context())),
    '/mark.svg': file('image/svg+xml', markFile),
  }
  const answer = createRouter({
    routes,
    otherwise: [...guards, throwNotFound],
    onError: answerControlError,
  })
  return {
    ...actions,
    paths: () => Object.keys(routes),
    fetch: async (request) => (await answer(request)).toResponse(),
  }
}

const throwNotFound = (): never => {
  throw new ControlError({
    error: 'not_found',
    description: 'There is nothing at this address.',
    status: 404,
  })
}

function guardsOf({ context }: ControlParts): Handler[] {
  const small = bodyLimit(LARGEST_BODY_BYTES, bodyError)
  const large = bodyLimit(LARGEST_SNAPSHOT_BYTES, bodyError)
  return [
    async (c, next) => {
      const denial = denialOf(c.req.raw, context().apiKeyHeader)
      if (denial) throw new ControlError(denial)
      c.set('context', context())
      await next()
    },
    async (c, next) => {
      await next()
      c.res.headers.set('Cache-Control', 'no-store')
      c.res.headers.set('X-Content-Type-Options', 'nosniff')
      c.res.headers.set('Cross-Origin-Resource-Policy', 'same-origin')
    },
    (c, next) => (TAKE_SNAPSHOTS.includes(c.req.path) ? large : small)(c, next),
  ]
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

/** A result of `undefined` is answered with 204. */
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

const jsonHandlers = (
  guards: readonly Handler[],
  routes: ReturnType<typeof jsonRoutes>,
): Record<string, Handler[]> =>
  Object.fromEntries(
    Object.entries(routes).map(([path, methods]): [string, Handler[]] => [
      path,
      [
        ...guards,
        async (c) => {
          const handler = methodOf(c, methods)
          const body = ['POST', 'PUT', 'PATCH'].includes(c.req.method) ? await readJson(c) : undefined
          const result = withInvalidRequest(() => handler(body))
          return result === undefined ? c.body(null, 204) : c.json(result)
        },
      ],
    ]),
  )

function pageHandlers(
  guards: readonly Handler[],
  controlContext: (c: HandlerContext) => ControlContext,
): Record<string, Handler[]> {
  const page = (
    write: (c: HandlerContext, controlContext: ControlContext) => Answered,
    /** @returns the address to redirect to */
    submit: (form: URLSearchParams, controlContext: ControlContext) => string,
  ): Handler[] => [
    ...guards,
    async (c) => {
      const isForm = methodOf(c, { GET: false, POST: true })
      c.set('page', true)
      if (!isForm) return write(c, controlContext(c))
      const form = await readForm(c, controlContext(c).csrfToken)
      const location = withInvalidRequest(() => submit(form, controlContext(c)))
      return c.redirect(location, 303)
    },
  ]
  return { '/': page(controlPage, submitControlForm), '/choices': page(choicePage, changeChoice) }
}
