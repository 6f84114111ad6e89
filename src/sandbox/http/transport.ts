/** What lies between an answer and whoever asked: other origins, copies, time, and versions; the document has no word on it. */
import { createHash } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { API_KEY_HEADER } from '../../contract/credential.ts'
import { RATE_HEADERS } from '../../contract/rate-limit.ts'
import type { Choices } from '../choices/choices.ts'
import { reportedDate } from '../state/service-clock.ts'
import type { Env, HonoContext } from '../state/context.ts'

/** What every answer has, pages included. */
export function writeCommonHeaders(c: HonoContext): void {
  const { headers } = c.res
  const date = reportedDate(c.get('context'))
  if (date !== undefined) headers.set('Date', date)
  headers.set('X-Content-Type-Options', 'nosniff')
  if (headers.has('ETag') || (c.get('api') && c.get('context').choices.cache === 'none')) return
  // RFC 6749 5.1, RFC 6585 4
  headers.set('Cache-Control', 'no-store')
  headers.set('Pragma', 'no-cache')
}

/** Everything that is not a page goes through this: the token endpoint, and the API. */
export const transport: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  const { choices } = c.get('context')
  openToOrigins(c, CORS[choices.cors])
  if (c.get('api') && choices.version === 'response_header') c.res.headers.set(VERSION_HEADER, '1')
  if (c.get('api') && choices.cache === 'etag') await mark(c)
  await SLOW[choices.slow](c)
}

export const VERSION_HEADER = 'X-Service-Api-Version'

interface Cors {
  exposes: boolean
  missingOn: readonly number[]
  takesKey: boolean
}

/** `undefined`: nothing is allowed, and a browser forbids it (U81). */
const CORS: Record<Choices['cors'], Cors | undefined> = {
  none: undefined,
  any_origin: { exposes: false, missingOn: [], takesKey: true },
  any_origin_exposed: { exposes: true, missingOn: [], takesKey: true },
  missing_on_refusals: { exposes: true, missingOn: [401, 429], takesKey: true },
  key_header_refused: { exposes: true, missingOn: [], takesKey: false },
}

const EXPOSED = [...Object.values(RATE_HEADERS), 'Retry-After'].join(', ')

function openToOrigins(c: HonoContext, cors: Cors | undefined): void {
  if (cors === undefined || cors.missingOn.includes(c.res.status)) return
  c.res.headers.set('Access-Control-Allow-Origin', '*')
  if (cors.exposes) c.res.headers.set('Access-Control-Expose-Headers', EXPOSED)
}

/** Answers the question that a browser asks before it sends a request from another origin. */
export const preflight: MiddlewareHandler<Env> = async (c, next) => {
  const cors = CORS[c.get('context').choices.cors]
  const isAsked = c.req.method === 'OPTIONS' && c.req.header('Access-Control-Request-Method') !== undefined
  if (cors === undefined || !isAsked) return next()
  const taken = ['Authorization', 'Content-Type', ...(cors.takesKey ? [API_KEY_HEADER] : [])]
  return c.body(null, 204, {
    'Access-Control-Allow-Methods': 'GET, POST, PATCH, PUT, DELETE',
    'Access-Control-Allow-Headers': taken.join(', '),
  })
}

/** Gives a served read its mark, and answers 304 to whoever has it already (U83, RFC 9110 13.1.2, 15.4.5). */
async function mark(c: HonoContext): Promise<void> {
  if (!['GET', 'HEAD'].includes(c.req.method) || c.res.status !== 200 || c.error) return
  const body = await c.res.clone().arrayBuffer()
  const tag = `"${createHash('sha256').update(new Uint8Array(body)).digest('hex').slice(0, 16)}"`
  c.res.headers.set('ETag', tag)
  c.res.headers.set('Cache-Control', 'private, no-cache')
  const known = (c.req.header('If-None-Match') ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  if (!known.includes(tag) && !known.includes('*')) return
  const { headers } = c.res
  headers.delete('Content-Type')
  c.res = undefined
  c.res = new Response(null, { status: 304, headers })
}

/** How long nobody has to wait for longer. */
const NEVER_MS = 600_000

/** What is waited once the request has taken effect (U84). */
const SLOW: Record<Choices['slow'], (c: HonoContext) => Promise<void>> = {
  none: async () => {},
  seconds_2: (c) => c.get('context').wait(2000),
  seconds_35: (c) => c.get('context').wait(35_000),
  async never(c) {
    await c.get('context').wait(NEVER_MS)
    c.set('dropped', true)
  },
}
