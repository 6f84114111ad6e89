/** @jsxImportSource hono/jsx */
/** The fields of the settings forms: how they are read, drawn, and sent back with what was wrong in them. */
import type { Child } from 'hono/jsx'
import { isRepeated } from '../http/form.ts'
import { type Member, csrfTokenOf } from './member.ts'

/** What was wrong with a form: a sentence for each field that has to be mended, under `form` what is about no field. */
export type Faults = { readonly [field: string]: string | undefined }

export const hasErrors = (faults: Faults): boolean =>
  Object.values(faults).some((fault) => fault !== undefined)

/** What a text field may hold the limits are ours, the document has none. */
interface TextRule {
  label: string
  longest: number
  isRequired?: boolean
}
// Characters that steer a text, or turn its direction, so that a page would not show what was entered.
const UNSHOWABLE = /[\p{Cc}\p{Cs}\u200E\u200F\u202A-\u202E\u2028\u2029\u2066-\u2069]/u

/** @returns the text without blanks around it, '' where there is none, and a sentence where it cannot be taken */
export function readText(
  form: URLSearchParams,
  name: string,
  { label, longest, isRequired = false }: TextRule,
): { text: string; fault: string | undefined } {
  const text = (form.get(name) ?? '').trim()
  const rules: readonly [isBroken: boolean, description: string][] = [
    [isRepeated(form, name), `${label} stands twice in the form.`],
    [isRequired && text === '', `Enter the ${label.toLowerCase()}.`],
    [text.length > longest, `${label} has ${text.length} characters; ${longest} are the most.`],
    [UNSHOWABLE.test(text), `${label} has a character that cannot be shown.`],
  ]
  return { text, fault: rules.find(([isBroken]) => isBroken)?.[1] }
}

/** 5.1.2, 5.2.3: the server asks for the agreement, whatever the page did. */
export const readAgreement = (form: URLSearchParams): string | undefined =>
  form.getAll('agreement').join() === 'agreed' ? undefined : 'Tick that you agree to the API terms.'

/** A form of the page, with its proof. */
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
  fault?: string | undefined
  required?: boolean
  /** One line where absent. */
  lines?: number
  longest: number
  isAddress?: boolean
}

/** A text field with its label, its hint, and what was wrong with it. */
export const Field = ({
  name,
  label,
  value,
  hint,
  fault,
  lines,
  longest,
  isAddress,
  required,
}: FieldProps) => {
  const describedBy = [hint !== undefined && `${name}-hint`, fault !== undefined && `${name}-fault`].filter(
    Boolean,
  )
  const common = {
    id: name,
    name,
    maxlength: longest,
    autocomplete: 'off',
    ...(required && { required: true }),
    ...(describedBy.length > 0 && { 'aria-describedby': describedBy.join(' ') }),
    ...(fault !== undefined && { 'aria-invalid': 'true' as const }),
    ...(isAddress && { class: 'address', spellcheck: false, autocapitalize: 'none' as const }),
  }
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
      {fault !== undefined && (
        <p class="fault" id={`${name}-fault`}>
          {fault}
        </p>
      )}
      {lines === undefined ? (
        <input type={isAddress ? 'url' : 'text'} value={value} {...common} />
      ) : (
        <textarea rows={lines} {...common}>
          {value}
        </textarea>
      )}
    </div>
  )
}

/** The tick that both kinds of credential ask for (2.3). */
export const Agreement = ({ fault }: { fault?: string | undefined }) => (
  <div class="field">
    {fault !== undefined && (
      <p class="fault" id="agreement-fault">
        {fault}
      </p>
    )}
    <label class="tick">
      <input
        type="checkbox"
        id="agreement"
        name="agreement"
        value="agreed"
        required
        {...(fault !== undefined && {
          'aria-invalid': 'true' as const,
          'aria-describedby': 'agreement-fault',
        })}
      />
      <span>I agree to the API terms</span>
    </label>
    <p class="quiet">The sandbox has no terms of its own; the service asks for the tick, so it does too.</p>
  </div>
)

/** Says above a form what is wrong in it, each fault a link to its field. */
export const ErrorList = ({ faults }: { faults: Faults }) => {
  const found = Object.entries(faults).filter((entry): entry is [string, string] => entry[1] !== undefined)
  if (found.length === 0) return <></>
  return (
    <div class="faults" role="alert">
      <h2>Nothing was saved</h2>
      <ul>
        {found.map(([name, description]) => (
          <li key={name}>{name === 'form' ? description : <a href={`#${name}`}>{description}</a>}</li>
        ))}
      </ul>
    </div>
  )
}

/** A step that cannot be taken back: its button comes in sight only when it is opened. */
export const Sure = ({
  member,
  action,
  title,
  means,
}: {
  member: Member
  action: string
  title: string
  means: string
}) => (
  <details class="card sure">
    <summary>{title}</summary>
    <p>{means}</p>
    <OwnForm member={member}>
      <button class="danger" name="action" value={action}>
        {title}
      </button>
    </OwnForm>
  </details>
)
