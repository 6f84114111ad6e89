import { FORM_TYPE, mediaTypeOf } from '../http/form.ts'
import { ControlError, withInvalidRequest } from './control-error.ts'
import type { HandlerContext } from '../http/handler-context.ts'

/** @throws ControlError `method_not_allowed` (RFC 9110 15.5.6) */
export function methodOf<Entry>({ req }: HandlerContext, methods: Record<string, Entry>): Entry {
  const method = req.method === 'HEAD' ? 'GET' : req.method
  if (Object.hasOwn(methods, method)) return methods[method] as Entry
  const allow = Object.keys(methods).join(', ')
  const description = `This address takes ${allow}.`
  throw new ControlError({ error: 'method_not_allowed', description, status: 405, headers: { Allow: allow } })
}

/**
 * No form of another site can send JSON. An empty body is `undefined`.
 * @throws ControlError `unsupported_media_type`, `invalid_request`
 */
export async function readJson(c: HandlerContext): Promise<unknown> {
  assertMediaType(c, 'application/json', 'The body has to be JSON.')
  const text = c.req.text()
  return withInvalidRequest(() => (text === '' ? undefined : (JSON.parse(text) as unknown)))
}

/** @throws ControlError `unsupported_media_type`, or `stale_form` without the csrf token */
export async function readForm(c: HandlerContext, csrfToken: string): Promise<URLSearchParams> {
  assertMediaType(c, FORM_TYPE, 'The body has to be a form.')
  const form = new URLSearchParams(c.req.text())
  if (form.get('csrf_token') === csrfToken) return form
  const description = 'This form does not have the csrf token of this page. Open the page again.'
  throw new ControlError({ error: 'stale_form', description, status: 400 })
}

function assertMediaType(c: HandlerContext, type: string, description: string): void {
  if (mediaTypeOf(c) !== type)
    throw new ControlError({ error: 'unsupported_media_type', description, status: 415 })
}
