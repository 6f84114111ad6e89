/** @jsxImportSource hono/jsx */
/** Draws the form of an action from the schema of its value, and reads what the form or a query sends. */
import type * as v from 'valibot'
import type { ChoiceText } from '../choices/choice.ts'
import { ownValue } from '../state/state.ts'
import { ACTIONS, type Action } from './routes.ts'

export type Entries = Readonly<Record<string, v.GenericSchema>>

interface Inspected {
  type: string
  wrapped?: v.GenericSchema
  entries?: Entries
  /** The schema of a record's members. */
  value?: v.GenericSchema
  options?: readonly string[]
  default?: string | number
  /** A choice has its text here. */
  pipe?: readonly { metadata?: ChoiceText }[]
}

const inspect = (schema: v.GenericSchema): Inspected => {
  const outer = schema as unknown as Inspected
  if (outer.wrapped === undefined) return outer
  return { ...outer, ...inspect(outer.wrapped), ...(outer.type === 'nullable' && outer) }
}

/** The fields of an object, or of each member of a record. */
export function fieldsOf(schema: v.GenericSchema | undefined): Entries {
  const { entries, value } = schema ? inspect(schema) : {}
  return entries ?? (value ? fieldsOf(value) : {})
}

/** The texts as the schemas want them. Only the limit of a month can be `null`. */
export const readFields = (entries: Entries, sent: Iterable<[name: string, text: string]>): object =>
  Object.fromEntries(
    [...sent].map(([name, text]) => {
      const schema = ownValue(entries, name)
      const type = schema && inspect(schema).type
      if (type === 'nullable') return [name, text === 'unlimited' ? null : Number(text)]
      return [name, type === 'number' ? Number(text) : text]
    }),
  )

type Value = string | number | null | undefined

export interface ActionForm {
  name: keyof typeof ACTIONS
  /** The fields are drawn with these. */
  values?: object
  /** The names of the fields, if not all are drawn. */
  only?: readonly string[]
  /** What the form sends besides its fields. */
  body?: object
  /** The member of the body that gets the fields, for example an organization id. */
  member?: number
  /** The labels of the buttons. One with a body sends that in place of the form's. */
  buttons: readonly (readonly [label: string, body?: object, means?: string])[]
  /** The form opens under this line. */
  summary?: string
}

export const Form = ({ csrfToken, form }: { csrfToken: string; form: ActionForm }) => {
  const { name: action, values, only, body, member, buttons, summary } = form
  const hidden = { csrf_token: csrfToken, action, body: body && JSON.stringify(body), member }
  const fields = values ? Object.entries(fieldsOf((ACTIONS[action] as Action).body)) : []
  const drawn = (
    <form method="post" class="row">
      {Object.entries(hidden).map(
        ([name, value]) =>
          value !== undefined && <input key={name} type="hidden" name={name} value={String(value)} />,
      )}
      {fields
        .filter(([name]) => only?.includes(name) ?? true)
        .map(([name, schema]) => (
          <Field key={name} name={name} schema={schema} value={(values as Record<string, Value>)[name]} />
        ))}
      {buttons.map(([label, sent, means]) => (
        <button key={label} {...(sent && { name: 'body', value: JSON.stringify(sent) })}>
          {label} {means && <small>{means}</small>}
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

const Field = ({ name, schema, value }: { name: string; schema: v.GenericSchema; value: Value }) => {
  const { type, options, pipe, default: byDefault } = inspect(schema)
  const text = pipe?.find(({ metadata }) => metadata)?.metadata
  const shown = value === null ? 'unlimited' : (value ?? byDefault ?? '')
  return (
    <label>
      <small>{text ? `${name} (U${text['x-number']})` : name}</small>
      {options ? (
        <select name={name}>
          {options.map((one) => (
            <option key={one} value={one} selected={one === shown}>
              {text?.['x-values'][one] ?? one}
            </option>
          ))}
        </select>
      ) : (
        <input type={type === 'number' ? type : 'text'} name={name} value={String(shown)} />
      )}
    </label>
  )
}

/** The value for the action. Fields that are left empty are missing. */
export function readForm(form: URLSearchParams, { body }: Action): object {
  const entries = fieldsOf(body)
  const fields = readFields(
    entries,
    [...form].filter(([name, text]) => text !== '' && Object.hasOwn(entries, name)),
  )
  const member = form.get('member')
  const sent = JSON.parse(form.getAll('body').at(-1) ?? '{}') as object
  return { ...sent, ...(member === null ? fields : { [member]: fields }) }
}
