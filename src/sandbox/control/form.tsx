/** @jsxImportSource hono/jsx */
/** Draws a form for a route of the control plane from its schema, and reads what the form sends. */
import type * as v from 'valibot'
import type { ChoiceText } from '../choices/choice.ts'

export type Entries = Readonly<Record<string, v.GenericSchema>>

/** A schema as far as a form needs it: an optional one around a list of values, a number or a text. */
interface Inspected {
  type: string
  wrapped?: Inspected
  options?: readonly string[]
  default?: string | number
  /** That of a choice has its text. */
  pipe?: readonly { metadata?: ChoiceText }[]
}

export interface RouteForm {
  route: string
  fields?: Entries
  values?: object
  /** What the form sends besides its fields. */
  body?: object
  /** The member of the body that gets the fields, for example an organization id. */
  member?: number
  /** The labels of the buttons. One with a body sends that in place of the form's. */
  buttons: readonly (readonly [label: string, body?: object, title?: string])[]
  /** The form opens under this line. */
  summary?: string
}

export const Form = ({ csrfToken, form }: { csrfToken: string; form: RouteForm }) => {
  const { route, fields = {}, values = {}, body, member, buttons, summary } = form
  const hidden = { csrf_token: csrfToken, route, body: body && JSON.stringify(body), member }
  const drawn = (
    <form method="post" class="row">
      {Object.entries(hidden).map(
        ([name, value]) =>
          value !== undefined && <input key={name} type="hidden" name={name} value={String(value)} />,
      )}
      {Object.entries(fields).map(([name, schema]) => (
        <Field
          key={name}
          name={name}
          schema={schema}
          value={(values as Record<string, string | number>)[name]}
        />
      ))}
      {buttons.map(([label, sent, title]) => (
        <button key={label} title={title} {...(sent && { name: 'body', value: JSON.stringify(sent) })}>
          {label}
        </button>
      ))}
    </form>
  )
  if (summary === undefined) return drawn
  return (
    <details>
      <summary>{summary}</summary>
      {drawn}
    </details>
  )
}

const inspect = (schema: v.GenericSchema) => {
  const outer = schema as unknown as Inspected
  return { ...outer, ...outer.wrapped }
}

interface FieldProps {
  name: string
  schema: v.GenericSchema
  value: string | number | undefined
}

const Field = ({ name, schema, value }: FieldProps) => {
  const { type, options, pipe, default: byDefault } = inspect(schema)
  const text = pipe?.find(({ metadata }) => metadata)?.metadata
  const shown = value ?? byDefault ?? ''
  return (
    <label>
      <small>{text ? `${name} (U${text.number})` : name}</small>
      {options ? (
        <select name={name} aria-label={name}>
          {options.map((one) => (
            <option key={one} value={one} selected={one === shown}>
              {text?.values[one] ?? one}
            </option>
          ))}
        </select>
      ) : (
        <input type={type === 'number' ? type : 'text'} name={name} aria-label={name} value={String(shown)} />
      )}
    </label>
  )
}

/** The body for the route. Fields that are left empty are missing. */
export function readRouteForm(form: URLSearchParams, entries: Entries = {}): unknown {
  const fields = Object.entries(entries).flatMap(([name, schema]) => {
    const value = form.get(name) ?? ''
    return value === '' ? [] : [[name, inspect(schema).type === 'number' ? Number(value) : value]]
  })
  const [sent] = form
    .getAll('body')
    .slice(-1)
    .map((body) => JSON.parse(body) as object)
  const member = form.get('member')
  const read = Object.fromEntries(fields) as object
  return { ...sent, ...(member === null ? read : { [member]: read }) }
}
