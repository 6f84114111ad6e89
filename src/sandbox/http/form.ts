/** Reads bodies, and the parameters of a query or a form (RFC 6749 3.1, 3.2). */
import { type HandlerContext, Refusal } from './handler.ts'

const LARGEST_BODY_BYTES = 16 * 1024

export const FORM_TYPE = 'application/x-www-form-urlencoded'

/** RFC 6749 3.1, 3.2: an empty one counts as omitted. */
export const valueOf = (sent: URLSearchParams, name: string): string | undefined =>
  sent.get(name) || undefined

/** RFC 6749 3.1 and 3.2 forbid repeated parameters. */
export const isRepeated = (sent: URLSearchParams, name: string): boolean => sent.getAll(name).length > 1

/** @throws Refusal `invalid_request` */
export function required(sent: URLSearchParams, name: string): string {
  const value = valueOf(sent, name)
  if (value === undefined) throw new Refusal('invalid_request', { description: `${name} is missing.` })
  return value
}

export function mediaTypeOf(c: HandlerContext): string {
  const [type = ''] = (c.req.header('Content-Type') ?? '').split(';')
  return type.trim().toLowerCase()
}

/** Up to this much more is read and discarded, so that the connection can be used again after the refusal. */
const DISCARDED_BYTES = 1024 * 1024

/** The whole body. @throws Refusal `too_large`, or `invalid_request` if the body broke off */
export async function readText(c: HandlerContext, largestBytes = LARGEST_BODY_BYTES): Promise<string> {
  const most = largestBytes + DISCARDED_BYTES
  const headers = { Connection: 'close' }
  if (Number(c.req.header('Content-Length') ?? 0) >= most) throw new Refusal('too_large', { headers })
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of c.req.raw.body ?? []) {
      size += chunk.length
      if (size > most) break
      if (size <= largestBytes) chunks.push(chunk)
    }
  } catch {
    throw new Refusal('invalid_request', { headers })
  }
  if (size > largestBytes) throw new Refusal('too_large', size > most ? { headers } : {})
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** @throws Refusal `unsupported_media_type` for any other body */
export async function readBody(c: HandlerContext): Promise<URLSearchParams> {
  if (mediaTypeOf(c) !== FORM_TYPE)
    throw new Refusal('unsupported_media_type', { description: `The body has to be ${FORM_TYPE}.` })
  const form = new URLSearchParams(await readText(c))
  c.set('form', form)
  return form
}

/** A form of our pages. @throws Refusal `forged_request` if Fetch Metadata or `Origin` name another site */
export async function readOwnForm(c: HandlerContext): Promise<URLSearchParams> {
  const isSameOrigin = (c.req.header('Sec-Fetch-Site') ?? 'same-origin') === 'same-origin'
  // Our forms have `null`, as our pages send no referrer (Fetch 3.2).
  const origin = c.req.header('Origin') ?? 'null'
  // Only the hosts are compared: a proxy in front may have ended TLS.
  const isOwn =
    origin === 'null' || (URL.canParse(origin) && new URL(origin).host === new URL(c.req.url).host)
  if (!isSameOrigin || !isOwn) throw new Refusal('forged_request')
  return readBody(c)
}
