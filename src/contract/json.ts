/** Reads JSON of another program: a reader returns a value with its type, or throws. */

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

/** Throws a TypeError for any other value. */
export type Reader<T> = (value: unknown) => T

type Readers = { readonly [name: string]: Reader<unknown> }
type ReadBy<R extends Readers> = { [Name in keyof R]: ReturnType<R[Name]> }

const reader =
  <T>(expected: string, accepts: (value: unknown) => value is T): Reader<T> =>
  (value) => {
    if (!accepts(value)) throw new TypeError(`expected ${expected}`)
    return value
  }

export const text = reader('a string', (value): value is string => typeof value === 'string')
export const flag = reader('a boolean', (value): value is boolean => typeof value === 'boolean')
/** Any number of JSON, which has neither NaN nor infinity. */
export const number = reader('a number', (value): value is number => Number.isFinite(value))
/** A time of RFC 3339 5.6, in capital letters and with a known offset. */
export const time = reader('a time', (value): value is string => typeof value === 'string' && isTime(value))

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/
const isTime = (value: string): boolean => TIME.test(value) && !Number.isNaN(Date.parse(value))

export const oneOf = <const T extends string | number | boolean>(values: readonly T[]): Reader<T> =>
  reader(`one of ${values.join(', ')}`, (value): value is T => values.includes(value as T))

/** Reads all members of `required` and the present ones of `optional`. Other members are left out. */
const members = <Required extends Readers, Optional extends Readers>(
  required: Required,
  optional: Optional,
): Reader<ReadBy<Required> & Partial<ReadBy<Optional>>> => {
  const [needed, possible] = [Object.entries(required), Object.entries(optional)]
  return (value) => {
    if (!isJsonObject(value)) throw new TypeError('expected an object')
    const own = (name: string) => (Object.hasOwn(value, name) ? value[name] : undefined)
    const read: Record<string, unknown> = {}
    for (const [name, member] of needed) read[name] = member(own(name))
    for (const [name, member] of possible) {
      const present = own(name)
      if (present !== undefined) read[name] = member(present)
    }
    return read as ReadBy<Required> & Partial<ReadBy<Optional>>
  }
}

/** As `members`, but refuses an object with other members. */
export const onlyMembers = <Required extends Readers, Optional extends Readers>(
  required: Required,
  optional: Optional,
): Reader<ReadBy<Required> & Partial<ReadBy<Optional>>> => {
  const read = members(required, optional)
  return (value) => {
    const known = read(value)
    if (Object.keys(value as JsonObject).some((name) => !Object.hasOwn(known, name)))
      throw new TypeError('expected no other members')
    return known
  }
}
