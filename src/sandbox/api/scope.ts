/** Refuses updates by a credential that may only read, if scopes are chosen (U48). */
import { requestClass } from '../../contract/rate-limit.ts'
import { bearerChallenge } from './challenge.ts'
import { Refusal } from '../http/problem.tsx'
import type { Handler } from '../http/handler-context.ts'

/** @throws Refusal `insufficient_scope` (RFC 6750 3.1) */
export const withinScope: Handler = async (c, next) => {
  const isUpdate = requestClass(c.req.method) === 'update'
  if (isUpdate && c.get('holder') && c.get('context').choices.scope === 'read_only')
    throw new Refusal('insufficient_scope', {
      headers: bearerChallenge({ error: 'insufficient_scope', scope: 'write' }),
    })
  await next()
}
