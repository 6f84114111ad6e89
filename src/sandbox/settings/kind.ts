/** The two kinds of credentials of an organization, as a table: what their screens show, ask and change. */
import type { Plan } from '../../contract/plan.ts'
import { isSameSecret } from '../api/credential.ts'
import { organizationOfPage } from '../api/organization.ts'
import { cookieOf, loginPage, requireLogin, signedInPerson, signIn } from '../authorize/login.tsx'
import { isRepeated, readOwnForm, valueOf } from '../http/form.ts'
import { type Answered, type HandlerContext, Refusal } from '../http/handler.ts'
import { limitsOf } from '../limits/month.ts'
import type { Context } from '../state/context.ts'
import {
  deleteApplication,
  deleteExpired,
  issueKey,
  registerApplication,
  revokeKey,
} from '../state/issued.ts'
import { type ApiKey, type Application, derive, type Organization, type Person } from '../state/seed.ts'
import type { FieldRule } from './field.tsx'

type Values = Record<string, string>

export interface Credential {
  /** For an address, which must not have the value (RFC 9700 4.3.2). */
  handle: string
  name: string
  facts: readonly (readonly [name: string, value: string])[]
  values: Values
  change: (values: Values) => void
  remove: () => void
}

export interface CredentialKind {
  path: 'api-keys' | 'applications'
  title: string
  /** In the document's words (5.1.1, 5.2.2). */
  action: string
  one: string
  /** For those that count, for example "issued". */
  participle: string
  fields: readonly FieldRule[]
  most: (plan: Plan) => number
  /** Members issue keys and manage their own (5.1.4); only administrators have applications (5.2.5). */
  isFor: (member: Member) => boolean
  /** Those that the person may see, oldest first. */
  list: (member: Member) => Credential[]
  /** All of the organization (8.1). */
  count: (member: Member) => number
  add: (member: Member, values: Values) => unknown
}

const handleOf = (value: string): string => derive(value, 'handle').slice(0, 16)

const described = ({ description = '' }: Values) => (description === '' ? {} : { description })

const DESCRIPTION: FieldRule = { name: 'description', label: 'Description', longest: 500 }

const keysOf = ({ context, organization }: Member) =>
  context.state.api_keys.filter(
    (key) => key.organization_id === organization.id && key.deleted_at_ms === undefined,
  )

export const API_KEYS: CredentialKind = {
  path: 'api-keys',
  title: 'API key setting',
  action: 'add API key',
  one: 'API key',
  participle: 'issued',
  fields: [DESCRIPTION],
  most: ({ api_keys }) => api_keys,
  isFor: () => true,
  list: (member) =>
    keysOf(member)
      .filter(({ issued_by }) => member.isAdministrator || issued_by === member.person.id)
      .map((key) => keyCredential(member, key)),
  count: (member) => keysOf(member).length,
  add: ({ context, organization, person }, values) =>
    issueKey(context, { ...described(values), organization_id: organization.id, issued_by: person.id }),
}

function keyCredential({ context }: Member, key: ApiKey): Credential {
  const { value, description = '', issued_by } = key
  const issuer = context.state.people.find(({ id }) => id === issued_by)
  return {
    handle: handleOf(value),
    name: description || 'Without a description',
    facts: [
      ['API key', value],
      ['Issued by', issuer?.name ?? issued_by],
    ],
    values: { description },
    change(values) {
      delete key.description
      Object.assign(key, described(values))
    },
    remove: () => revokeKey(context, key),
  }
}

const applicationsOf = ({ context, organization }: Member) =>
  context.state.applications.filter(({ organization_id }) => organization_id === organization.id)

export const APPLICATIONS: CredentialKind = {
  path: 'applications',
  title: 'Application setting',
  action: 'add application',
  one: 'application',
  participle: 'registered',
  fields: [
    {
      name: 'name',
      label: 'Application name',
      longest: 100,
      hint: 'The consent page shows it.',
      isRequired: true,
    },
    {
      name: 'redirect_uri',
      label: 'Redirect URI',
      longest: 2000,
      hint: 'Where the service redirects to after consent, exactly as the application sends it.',
      isRequired: true,
      type: 'url',
    },
    DESCRIPTION,
  ],
  most: ({ oauth_applications }) => oauth_applications,
  isFor: ({ isAdministrator }) => isAdministrator,
  list: (member) => applicationsOf(member).map((one) => applicationCredential(member, one)),
  count: (member) => applicationsOf(member).length,
  add: ({ context, organization }, values) =>
    registerApplication(context, { ...recordOf(values), organization_id: organization.id }),
}

const recordOf = (values: Values) => ({
  name: values['name'] ?? '',
  redirect_uri: values['redirect_uri'] ?? '',
  ...described(values),
})

function applicationCredential({ context }: Member, application: Application): Credential {
  const { client_id, client_secret, name, redirect_uri, description = '' } = application
  return {
    handle: handleOf(client_id),
    name,
    facts: [
      ['Client Id', client_id],
      ['Client Secret', client_secret],
      ['Redirect URI', redirect_uri],
      ['Description', description],
      // RFC 9700 2.6.
      ...(/^http:/i.test(redirect_uri)
        ? [['Warning', 'The code is sent unencrypted over http:, so use it on this machine only.'] as const]
        : []),
    ],
    values: { name, redirect_uri, description },
    change(values) {
      delete application.description
      Object.assign(application, recordOf(values))
      // An open consent page must not redirect to an address that is no longer registered.
      deleteExpired(
        context.state.pending,
        (asked) => asked.client_id === client_id && asked.redirect_uri !== application.redirect_uri,
      )
    },
    remove: () => deleteApplication(context, client_id),
  }
}

export const KINDS = [API_KEYS, APPLICATIONS]

/** Operating conditions may have changed it (8). */
export const maximumOf = ({ context, organization }: Member, kind: CredentialKind): number =>
  kind.most(limitsOf(context, organization))

/** For example "1 of 10 issued on the business plan". */
export function countText(member: Member, kind: CredentialKind): string {
  const { plan } = member.organization
  return `${kind.count(member)} of ${maximumOf(member, kind)} ${kind.participle} on the ${plan} plan`
}

export interface Member {
  c: HandlerContext
  context: Context
  person: Person
  organization: Organization
  isAdministrator: boolean
}

function memberOf(c: HandlerContext, person: Person): Member {
  const organization = organizationOfPage(c, person)
  const isAdministrator = isAdministratorOf(person, organization)
  return { c, context: c.get('context'), person, organization, isAdministrator }
}

const isAdministratorOf = (person: Person, { id }: Organization): boolean =>
  person.organizations.some((one) => one.organization_id === id && one.role === 'administrator')

/** For example "Only administrators can manage these: Ada Lindqvist." */
export function administratorsHint({ context, organization }: Member): string {
  const known = context.state.people.filter((person) => isAdministratorOf(person, organization))
  return `Only administrators can manage these: ${known.map(({ name }) => name).join(', ')}.`
}

/** Makes a page for members. Others sign in first. @throws Refusal `not_found` */
export const memberPage = (page: (member: Member) => Answered) =>
  requireLogin((c, person) => page(memberOf(c, person)))

/**
 * A form with `person_id` is that of the sign-in page.
 * @throws Refusal `forged_request` from another site, `stale_form` without its csrf token (RFC 6749 10.12)
 */
export const memberForm =
  (submit: (member: Member, form: URLSearchParams) => Answered) =>
  async (c: HandlerContext): Promise<Response> => {
    const form = await readOwnForm(c)
    if (form.has('person_id')) return signIn(c, form)
    const person = signedInPerson(c)
    if (person === undefined) return loginPage(c)
    const member = memberOf(c, person)
    const sent = valueOf(form, 'csrf_token') ?? ''
    if (isRepeated(form, 'csrf_token') || !isSameSecret(sent, csrfTokenOf(c)))
      throw new Refusal('stale_form', { description: 'This form is too old, or belongs to another sign-in.' })
    return submit(member, form)
  }

/** Derived from the sign-in cookie: only its owner can make it (RFC 6749 10.12). */
export const csrfTokenOf = (c: HandlerContext): string => derive(cookieOf(c), 'forms')
