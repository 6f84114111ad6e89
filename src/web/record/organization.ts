/** Finds the record, and the members to show first. The document describes neither (2.3, 4.4). */
import type { JsonObject } from '../../contract/json.ts'

// The one in contract/json.ts would become a separate chunk that every page loads.
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

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

/** The members that come first, in order, and the names that they may have. */
export const FACTS = {
  plan: ['plan', 'plan_name'],
  owner: ['owner', 'owner_name', 'administrator'],
  created: ['created_at', 'created', 'created_on'],
  updated: ['updated_at', 'updated', 'updated_on', 'modified_at'],
  members: ['members', 'users', 'people'],
} as const
export type FactName = keyof typeof FACTS

export interface Fact {
  fact: FactName
  /** The member's name in the record. */
  name: string
}

/** The known members that this record has, in their order. */
export const factsIn = (record: JsonObject): Fact[] =>
  Object.entries(FACTS).flatMap(([fact, names]) => {
    const name = names.find((one) => Object.hasOwn(record, one))
    return name === undefined ? [] : [{ fact: fact as FactName, name }]
  })
