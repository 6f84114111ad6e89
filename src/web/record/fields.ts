/** The fields of a record in the order of the page: known ones first, those around the record last. */
import { membersOf, humanise, isRecord, type JsonRecord, type Key, pointerTo } from './value.ts'
import { type FactName, factsIn, recordIn } from './organization.ts'
import { signedInText } from '../text/text.ts'

export interface Field {
  /** The object that contains it. */
  of: object
  key: Key
  value: unknown
  /** A JSON pointer from the beginning of the answer. */
  path: string
  fact?: FactName
}

/** @param value the whole answer */
export function fieldsOf(value: unknown): readonly Field[] {
  const found = recordIn(value)
  // A list of several organizations, or a value that is no object, is one field.
  if (found === undefined || !isRecord(found.record)) return [{ of: [value], key: 0, value, path: '' }]
  const { record, path } = found
  const facts = factsIn(record)
  const fields = fieldsIn(record, path)
  const known = facts.flatMap(({ fact, name }) =>
    fields.filter(({ key }) => key === name).map((field) => ({ ...field, fact })),
  )
  const others = fields.filter(({ key }) => !facts.some(({ name }) => name === key))
  return [...known, ...others, ...aroundIn(value, path)]
}

/** The members beside a wrapped record, such as the count in `meta`. */
function aroundIn(value: unknown, path: string): Field[] {
  const [, first] = path.split('/')
  return isRecord(value) && first !== undefined ? fieldsIn(value, '').filter(({ key }) => key !== first) : []
}

const fieldsIn = (of: object, path: string): Field[] =>
  membersOf(of as JsonRecord).map(([key, value]) => ({ of, key, value, path: pointerTo(path, key) }))

/** Labelled in the reader's language, in the record itself and in lists of people. */
const LABELLED = {
  id: 'id',
  organization_id: 'id',
  name: 'name',
  role: 'role',
  email: 'email',
  // oxlint-disable-next-line plimsoll/texts-in-dictionaries -- a name of a member
  title: 'title',
  description: 'description',
} as const

/** In the reader's language for facts and common names. */
export function labelOf(key: Key, fact?: FactName): string {
  const { record: t } = signedInText()
  if (fact !== undefined) return t.labels[fact]
  if (typeof key === 'number') return String(key + 1)
  if (Object.hasOwn(LABELLED, key)) return t.labels[LABELLED[key as keyof typeof LABELLED]]
  return humanise(key) || t.noName
}
