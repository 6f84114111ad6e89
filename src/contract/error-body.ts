/** Distinguishes an error from a record under a status of success. Neither shape is shown (4.4, 7). */
import { ASSUMED, type Assumptions } from './assumptions.ts'
import { isJsonObject } from './json.ts'

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
