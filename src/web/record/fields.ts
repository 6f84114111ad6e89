/** The fields of a record in the order of the answer; those around the record come last. */
import { humanise, isRecord, type JsonRecord, type Key, membersOf, pointerTo } from './value.ts'
import { readJsonText } from './json-text.ts'
import { own, recordIn } from './organization.ts'
import { words } from '../text/text.ts'

export interface Field {
  /** The object that contains it. */
  of: object
  key: Key
  value: unknown
  /** A JSON pointer from the beginning of the answer. */
  path: string
}

const read = new WeakMap<{ text: string }, readonly Field[]>()

/** Reads each answer once. @returns nothing if the answer is not JSON that the page can show */
export function fieldsIn(answer: { text: string }): readonly Field[] | undefined {
  const known = read.get(answer)
  if (known) return known
  const found = readJsonText(answer.text)
  const fields = found && fieldsOf(found.value)
  if (fields) read.set(answer, fields)
  return fields
}

/** @param value the whole answer */
export function fieldsOf(value: unknown): readonly Field[] {
  const found = recordIn(value)
  // A list of several organizations, or a value that is no object, is one field.
  if (found === undefined || !isRecord(found.record)) return [{ of: [value], key: 0, value, path: '' }]
  return [...fieldsAt(found.record, found.path), ...fieldsAround(value, found.path)]
}

/** The members beside a wrapped record, such as the count in `meta`. */
function fieldsAround(value: unknown, path: string): Field[] {
  const [, first] = path.split('/')
  return isRecord(value) && first !== undefined ? fieldsAt(value, '').filter(({ key }) => key !== first) : []
}

const fieldsAt = (of: object, path: string): Field[] =>
  membersOf(of as JsonRecord).map(([key, value]) => ({ of, key, value, path: pointerTo(path, key) }))

/** In the reader's language for common names, else the name itself in words. */
export function labelOf(key: Key): string {
  const t = words().record
  if (typeof key === 'number') return String(key + 1)
  const known = own(t.names, key)
  return typeof known === 'string' ? known : humanise(key) || t.noName
}
