/** CORS, caching, Date, version and slow answers, which the document does not mention. */
import { hash } from 'node:crypto'
import { Answer } from '../../contract/answer.ts'
import { MINUTE_MS, SECOND_MS } from '../../contract/duration.ts'
import { RATE_HEADERS } from '../../contract/rate-limit.ts'
import type { Choices } from '../choices/choices.ts'
import { reportedDate } from '../state/service-clock.ts'
import type { Handler, HandlerContext } from './handler-context.ts'

/** For every answer, pages included. */
export function writeCommonHeaders(c: HandlerContext): void {
  const { headers } = c.res
  const date = reportedDate(c.get('context'))
  if (date !== undefined) headers.set('Date', date)
  headers.set('X-Content-Type-Options', 'nosniff')
  if (headers.get('ETag') !== null || (c.get('api') && c.get('context').choices.cache === 'none')) return
  // RFC 6749 5.1 and RFC 6585 4 forbid caching.
  headers.set('Cache-Control', 'no-store')
  headers.set('Pragma', 'no-cache')
}

/** Goes around the handlers of the token endpoint and the API. */
export const transport: Handler = async (c, next) => {
  await next()
  const { choices } = c.get('context')
  allowOrigins(c, CORS[choices.cors])
  if (c.get('api') && choices.version === 'response_header') c.res.headers.set(VERSION_HEADER, '1')
  if (c.get('api') && choices.cache === 'etag') addETag(c)
  await SLOW[choices.slow](c)
}

export const VERSION_HEADER = 'X-Service-Api-Version'

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

function allowOrigins(c: HandlerContext, cors: Cors | undefined): void {
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
  return c.body(null, 204, {
    'Access-Control-Allow-Methods': 'GET, POST, PATCH, PUT, DELETE',
    'Access-Control-Allow-Headers': headers.join(', '),
  })
}

/** Answers 304 if the client has the body already (U83, RFC 9110 13.1.2, 15.4.5). */
function addETag(c: HandlerContext): void {
  if (!['GET', 'HEAD'].includes(c.req.method) || c.res.status !== 200 || c.error) return
  const body = typeof c.res.body === 'string' ? c.res.body : ''
  const tag = `"${hash('sha256', body, 'hex').slice(0, 16)}"`
  c.res.headers.set('ETag', tag)
  c.res.headers.set('Cache-Control', 'private, no-cache')
  const known = (c.req.header('If-None-Match') ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  if (!known.includes(tag) && !known.includes('*')) return
  const { headers } = c.res
  headers.delete('Content-Type')
  c.res = new Answer(304, headers)
}

/** Longer than any client waits. */
const NEVER_MS = 10 * MINUTE_MS

/** U84: delays the answer after the request has taken effect. */
const SLOW: Record<Choices['slow'], (c: HandlerContext) => Promise<void>> = {
  none: async () => {},
  seconds_2: (c) => c.get('context').wait(2 * SECOND_MS),
  seconds_35: (c) => c.get('context').wait(35 * SECOND_MS),
  async never(c) {
    await c.get('context').wait(NEVER_MS)
    c.set('dropped', true)
  },
}
