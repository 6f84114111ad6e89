/** An invented address that takes updates: the document specifies none, and its limits can only be tried with some (U52). */
import type { MiddlewareHandler } from 'hono'
import { nothingHere } from './unknown-address.ts'
import { holderOf } from './credential.ts'
import type { Profile } from '../choices/choices.ts'
import type { Env, Visit } from '../state/context.ts'

export const ECHO_PATH = '/_choice/echo'
export const ECHO_METHODS = ['POST', 'PATCH', 'PUT', 'DELETE'] as const

const IS_THERE: Record<Profile['resources'], boolean> = { none: false, echo: true }

/** Lets through to where there may be nothing. @throws Refusal `not_found` */
export const ifInvented: MiddlewareHandler<Env> = async (c, next) => {
  if (!IS_THERE[c.get('world').profile.resources]) nothingHere(c)
  await next()
}

/** Answers what was sent, and keeps nothing. @throws Refusal for a credential that opens nothing */
export async function echo(c: Visit): Promise<Response> {
  holderOf(c)
  return c.json({ method: c.req.method, echo: await c.req.text() })
}
