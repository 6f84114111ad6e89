/** JSON of another program (RFC 8259). */
import { ASSUMED, type Assumptions } from './assumptions.ts'

export type JsonObject = { readonly [name: string]: unknown }

/** A JSON object is no array and not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Far deeper than any record. */
const MOST_DEPTH = 100

/** To parse text that is nested 400,000 deep takes a second, in which nobody else is served. */
export function isTooDeep(text: string): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at]
    if (isInString && mark === '\\') at += 1
    else if (mark === '"') isInString = !isInString
    else if (isInString) continue
    else if (mark === '[' || mark === '{') depth += 1
    else if (mark === ']' || mark === '}') depth -= 1
    if (depth > MOST_DEPTH) return true
  }
  return false
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

/** A time of RFC 3339 5.6, in capital letters and with a known offset. */
export const isTime = (value: unknown): value is string =>
  typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value))

/**
 * The body of a success is an error if it is not JSON, or if it is an object with only members of errors, at
 * least one of them from `error_members`.
 */
export function isErrorBody(
  text: string,
  assumed: Pick<Assumptions, 'error_members' | 'other_error_members'> = ASSUMED,
): boolean {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return true
  }
  if (!isJsonObject(body)) return false
  const others = Object.keys(body).filter((name) => !assumed.error_members.includes(name))
  return (
    others.length < Object.keys(body).length &&
    others.every((name) => assumed.other_error_members.includes(name))
  )
}
