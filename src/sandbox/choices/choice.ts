/** One question that the service's document leaves open, as a schema of its possible values. */
import * as v from 'valibot'

export interface ChoiceText {
  /** The number of the point in docs/service.md (U). */
  number: number
  /** Section of the service's document; 'none' if no section is about it. */
  section: string
  /** One sentence on what the document states or leaves open. */
  statement: string
  /** Why the first value is the default. */
  why: string
  /** The meaning of each value. */
  values: Readonly<Record<string, string>>
}

/** A row of the tables. The first value is the default. */
export function choice<const Value extends string>(
  number: number,
  section: string,
  text: { statement: string; why: string; values: Record<Value, string> },
) {
  const names = Object.keys(text.values) as Value[]
  const metadata: ChoiceText = { number, section, ...text }
  return v.optional(v.pipe(v.picklist(names), v.metadata({ ...metadata })), names[0] as Value)
}
