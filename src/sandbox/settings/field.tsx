/** @jsxImportSource hono/jsx */
/** Reads and draws the fields of the settings forms, and their errors. */
import { isRepeated } from '../http/form.ts'
import { isLoopbackName } from '../../contract/host.ts'

/** The document has no lengths; these are ours. */
export interface FieldRule {
  name: string
  label: string
  longest: number
  hint?: string
  isRequired?: boolean
  type?: 'url' | 'checkbox'
}

/** A key and an application need it (2.3), whatever the browser checked (5.1.2, 5.2.3). */
export const AGREEMENT: FieldRule = {
  name: 'agreement',
  label: 'I agree to the API terms',
  longest: 6,
  hint: 'The service requires this tick. The sandbox has no terms of its own.',
  isRequired: true,
  type: 'checkbox',
}

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

function errorOf({ label, longest, isRequired, type }: FieldRule, text: string, isTwice: boolean) {
  if (isTwice) return `${label} is in the form twice.`
  if (type === 'checkbox') return text === 'agreed' ? undefined : 'Tick that you agree to the API terms.'
  if (isRequired && text === '') return `Enter the ${label.charAt(0).toLowerCase()}${label.slice(1)}.`
  if (text.length > longest) return `${label} has ${text.length} characters; at most ${longest} are allowed.`
  if (UNSHOWABLE.test(text)) return `${label} has a character that cannot be shown.`
  return type === 'url' ? redirectUriError(text) : undefined
}

interface FieldProps {
  rule: FieldRule
  value: string
  error: string | undefined
}

export const Field = ({ rule, value, error }: FieldProps) => {
  const { name, label, hint, longest, isRequired = false, type = 'text' } = rule
  const describedBy = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  return (
    <div>
      <label for={name}>
        {label} {!isRequired && <small>(optional)</small>}
      </label>
      {hint && <small id={`${name}-hint`}>{hint}</small>}
      {error && (
        <p class="error" id={`${name}-error`}>
          {error}
        </p>
      )}
      <input
        type={type}
        id={name}
        name={name}
        value={type === 'checkbox' ? 'agreed' : value}
        maxlength={longest}
        autocomplete="off"
        required={isRequired}
        {...(describedBy !== '' && { 'aria-describedby': describedBy })}
        {...(error !== undefined && { 'aria-invalid': 'true' as const })}
      />
    </div>
  )
}

/** RFC 3986 2: only the characters of a URI. Two digits follow each percent sign. */
const WRITTEN_AS_URI = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/

export function redirectUriError(uri: string): string | undefined {
  const url = /^https?:\/\/[^/?]/i.test(uri) && URL.canParse(uri) ? new URL(uri) : undefined
  // RFC 6749 3.1.2: the URI is absolute and has no fragment.
  if (uri.includes('#')) return 'The redirect URI must not have a fragment (the part behind #).'
  if (url === undefined || !WRITTEN_AS_URI.test(uri) || !HOST.test(url.hostname))
    return 'The redirect URI has to be a whole address, such as https://app.example/callback.'
  // RFC 9110 4.2.4 forbids them.
  if (url.username !== '' || url.password !== '')
    return 'The redirect URI must not have a user name or password.'
  // RFC 9700 2.6 and RFC 6749 3.1.2.1 ask for https.
  return url.protocol === 'https:' || isLoopbackName(url.hostname)
    ? undefined
    : 'The redirect URI has to begin with https:// (http:// is for this machine only).'
}
