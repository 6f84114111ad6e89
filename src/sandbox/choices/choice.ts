/** One question that the document leaves open, and its possible values. */
export interface Choice<Value extends string = string> {
  /** From 1 to 84. */
  number: number
  /** Section of the service's document; 'none' if no section is about it. */
  section: string
  /** One sentence on what the document states or leaves open. */
  statement: string
  /** Why the first value is the default. */
  why: string
  values: readonly [Variant<Value>, ...Variant<Value>[]]
  /** Why there is only one value. */
  fixed?: string
}

interface Variant<Value extends string> {
  value: Value
  means: string
}

/** A row of the tables. The first value is the default. */
export function choice<const Value extends string>(
  number: number,
  section: string,
  { values, ...words }: { statement: string; why: string; values: Record<Value, string>; fixed?: string },
): Choice<Value> {
  const variants = Object.entries<string>(values).map(([value, means]) => ({ value: value as Value, means }))
  const [first, ...rest] = variants
  if (!first) throw new Error(`Choice ${number} has no value`)
  return { number, section, ...words, values: [first, ...rest] }
}
