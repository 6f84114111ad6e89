/** Telling an error from a record where the status does not: the shape of an error is not shown (7), nor is that of a record (4.4). */
import { isJsonObject } from './json.ts'

/** Members of which errors are made: RFC 6749 5.2, RFC 9457 3.1, and the usual ones. */
const ERROR_MEMBERS = new Set([
  'error',
  'error_description',
  'error_uri',
  'errors',
  'message',
  'code',
  'status',
  'type',
  'title',
  'detail',
  'instance',
])

/**
 * Whether the body of a success is none: what is no JSON, and an object that has the members of an error and no others, of
 * which one is there that a record would hardly have alone.
 */
export function isErrorBody(text: string): boolean {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return true
  }
  if (!isJsonObject(body)) return false
  const names = Object.keys(body)
  return (
    names.every((name) => ERROR_MEMBERS.has(name)) &&
    names.some((name) => ['error', 'errors', 'message', 'detail'].includes(name))
  )
}
