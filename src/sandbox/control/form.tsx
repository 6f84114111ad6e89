/** @jsxImportSource hono/jsx */
/** Draws a form for a route of the control plane from its schema, and reads what the form sends. */
import type { Child } from 'hono/jsx'
import type * as v from 'valibot'
import type { ChoiceText } from '../choices/choice.ts'

export type Entries = Readonly<Record<string, v.GenericSchema>>

/** A schema as far as a form needs it: an optional one around a list of values, a number or a text. */
interface Inspected {
  type: string
  wrapped?: Inspected
  options?: readonly string[]
  default?: string | number
  /** Its text, if it is a choice. */
  text: Partial<ChoiceText>
}

function inspect(schema: v.GenericSchema): Inspected {
  const outer = schema as unknown as Inspected & { pipe?: readonly { metadata?: object }[] }
  const inner = outer.wrapped ? inspect(outer.wrapped as unknown as v.GenericSchema) : outer
  const text = outer.pipe?.find(({ metadata }) => metadata)?.metadata ?? inner.text ?? {}
  return { ...inner, text, ...(outer.default !== undefined && { default: outer.default }) }
}

export interface RouteFormProps {
  csrfToken: string
  /** For example `POST /faults`. */
  route: string
  /** What the form sends besides its fields, or a button in its place. */
  body?: object
  /** The member of the body that gets the fields, for example an organization id. */
  member?: string | number
  children?: Child
}

/** One press sends `body`. Its children are the fields and buttons. */
export const RouteForm = ({ csrfToken, route, body, member, children }: RouteFormProps) => (
  <form method="post" class="row">
    <input type="hidden" name="csrf_token" value={csrfToken} />
    <input type="hidden" name="route" value={route} />
    {body && <input type="hidden" name="body" value={JSON.stringify(body)} />}
    {member !== undefined && <input type="hidden" name="member" value={String(member)} />}
    {children}
  </form>
)

/** A button that sends this body to the route of its form. */
export const Press = ({ body, children }: { body: object; children?: Child }) => (
  <button name="body" value={JSON.stringify(body)}>
    {children}
  </button>
)

const NO_VALUES = {}

export const Fields = ({ entries, values = NO_VALUES }: { entries: Entries; values?: object }) => (
  <>
    {Object.entries(entries).map(([name, schema]) => {
      const { type, options, text, default: byDefault } = inspect(schema)
      const value = (values as Record<string, string | number>)[name] ?? byDefault ?? ''
      return (
        <label key={name}>
          <small>{text.number === undefined ? name : `${name} (U${text.number})`}</small>
          {options ? (
            <select name={name} aria-label={name}>
              {options.map((one) => (
                <option key={one} value={one} selected={one === value}>
                  {text.values?.[one] ?? one}
                </option>
              ))}
            </select>
          ) : (
            <input
              type={type === 'number' ? 'number' : 'text'}
              name={name}
              aria-label={name}
              value={String(value)}
            />
          )}
        </label>
      )
    })}
  </>
)

/** The body for the route. Fields that are left empty are missing. */
export function readRouteForm(form: URLSearchParams, entries: Entries = {}): unknown {
  const fields = Object.entries(entries).flatMap(([name, schema]) => {
    const value = form.get(name) ?? ''
    return value === '' ? [] : [[name, inspect(schema).type === 'number' ? Number(value) : value]]
  })
  const body = form.get('body')
  const sent: object = body === null ? {} : (JSON.parse(body) as object)
  const member = form.get('member')
  const read: unknown = Object.fromEntries(fields)
  return member === null ? { ...sent, ...(read as object) } : { ...sent, [member]: read }
}
