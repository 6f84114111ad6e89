import { isJsonObject } from './json.ts'
import { Problem } from './problem.ts'

/**
 * Refuses other members, so a misspelt one is reported; `__proto__` as an own member too.
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
