/** Reading JSON that somebody else wrote: closed shapes, no prototype tricks. */
import { Problem } from './problem.ts'

export type JsonObject = { readonly [name: string]: unknown }

/** Whether the value is a JSON object: not an array, not null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Takes an object that has only the named members, all own; so neither `__proto__` nor a misspelt name passes.
 * @throws Problem `invalid_request`, whose detail names the members that belong.
 */
export function closedObject<Name extends string>(
  value: unknown,
  names: readonly Name[],
): { [N in Name]?: unknown } {
  if (!isJsonObject(value))
    throw new Problem('invalid_request', { detail: 'The body has to be a JSON object.' })
  const stranger = Object.keys(value).find((name) => !names.includes(name as Name))
  if (stranger !== undefined)
    throw new Problem('invalid_request', { detail: `The body knows only: ${names.join(', ')}.` })
  return value as { [N in Name]?: unknown }
}
