/** Reads what a request carries in its query or body, as RFC 6749 3.1 and 3.2 have it. */
import { isJsonObject } from '../contract/json.ts'
import { Refusal } from './problem.tsx'
import type { Visit } from './world.ts'

/** The largest body that is read. */
export const LARGEST_BODY_BYTES = 16 * 1024

/** RFC 6749 3.1, 3.2: a parameter without a value is as good as omitted. */
export const valueOf = (sent: URLSearchParams, name: string): string | undefined =>
  sent.get(name) || undefined

/** RFC 6749 3.1, 3.2: a parameter may not stand twice. */
export const isRepeated = (sent: URLSearchParams, name: string): boolean => sent.getAll(name).length > 1

/** @throws Refusal `unsupported_media_type` for anything but a form, or where JSON is asked for, but JSON */
export async function readBody(c: Visit, encoding: 'form' | 'json' = 'form'): Promise<URLSearchParams> {
  const expected = encoding === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  const [type = ''] = (c.req.header('Content-Type') ?? '').split(';')
  if (type.trim().toLowerCase() !== expected)
    throw new Refusal('unsupported_media_type', { says: `The body has to be ${expected}.` })
  const text = await c.req.text()
  return encoding === 'form' ? new URLSearchParams(text) : new URLSearchParams(textMembers(text))
}

/**
 * The form that one of our own pages sent.
 * @throws Refusal `forged_request` where Fetch Metadata says that it was another site; `Origin` is `null` on every form of a
 *   page without referrer, so it tells nothing
 */
export async function readOwnForm(c: Visit): Promise<URLSearchParams> {
  if ((c.req.header('Sec-Fetch-Site') ?? 'same-origin') !== 'same-origin') throw new Refusal('forged_request')
  return readBody(c)
}

function textMembers(text: string): [string, string][] {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  if (!isJsonObject(body)) throw new Refusal('invalid_request', { says: 'The body has to be a JSON object.' })
  return Object.entries(body).filter((member): member is [string, string] => typeof member[1] === 'string')
}
