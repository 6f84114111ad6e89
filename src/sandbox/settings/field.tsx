/** @jsxImportSource hono/jsx */
/** Reads and draws the fields of the settings forms, and their errors. */
import type { Child } from 'hono/jsx'
import { isRepeated } from '../http/form.ts'
import { redirectUriError } from './redirect-uri.ts'

/** The document has no lengths; these are ours. */
export interface FieldRule {
  name: string
  label: string
  longest: number
  hint?: string
  isRequired?: boolean
  isAddress?: boolean
}

/** By the name of the field. `form` has the error of the form as a whole. */
export type FormErrors = Record<string, string>

// A page would not show control characters, and characters that change the direction of text, as entered.
const UNSHOWABLE = /[\p{Cc}\p{Cs}\u200E\u200F\u202A-\u202E\u2028\u2029\u2066-\u2069]/u

/** @returns the texts without surrounding blanks, and the errors */
export function readFields(
  rules: readonly FieldRule[],
  form: URLSearchParams,
): { values: Record<string, string>; errors: FormErrors } {
  const read = rules.map((rule) => [rule.name, (form.get(rule.name) ?? '').trim(), rule] as const)
  const found = read.flatMap(([name, text, rule]) => {
    const error = errorOf(rule, text, isRepeated(form, name))
    return error === undefined ? [] : [[name, error] as const]
  })
  return {
    values: Object.fromEntries(read.map(([name, text]) => [name, text])),
    errors: Object.fromEntries(found),
  }
}

function errorOf({ label, longest, isRequired, isAddress }: FieldRule, text: string, isTwice: boolean) {
  if (isTwice) return `${label} is in the form twice.`
  if (isRequired && text === '') return `Enter the ${label.charAt(0).toLowerCase()}${label.slice(1)}.`
  if (text.length > longest) return `${label} has ${text.length} characters; at most ${longest} are allowed.`
  if (UNSHOWABLE.test(text)) return `${label} has a character that cannot be shown.`
  return isAddress ? redirectUriError(text) : undefined
}

/** Required whatever the browser checked (5.1.2, 5.2.3). */
export const readAgreement = (form: URLSearchParams): FormErrors =>
  form.getAll('agreement').join() === 'agreed' ? {} : { agreement: 'Tick that you agree to the API terms.' }

export const OwnForm = ({ csrfToken, children }: { csrfToken: string; children?: Child }) => (
  <form method="post" class="form">
    <input type="hidden" name="csrf_token" value={csrfToken} />
    {children}
  </form>
)

interface FieldProps {
  rule: FieldRule
  value: string
  error: string | undefined
}

export const Field = ({ rule, value, error }: FieldProps) => {
  const { name, label, hint, longest, isRequired = false, isAddress = false } = rule
  const describedBy = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  return (
    <label>
      <span>
        {label} {!isRequired && <small>(optional)</small>}
      </span>
      {hint && <small id={`${name}-hint`}>{hint}</small>}
      <FieldError name={name} error={error} />
      <input
        type={isAddress ? 'url' : 'text'}
        id={name}
        name={name}
        value={value}
        maxlength={longest}
        autocomplete="off"
        required={isRequired}
        {...(describedBy !== '' && { 'aria-describedby': describedBy })}
        {...(error !== undefined && { 'aria-invalid': 'true' as const })}
      />
    </label>
  )
}

const FieldError = ({ name, error }: { name: string; error: string | undefined }) =>
  error === undefined ? (
    <></>
  ) : (
    <span class="error" id={`${name}-error`}>
      {error}
    </span>
  )

/** A key and an application need it (2.3). */
export const Agreement = ({ error }: { error: string | undefined }) => (
  <div>
    <FieldError name="agreement" error={error} />
    <label>
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
    <small>The service requires this tick. The sandbox has no terms of its own.</small>
  </div>
)

/** Each error links to its field. */
export const ErrorList = ({ errors }: { errors: FormErrors }) =>
  Object.keys(errors).length === 0 ? (
    <></>
  ) : (
    <div role="alert">
      Nothing was saved.
      <ul>
        {Object.entries(errors).map(([name, description]) => (
          <li key={name}>{name === 'form' ? description : <a href={`#${name}`}>{description}</a>}</li>
        ))}
      </ul>
    </div>
  )
