/** CORS, caching and Date, which the document does not mention. */
import { RATE_HEADERS } from '../../contract/rate-limit.ts'
import type { Choices } from '../choices/choices.ts'
import { reportedDate } from '../state/clock.ts'
import { type Handler, type HandlerContext, write } from './handler.ts'
import { Refusal } from './problem.tsx'

export function writeCommonHeaders(c: HandlerContext): void {
  const { headers } = c.res
  const date = reportedDate(c.get('context'))
  if (date !== undefined) headers.set('Date', date)
  headers.set('X-Content-Type-Options', 'nosniff')
  // RFC 6749 5.1 and RFC 6585 4 forbid caching.
  headers.set('Cache-Control', 'no-store')
  headers.set('Pragma', 'no-cache')
}

interface Cors {
  exposesHeaders: boolean
  missingOn: readonly number[]
  allowsKey: boolean
}

/** U81; `undefined`: no other origin is allowed. */
const CORS: Record<Choices['cors'], Cors | undefined> = {
  none: undefined,
  any_origin: { exposesHeaders: false, missingOn: [], allowsKey: true },
  any_origin_exposed: { exposesHeaders: true, missingOn: [], allowsKey: true },
  missing_on_refusals: { exposesHeaders: true, missingOn: [401, 429], allowsKey: true },
  key_header_refused: { exposesHeaders: true, missingOn: [], allowsKey: false },
}

const EXPOSED = [...Object.values(RATE_HEADERS), 'Retry-After'].join(', ')

/** Goes around the handlers of the token endpoint and the API. */
export const allowOrigins: Handler = async (c, next) => {
  await next()
  const cors = CORS[c.get('context').choices.cors]
  if (cors === undefined || cors.missingOn.includes(c.res.status)) return
  c.res.headers.set('Access-Control-Allow-Origin', '*')
  if (cors.exposesHeaders) c.res.headers.set('Access-Control-Expose-Headers', EXPOSED)
}

export const preflight: Handler = async (c, next) => {
  const { choices, apiKeyHeader } = c.get('context')
  const cors = CORS[choices.cors]
  const isPreflight =
    c.req.method === 'OPTIONS' && c.req.header('Access-Control-Request-Method') !== undefined
  if (cors === undefined || !isPreflight) return next()
  const headers = ['Authorization', 'Content-Type', ...(cors.allowsKey ? [apiKeyHeader] : [])]
  return write(c, 204, null, {
    'Access-Control-Allow-Methods': 'GET, POST, PATCH, PUT, DELETE',
    'Access-Control-Allow-Headers': headers.join(', '),
  })
}

export const refuseUnknownPath: Handler = () => {
  throw new Refusal('not_found')
}

/** GET includes HEAD (RFC 9110 9.1, 9.3.2); a 405 names the methods (RFC 9110 15.5.6). */
export const allowMethods = (...methods: string[]): Handler => {
  const allowed = [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
  return async (c, next) => {
    if (!allowed.includes(c.req.method))
      throw new Refusal('method_not_allowed', { headers: { Allow: allowed.join(', ') } })
    await next()
  }
}
