/** What a credential is good for, where there are such things as scopes (U48). */
import type { MiddlewareHandler } from 'hono'
import { requestClass } from '../../contract/rate-limit.ts'
import { Refusal } from '../http/problem.tsx'
import type { Env } from '../state/context.ts'

/** Refuses updates to whoever may only read. @throws Refusal `insufficient_scope` (RFC 6750 3.1) */
export const withinScope: MiddlewareHandler<Env> = async (c, next) => {
  const isUpdate = requestClass(c.req.method) === 'update'
  if (isUpdate && c.get('holder') && c.get('context').choices.scope === 'read_only')
    throw new Refusal('insufficient_scope', { headers: insufficientScope('write') })
  await next()
}

/** The challenge of RFC 6750 3.1; `scope` is the one that would do. */
export const insufficientScope = (scope?: string): Record<string, string> => ({
  'WWW-Authenticate': `Bearer error="insufficient_scope"${scope === undefined ? '' : `, scope="${scope}"`}`,
})
