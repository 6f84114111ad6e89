/** Addresses and methods that there are not: how they are answered, which the document does not say (7). */
import type { MiddlewareHandler } from 'hono'
import { holderOf } from './credential.ts'
import { Refusal, REFUSALS } from '../http/problem.tsx'
import type { Choices } from '../choices/choices.ts'
import { htmlBody } from '../http/refusal-body.ts'
import type { Env, HonoContext } from '../state/context.ts'

type Nothing = (c: HonoContext, allowed: string | undefined) => Refusal

/** RFC 9110 15.5.5; and 15.5.6: the answer names what the address takes. */
const plain: Nothing = (_, allowed) =>
  allowed === undefined
    ? new Refusal('not_found')
    : new Refusal('method_not_allowed', { headers: { Allow: allowed } })

/** At an address of the API (U43). */
const NOTHING: Record<Choices['notfound'], Nothing> = {
  json_404_405: plain,
  html_404: () => new Refusal('not_found', { body: htmlBody(REFUSALS.not_found) }),
  credential_first_401(c, allowed) {
    holderOf(c)
    return plain(c, allowed)
  },
}

/** Addresses of an earlier version, where there was one (U49). */
const IS_OLD: Record<Choices['version'], (path: string) => boolean> = {
  none: () => false,
  response_header: () => false,
  old_path_410: (path) => /^\/v\d+(\/|$)/.test(path),
}

/** Answers every address of the API that is none. @throws Refusal */
export function notFound(c: HonoContext): never {
  const { choices } = c.get('context')
  if (IS_OLD[choices.version](c.req.path)) throw new Refusal('gone')
  throw NOTHING[choices.notfound](c, undefined)
}

/** Lets only these methods through; HEAD too has to be named. @throws Refusal */
export const allowMethods =
  (...methods: string[]): MiddlewareHandler<Env> =>
  async (c, next) => {
    if (!methods.includes(c.req.method)) {
      const answer = c.get('api') ? NOTHING[c.get('context').choices.notfound] : plain
      throw answer(c, methods.join(', '))
    }
    await next()
  }
