/** @jsxImportSource hono/jsx */
/** Draws the form of a schema's members, and reads it. */
import type * as v from 'valibot'
import type { Child } from 'hono/jsx'

type Entries = Readonly<Record<string, v.GenericSchema>>

interface FieldType {
  isNumber: boolean
  isRequired: boolean
  options: readonly string[] | undefined
  byDefault: string
}

/** A schema as far as a form needs it: an optional one around a list of values, a number or a text. */
interface Inspected {
  type: string
  wrapped?: Inspected
  options?: readonly string[]
  default?: unknown
}

function fieldType(schema: Inspected): FieldType {
  let inner = schema
  while (inner.wrapped !== undefined) inner = inner.wrapped
  return {
    isNumber: inner.type === 'number',
    isRequired: inner === schema,
    options: inner.type === 'picklist' ? inner.options : undefined,
    byDefault: typeof schema.default === 'number' ? String(schema.default) : '',
  }
}

interface FormProps {
  csrfToken: string
  /** The action that the button sends. */
  action: string
  button: string
  entries: Entries
  values?: Readonly<Record<string, unknown>>
  /** Hidden fields, such as the organization. */
  hidden?: Readonly<Record<string, string>>
}

export const CsrfField = ({ csrfToken }: { csrfToken: string }) => (
  <input type="hidden" name="csrf_token" value={csrfToken} />
)

export const SchemaForm = ({ csrfToken, action, button, entries, values, hidden }: FormProps) => (
  <form method="post">
    <CsrfField csrfToken={csrfToken} />
    {Object.entries(hidden ?? {}).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    <div class="row end">
      {Object.entries(entries).map(([name, schema]) => (
        <Field key={name} name={name} type={fieldType(schema as Inspected)} value={values?.[name]} />
      ))}
      <button class="primary" name="do" value={action}>
        {button}
      </button>
    </div>
  </form>
)

const Field = ({ name, type, value }: { name: string; type: FieldType; value: unknown }) => (
  <label>
    <small>{name}</small>
    {type.options ? (
      <select name={name} aria-label={name}>
        {type.options.map((option) => (
          <option key={option} value={option} selected={option === value}>
            {option}
          </option>
        ))}
      </select>
    ) : (
      <input
        class="number"
        type={type.isNumber ? 'number' : 'text'}
        min="0"
        name={name}
        aria-label={name}
        value={typeof value === 'number' ? String(value) : type.byDefault}
        required={type.isRequired}
      />
    )}
  </label>
)

/** Fields that are left empty are missing. */
export function readForm(entries: Entries, form: URLSearchParams): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, schema]) => {
      const value = form.get(name) ?? ''
      if (value === '') return []
      return [[name, fieldType(schema).isNumber ? Number(value) : value]]
    }),
  )
}

/** One press on a button does it. */
export const ActionForm = ({
  csrfToken,
  fields,
  children,
}: {
  csrfToken: string
  fields?: Readonly<Record<string, string>>
  children: Child
}) => (
  <form method="post" class="row">
    <CsrfField csrfToken={csrfToken} />
    {Object.entries(fields ?? {}).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    {children}
  </form>
)
