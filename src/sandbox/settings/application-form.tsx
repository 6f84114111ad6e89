/** @jsxImportSource hono/jsx */
/** Draws and reads the fields of an application (5.2.3). */
import { isRepeated } from '../http/form.ts'
import type { Application } from '../state/seed.ts'
import { Field, type FormErrors, hasErrors, readText, repeatedError } from './field.tsx'
import type { Member } from './member.ts'
import { LONGEST_REDIRECT_URI, mostRedirectUris, readRedirectUris } from './redirect-uri.ts'

const LONGEST_NAME = 100
const LONGEST_APPLICATION_DESCRIPTION = 500
/** The length of the field for several redirect URIs. */
const LONGEST_LIST = 8000

/** As they were typed. */
export interface ApplicationValues {
  name: string
  redirect_uri: string
  description: string
}

type ApplicationRecord = Pick<Application, 'name' | 'redirect_uri' | 'more_redirect_uris' | 'description'>

/** @returns the values and their errors; the record only if there is no error */
export function readApplication(
  { context }: Member,
  form: URLSearchParams,
): { values: ApplicationValues; errors: FormErrors; record?: ApplicationRecord } {
  const name = readText(form, 'name', { label: 'Application name', longest: LONGEST_NAME, isRequired: true })
  const description = readText(form, 'description', {
    label: 'Description',
    longest: LONGEST_APPLICATION_DESCRIPTION,
  })
  const redirect_uri = form.get('redirect_uri') ?? ''
  const read = isRepeated(form, 'redirect_uri')
    ? { error: repeatedError('Redirect URI') }
    : readRedirectUris(redirect_uri, context.choices)
  const values = { name: name.text, redirect_uri, description: description.text }
  const errors: FormErrors = {
    name: name.error,
    redirect_uri: 'error' in read ? read.error : undefined,
    description: description.error,
  }
  if ('error' in read || hasErrors(errors)) return { values, errors }
  const [first, ...more] = read.uris
  const record: ApplicationRecord = {
    name: name.text,
    redirect_uri: first,
    ...(more.length > 0 && { more_redirect_uris: more }),
    ...(description.text !== '' && { description: description.text }),
  }
  return { values, errors, record }
}

interface ApplicationFieldsProps {
  member: Member
  values: ApplicationValues
  errors: FormErrors
}

export const ApplicationFields = (props: ApplicationFieldsProps) => (
  <>
    <Field
      name="name"
      label="Application name"
      hint="The consent page shows it."
      value={props.values.name}
      error={props.errors['name']}
      longest={LONGEST_NAME}
      required
    />
    <RedirectUriField {...props} />
    <Field
      name="description"
      label="Description"
      value={props.values.description}
      error={props.errors['description']}
      longest={LONGEST_APPLICATION_DESCRIPTION}
      lines={3}
    />
  </>
)

const RedirectUriField = ({ member, values, errors }: ApplicationFieldsProps) => {
  const most = mostRedirectUris(member.context.choices)
  const common = { name: 'redirect_uri', value: values.redirect_uri, error: errors['redirect_uri'] }
  return most === 1 ? (
    <Field
      {...common}
      label="Redirect URI"
      hint="Where the service redirects to after consent, exactly as the application sends it."
      longest={LONGEST_REDIRECT_URI}
      isAddress
      required
    />
  ) : (
    <Field
      {...common}
      label="Redirect URIs"
      hint={`Where the service redirects to after consent: one in each line, at most ${most}.`}
      longest={LONGEST_LIST}
      lines={4}
      isAddress
      required
    />
  )
}
