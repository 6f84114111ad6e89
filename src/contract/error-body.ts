/** Distinguishes an error from a record where the status does not: the shape of an error is not shown (7), nor is that of a record (4.4). */
import { ASSUMED, type Assumptions } from './assumptions.ts'
import { isJsonObject } from './json.ts'

/**
 * Whether the body of a success is none: what is no JSON, and an object that has the members of an error and no others, of
 * which one is there that a record would hardly have alone.
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
