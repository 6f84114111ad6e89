/** The one check of a request body's members: no name that is not known, so that a misspelt one is reported. */
import { isJsonObject } from './json.ts'
import { Problem } from './problem.ts'

/**
 * Takes an object that has only the named members, all own; so `__proto__` does not pass either.
 * @throws Problem `invalid_request`, with the members that are known
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
