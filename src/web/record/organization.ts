/** Finds the record in an answer. The document describes neither (2.3, 4.4). */
import type { JsonObject } from '../../contract/json.ts'

// The one in contract/json.ts would become a separate chunk that every page loads.
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Never a member that every object inherits. */
export const own = (record: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** A record, and a JSON pointer to it. */
export interface FoundRecord {
  record: JsonObject
  path: string
}

const WRAPS = ['organization', 'organizations', 'data'] as const
const MOST_LEVELS = 3

/** The object itself, or the one in `[{…}]`, `{"organization": {…}}` or `{"data": [{…}], "meta": {…}}`. */
export function recordIn(value: unknown, path = '', level = 0): FoundRecord | undefined {
  if (Array.isArray(value))
    return value.length === 1 && level < MOST_LEVELS ? recordIn(value[0], `${path}/0`, level + 1) : undefined
  if (!isJsonObject(value)) return undefined
  const wrap = WRAPS.find((name) => Object.hasOwn(value, name) && isWrap(value, name))
  const inner =
    wrap === undefined || level >= MOST_LEVELS
      ? undefined
      : recordIn(value[wrap], `${path}/${wrap}`, level + 1)
  return inner ?? { record: value, path }
}

/** An object with its own `name` wraps nothing. */
const isWrap = (value: JsonObject, name: string): boolean =>
  !Object.hasOwn(value, 'name') && typeof value[name] === 'object' && value[name] !== null
