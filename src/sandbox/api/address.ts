/** Unknown paths and methods (7), and an invented path that takes updates (U52). */
import { type Handler, writeJson } from '../http/handler.ts'
import { readText } from '../http/form.ts'
import { Refusal } from '../http/problem.tsx'
import { holderOf } from './credential.ts'

export const ECHO_PATH = '/_choice/echo'
export const ECHO_METHODS = ['POST', 'PATCH', 'PUT', 'DELETE'] as const

/** @throws Refusal `not_found` */
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

/** Stores nothing. The document limits updates, and has no address that takes any. */
export const echo: Handler = async (c) => {
  holderOf(c)
  return writeJson(c, { method: c.req.method, echo: await readText(c) })
}
