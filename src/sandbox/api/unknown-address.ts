/** The answers to unknown paths and methods, which the document does not show (7). */
import { holderOf } from './credential.ts'
import { Refusal, REFUSALS } from '../http/problem.tsx'
import type { Choices } from '../choices/choices.ts'
import { htmlBody } from '../http/refusal-body.ts'
import type { Handler, HandlerContext } from '../http/handler-context.ts'

type UnknownAddress = (c: HandlerContext, allowed: string | undefined) => Refusal

/** RFC 9110 15.5.5 and 15.5.6: a 405 names the allowed methods. */
const plain: UnknownAddress = (_, allowed) =>
  allowed === undefined
    ? new Refusal('not_found')
    : new Refusal('method_not_allowed', { headers: { Allow: allowed } })

/** U43. */
const UNKNOWN_ADDRESSES: Record<Choices['notfound'], UnknownAddress> = {
  json_404_405: plain,
  html_404: () => new Refusal('not_found', { body: htmlBody(REFUSALS.not_found) }),
  credential_first_401(c, allowed) {
    holderOf(c)
    return plain(c, allowed)
  },
}

/** U49. True for paths of an earlier version. */
const IS_OLD: Record<Choices['version'], (path: string) => boolean> = {
  none: () => false,
  response_header: () => false,
  old_path_410: (path) => /^\/v\d+(\/|$)/.test(path),
}

/** @throws Refusal */
export function refuseUnknownPath(c: HandlerContext): never {
  const { choices } = c.get('context')
  if (IS_OLD[choices.version](c.req.path)) throw new Refusal('gone')
  throw UNKNOWN_ADDRESSES[choices.notfound](c, undefined)
}

/** GET includes HEAD (RFC 9110 9.1, 9.3.2). @throws Refusal `method_not_allowed` */
export const allowMethods = (...methods: string[]): Handler => {
  const allowed = [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
  return async (c, next) => {
    if (!allowed.includes(c.req.method)) {
      const refusalOf = c.get('api') ? UNKNOWN_ADDRESSES[c.get('context').choices.notfound] : plain
      throw refusalOf(c, allowed.join(', '))
    }
    await next()
  }
}
