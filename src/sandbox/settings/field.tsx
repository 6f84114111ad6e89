/** @jsxImportSource hono/jsx */
/** Reads and draws the fields of the settings forms, and their errors. */
import type { Child } from 'hono/jsx'
import { isRepeated } from '../http/form.ts'
import { csrfTokenOf, type Member } from './member.ts'

/** `form` has the error of the form as a whole. */
export type FormErrors = { readonly [field: string]: string | undefined }

export const hasErrors = (errors: FormErrors): boolean =>
  Object.values(errors).some((error) => error !== undefined)

/** The document has no lengths; these are ours. */
interface TextRule {
  label: string
  longest: number
  isRequired?: boolean
}
// A page would not show control characters, and characters that change the direction of text, as entered.
const UNSHOWABLE = /[\p{Cc}\p{Cs}\u200E\u200F\u202A-\u202E\u2028\u2029\u2066-\u2069]/u

/** @returns the text without surrounding blanks, '' if there is none, and its form error */
export function readText(
  form: URLSearchParams,
  name: string,
  { label, longest, isRequired = false }: TextRule,
): { text: string; error: string | undefined } {
  const text = (form.get(name) ?? '').trim()
  const rules: readonly [isBroken: boolean, description: string][] = [
    [isRepeated(form, name), repeatedError(label)],
    [isRequired && text === '', `Enter the ${label.toLowerCase()}.`],
    [text.length > longest, `${label} has ${text.length} characters; at most ${longest} are allowed.`],
    [UNSHOWABLE.test(text), `${label} has a character that cannot be shown.`],
  ]
  return { text, error: rules.find(([isBroken]) => isBroken)?.[1] }
}

export const repeatedError = (label: string): string => `${label} is in the form twice.`

/** Required whatever the browser checked (5.1.2, 5.2.3). */
export const readAgreement = (form: URLSearchParams): string | undefined =>
  form.getAll('agreement').join() === 'agreed' ? undefined : 'Tick that you agree to the API terms.'

/** A form with its csrf token. */
export const OwnForm = ({
  member,
  children,
  ...rest
}: {
  member: Member
  children?: Child
  class?: string
}) => (
  <form method="post" {...rest}>
    <input type="hidden" name="csrf_token" value={csrfTokenOf(member)} />
    {children}
  </form>
)

interface FieldProps {
  name: string
  label: string
  value: string
  hint?: string
  error?: string | undefined
  required?: boolean
  /** One line if absent. */
  lines?: number
  longest: number
  isAddress?: boolean
}

export const Field = (props: FieldProps) => {
  const { name, label, value, hint, error, lines, isAddress, required } = props
  const attributes = attributesOf(props)
  return (
    <div class="field">
      <label for={name}>
        {label} {!required && <span class="quiet">(optional)</span>}
      </label>
      {hint !== undefined && (
        <p class="quiet" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      <FieldError name={name} error={error} />
      {lines === undefined ? (
        <input type={isAddress ? 'url' : 'text'} value={value} {...attributes} />
      ) : (
        <textarea rows={lines} {...attributes}>
          {value}
        </textarea>
      )}
    </div>
  )
}

function attributesOf({ name, hint, error, longest, isAddress, required }: FieldProps) {
  const describedBy = [hint !== undefined && `${name}-hint`, error !== undefined && `${name}-error`]
  return {
    id: name,
    name,
    maxlength: longest,
    autocomplete: 'off',
    ...(required && { required: true }),
    ...(describedBy.some(Boolean) && { 'aria-describedby': describedBy.filter(Boolean).join(' ') }),
    ...(error !== undefined && { 'aria-invalid': 'true' as const }),
    ...(isAddress && { class: 'address', spellcheck: false, autocapitalize: 'none' as const }),
  }
}

const FieldError = ({ name, error }: { name: string; error: string | undefined }) =>
  error === undefined ? (
    <></>
  ) : (
    <p class="error" id={`${name}-error`}>
      {error}
    </p>
  )

/** A key and an application need it (2.3). */
export const Agreement = ({ error }: { error?: string | undefined }) => (
  <div class="field">
    <FieldError name="agreement" error={error} />
    <label class="tick">
      <input
        type="checkbox"
        id="agreement"
        name="agreement"
        value="agreed"
        required
        {...(error !== undefined && {
          'aria-invalid': 'true' as const,
          'aria-describedby': 'agreement-error',
        })}
      />
      <span>I agree to the API terms</span>
    </label>
    <p class="quiet">The service requires this tick. The sandbox has no terms of its own.</p>
  </div>
)

/** Each error links to its field. */
export const ErrorList = ({ errors }: { errors: FormErrors }) => {
  const found = Object.entries(errors).filter((entry): entry is [string, string] => entry[1] !== undefined)
  if (found.length === 0) return <></>
  return (
    <div class="errors" role="alert">
      <h2>Nothing was saved</h2>
      <ul>
        {found.map(([name, description]) => (
          <li key={name}>{name === 'form' ? description : <a href={`#${name}`}>{description}</a>}</li>
        ))}
      </ul>
    </div>
  )
}
