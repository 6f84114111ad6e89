/** Checks the members of a request body: an unknown name is refused, so that a misspelt one is reported. */
import { isJsonObject } from './json.ts'
import { Problem } from './problem.ts'

/**
 * Accepts an object that has only the named members. `__proto__` as an own member is refused too.
 * @throws Problem `invalid_request`, with the known members
 */
export function closedObject<Name extends string>(
  value: unknown,
  names: readonly Name[],
): { [N in Name]?: unknown } {
  if (!isJsonObject(value)) throw new Problem('invalid_request', { fault: 'body_not_an_object' })
  const unknown = Object.keys(value).find((name) => !names.includes(name as Name))
  if (unknown !== undefined) throw new Problem('invalid_request', { fault: 'unknown_member', known: names })
  return value as { [N in Name]?: unknown }
}
