/** An invented path that accepts updates (U52). The document has none, but limits updates. */
import type { Answer } from '../../contract/answer.ts'
import { refuseUnknownPath } from './unknown-address.ts'
import { holderOf } from './credential.ts'
import type { Choices } from '../choices/choices.ts'
import type { Handler, HandlerContext } from '../http/handler-context.ts'

export const ECHO_PATH = '/_choice/echo'
export const ECHO_METHODS = ['POST', 'PATCH', 'PUT', 'DELETE'] as const

const IS_ECHO_OFFERED: Record<Choices['resources'], boolean> = { none: false, echo: true }

/** @throws Refusal `not_found` if the path is not chosen */
export const requireEcho: Handler = async (c, next) => {
  if (!IS_ECHO_OFFERED[c.get('context').choices.resources]) refuseUnknownPath(c)
  await next()
}

/** Stores nothing. @throws Refusal if the credential is refused */
export async function echo(c: HandlerContext): Promise<Answer> {
  holderOf(c)
  return c.json({ method: c.req.method, echo: c.req.text() })
}
