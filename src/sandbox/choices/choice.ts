/** One question that the service's document leaves open, as a schema of its possible values. */
import * as v from 'valibot'

/** As the OpenAPI document has it: further members of a schema begin with `x-` there. */
export interface ChoiceText {
  /** The number of the point in docs/service.md (U), which states what the service's document leaves open. */
  'x-number': number
  /** The meaning of each value. */
  'x-values': Readonly<Record<string, string>>
}

/** A row of the tables. The first value is the default: docs/service.md says by which rule. */
export function choice<const Value extends string>(number: number, values: Record<Value, string>) {
  const names = Object.keys(values) as Value[]
  const metadata: ChoiceText = { 'x-number': number, 'x-values': values }
  return v.optional(v.pipe(v.picklist(names), v.metadata({ ...metadata })), names[0] as Value)
}

/** The number in the name of a value: 302 in `status_302`. `NaN` without one. */
export const numberIn = (value: string): number => Number(/\d+/.exec(value)?.[0])
