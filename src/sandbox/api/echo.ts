/** An invented address that takes updates: the document specifies none, and its limits can only be tried with some (U52). */
import type { MiddlewareHandler } from 'hono'
import { notFound } from './unknown-address.ts'
import { holderOf } from './credential.ts'
import type { Choices } from '../choices/choices.ts'
import type { Env, HonoContext } from '../state/context.ts'

export const ECHO_PATH = '/_choice/echo'
export const ECHO_METHODS = ['POST', 'PATCH', 'PUT', 'DELETE'] as const

const IS_THERE: Record<Choices['resources'], boolean> = { none: false, echo: true }

/** Lets through to where there may be nothing. @throws Refusal `not_found` */
export const requireEcho: MiddlewareHandler<Env> = async (c, next) => {
  if (!IS_THERE[c.get('context').choices.resources]) notFound(c)
  await next()
}

/** Answers what was sent, and keeps nothing. @throws Refusal for a credential that opens nothing */
export async function echo(c: HonoContext): Promise<Response> {
  holderOf(c)
  return c.json({ method: c.req.method, echo: await c.req.text() })
}
