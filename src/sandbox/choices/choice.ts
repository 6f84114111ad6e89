/** The only place that says what a switch of the sandbox is: one question that the document leaves open, and its answers. */
export interface Choice<Value extends string = string> {
  /** 1 to 84. */
  number: number
  /** Section of the service's document; 'none' where no section comes near. */
  section: string
  /** What the document says, or leaves out. */
  statement: string
  /** Why the first value is the default. */
  why: string
  /** The first is the default. */
  values: readonly [Variant<Value>, ...Variant<Value>[]]
  /** Why there is nothing to switch; then there is one value. */
  fixed?: string
}

interface Variant<Value extends string> {
  value: Value
  means: string
}

/** A row of the tables: each value with what it means, in order, so that the compiler knows every value by name. */
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
