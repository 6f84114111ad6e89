/** The sandbox: a local implementation of the service. Which address is answered by whom stands here. */
import { type Handler, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { AUTHORIZATION_PATH } from '../contract/authorize.ts'
import { RATE_LIMIT_PATH } from '../contract/rate-limit.ts'
import { TOKEN_PATH } from '../contract/token.ts'
import { authorize } from './authorize.ts'
import { ASSUMED, type Choices } from './choices.ts'
import { holderOf } from './credential.ts'
import { LARGEST_BODY_BYTES } from './form.ts'
import { meter, only, rateHeaders } from './meter.ts'
import { planPage } from './month.tsx'
import { oneOrganization, ownOrganization } from './organization.ts'
import { markFile } from './page.tsx'
import { answerPermission, PERMISSION_PATH } from './permission.tsx'
import { forPeople, signIn } from './person.tsx'
import { answerRefusal, Refusal, type SandboxLogEntry } from './problem.tsx'
import { projectPage } from './project.tsx'
import { rateLimitRecord } from './rate-limit.ts'
import { startPage } from './start.tsx'
import { firstState, type SandboxState, type Seed } from './state.ts'
import { STYLE } from './style.ts'
import { token } from './token.ts'
import { createWorld, type Env } from './world.ts'

export interface SandboxOptions {
  seed: Seed
  /** UNIX milliseconds. Every lifetime, window and month follows it, and so does the header Date. */
  now: () => number
  /** An earlier snapshot to go on from, in place of the seed's records. */
  state?: SandboxState
  /** Called at the end of each request that changed the state. */
  onChange?: () => void
  /** Where the document is silent, what to do other than assumed. */
  choices?: Partial<Choices>
  /** The path in front of every address, as `/a/b`. */
  basePath?: string
  log?: (entry: SandboxLogEntry) => void
}

export interface Sandbox {
  /** Answers every request, also those that fail. */
  fetch: (request: Request) => Promise<Response>
  /** A copy of the whole state, as plain JSON; it holds every secret of the sandbox. */
  snapshot(): SandboxState
}

/** The same seed, clock and requests give the same answers, byte for byte. */
export function createSandbox({
  seed,
  now,
  onChange,
  choices,
  basePath = '',
  log,
  state: earlier,
}: SandboxOptions): Sandbox {
  const state = earlier === undefined ? firstState(seed) : structuredClone(earlier)
  let isChanged = false
  const worldAt = createWorld(
    { random: seed.random, state, choices: { ...ASSUMED, ...choices }, basePath },
    () => {
      isChanged = true
    },
  )
  const app = new Hono<Env>({ getPath: ({ url }) => pathBelow(basePath, new URL(url).pathname) })

  app.use(async (c, next) => {
    const world = worldAt(now())
    c.set('world', world)
    await next()
    c.res.headers.set('Date', new Date(world.nowMs).toUTCString())
    c.res.headers.set('X-Content-Type-Options', 'nosniff')
    // RFC 6749 5.1, RFC 6585 4
    c.res.headers.set('Cache-Control', 'no-store')
    c.res.headers.set('Pragma', 'no-cache')
    if (isChanged) onChange?.()
    isChanged = false
  })
  app.onError((error, c) => answerRefusal(error, c, log))

  const limited = bodyLimit({
    maxSize: LARGEST_BODY_BYTES,
    onError: () => {
      throw new Refusal('too_large')
    },
  })
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
  page(AUTHORIZATION_PATH, { get: authorize, post: signIn })
  page(PERMISSION_PATH, { post: answerPermission })
  const asset = (path: string, type: string, text: string | Promise<string>) => {
    app.all(path, only('GET', 'HEAD'), async (c) => c.body(await text, 200, { 'Content-Type': type }))
  }
  asset('/style.css', 'text/css; charset=utf-8', STYLE)
  asset('/mark.svg', 'image/svg+xml', markFile())

  app.all(TOKEN_PATH, only('POST'), limited, token)

  // All else is the API: addresses that there are not are answered, and counted, as well.
  app.use(rateHeaders, meter)
  app.all('/organizations', only('GET'), ownOrganization)
  app.all('/organizations/:id', only('GET'), oneOrganization)
  app.all(RATE_LIMIT_PATH, only('GET'), (c) => c.json(rateLimitRecord(c.get('world'), holderOf(c))))
  app.all('*', () => {
    throw new Refusal('not_found')
  })

  return { fetch: async (request) => app.fetch(request), snapshot: () => structuredClone(state) }
}

/** The path without what is in front of it; what is not below it leads to no address that there is. */
function pathBelow(basePath: string, path: string): string {
  if (path === basePath) return '/'
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : '/outside'
}
