import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { isApiKey } from '../../contract/credential.ts'
import { readTypedOrganization } from '../../contract/organization.ts'
import { PLANS } from '../../contract/plan.ts'
import type { Problem } from '../../contract/problem.ts'
import { Field, type FieldErrors, Form, Submit, typedIn } from '../components/form.tsx'
import { text } from '../text/text.ts'
import type { Entry, Way } from './entry.ts'
import styles from './sign-in.module.css'

/** Ids of the fields, and their names. */
export const ORGANIZATION_FIELD = 'organization-id'
export const KEY_FIELD = 'api-key'

type Typed = { value: Way } | { errors: FieldErrors }

/** The field that a refusal is about. */
export function fieldOf(code: Problem['code']): string | undefined {
  if (code === 'invalid_organization_id') return ORGANIZATION_FIELD
  return code === 'key_rejected' ? KEY_FIELD : undefined
}

interface WayFormProps {
  entry: Entry
  field: string
  read: (data: FormData) => Typed
  children: ReactNode
}

/** A failure is said above all ways; a refusal of what was typed also here, as that may be out of sight. */
function WayForm({ entry, field, read, children }: WayFormProps) {
  const refused = ({ code }: Problem): FieldErrors | undefined =>
    fieldOf(code) === field ? { [field]: () => text().problem[code].title } : undefined
  return (
    <Form className={styles.form} read={read} action={entry} refused={refused} renderNotice={() => null}>
      {children}
    </Form>
  )
}

interface OrganizationFormProps {
  entry: Entry
  /** The price of a sign-in, in words. */
  price: string
  initial: string
}

export function OrganizationForm({ entry, price, initial }: OrganizationFormProps) {
  const t = text().signIn.organization
  const [typed, setTyped] = useState(initial)
  const field = useRef<HTMLInputElement>(null)
  // A person may have typed before the script was there.
  useLayoutEffect(() => setTyped((drawn) => field.current?.value ?? drawn), [])
  const read = readTypedOrganization(typed)
  return (
    <WayForm entry={entry} field={ORGANIZATION_FIELD} read={organizationIn}>
      <Field
        ref={field}
        id={ORGANIZATION_FIELD}
        name={ORGANIZATION_FIELD}
        label={t.label}
        hint={'fault' in read ? t.hint : <strong>{t.read(read.id)}</strong>}
        defaultValue={initial}
        autoCapitalize="none"
        spellCheck={false}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Submit>{entry.busy && entry.way?.by === 'sign_in' ? t.busy : t.button(price)}</Submit>
      <p className="quiet">{t.price(price, PLANS.standard.per_month)}</p>
    </WayForm>
  )
}

function organizationIn(data: FormData): Typed {
  const read = readTypedOrganization(typedIn(data, ORGANIZATION_FIELD))
  return 'fault' in read
    ? { errors: { [ORGANIZATION_FIELD]: () => text().signIn.organization.faults[read.fault] } }
    : { value: { by: 'sign_in', with: read.id } }
}

export function KeyForm({ entry }: { entry: Entry }) {
  const t = text().signIn.key
  return (
    <WayForm entry={entry} field={KEY_FIELD} read={keyIn}>
      <Field id={KEY_FIELD} name={KEY_FIELD} type="password" label={t.label} hint={t.hint} />
      <Submit isPrimary={false}>{entry.busy && entry.way?.by === 'key' ? t.busy : t.button}</Submit>
    </WayForm>
  )
}

function keyIn(data: FormData): Typed {
  const key = typedIn(data, KEY_FIELD).trim()
  if (isApiKey(key)) return { value: { by: 'key', with: key } }
  return { errors: { [KEY_FIELD]: () => text().signIn.key[key === '' ? 'empty' : 'invalid'] } }
}
