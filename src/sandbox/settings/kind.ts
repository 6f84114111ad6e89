/** The two kinds of credentials of an organization, as a table: what their screens show, ask and change. */
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

export type Values = Record<string, string>
export type Credential = ApiKey | Application

export interface Kind<One extends Credential = Credential> {
  path: 'api-keys' | 'applications'
  title: string
  /** In the document's words (5.1.1, 5.2.2). */
  action: string
  one: string
  /** For those that count, for example "issued". */
  participle: string
  fields: readonly FieldRule[]
  most: 'api_keys' | 'oauth_applications'
  isFor(member: Member): boolean
  all(context: Context): One[]
  /** An address must not have it (RFC 9700 4.3.2). */
  id(one: One): string
  name(one: One): string
  facts(context: Context, one: One): readonly (readonly [name: string, value: string])[]
  isVisible(member: Member, one: One): boolean
  /** @param values those that are not empty */
  add(member: Member, values: Values): One
  change(context: Context, one: One, values: Values): void
  remove(context: Context, one: One): void
}

/** All of the organization (8.1), oldest first. */
const ofOrganization = ({ context, organization }: Member, kind: Kind) =>
  kind.all(context).filter(({ organization_id }) => organization_id === organization.id)

export const visibleTo = (member: Member, kind: Kind): Credential[] =>
  ofOrganization(member, kind).filter((one) => kind.isVisible(member, one))

const DESCRIPTION: FieldRule = { name: 'description', label: 'Description', longest: 500 }

const API_KEYS: Kind<ApiKey> = {
  path: 'api-keys',
  title: 'API key setting',
  action: 'add API key',
  one: 'API key',
  participle: 'issued',
  fields: [DESCRIPTION],
  most: 'api_keys',
  isFor: () => true,
  all: ({ state }) => state.api_keys.filter(({ deleted_at_ms }) => deleted_at_ms === undefined),
  id: ({ value }) => value,
  name: ({ description }) => description || 'Without a description',
  facts: ({ state }, { value, issued_by }) => [
    ['API key', value],
    ['Issued by', state.people.find(({ id }) => id === issued_by)?.name ?? issued_by],
  ],
  // Members manage their own keys (5.1.4).
  isVisible: ({ isAdministrator, person }, { issued_by }) => isAdministrator || issued_by === person.id,
  add: ({ context, organization, person }, values) =>
    issueKey(context, { ...values, organization_id: organization.id, issued_by: person.id }),
  change: (_, key, values) => void Object.assign(key, values),
  remove: revokeKey,
}

const APPLICATIONS: Kind<Application> = {
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
  most: 'oauth_applications',
  // Only administrators have applications (5.2.5).
  isFor: ({ isAdministrator }) => isAdministrator,
  all: ({ state }) => state.applications,
  id: ({ client_id }) => client_id,
  name: ({ name }) => name,
  facts: (_, { client_id, client_secret, redirect_uri, description = '' }) => [
    ['Client Id', client_id],
    ['Client Secret', client_secret],
    ['Redirect URI', redirect_uri],
    ['Description', description],
    // RFC 9700 2.6.
    ...(/^http:/i.test(redirect_uri)
      ? [['Warning', 'The code is sent unencrypted over http:, so use it on this machine only.'] as const]
      : []),
  ],
  isVisible: () => true,
  add: ({ context, organization }, { name = '', redirect_uri = '', ...more }) =>
    registerApplication(context, { name, redirect_uri, ...more, organization_id: organization.id }),
  change({ state }, application, values) {
    Object.assign(application, values)
    const { client_id, redirect_uri } = application
    // An open consent page must not redirect to an address that is no longer registered.
    deleteExpired(
      state.pending,
      (asked) => asked.client_id === client_id && asked.redirect_uri !== redirect_uri,
    )
  },
  remove: (context, { client_id }) => deleteApplication(context, client_id),
}

export const KINDS: readonly Kind[] = [API_KEYS, APPLICATIONS]

/** Operating conditions may have changed the maximum (8). */
export const isAtMaximum = (member: Member, kind: Kind): boolean =>
  ofOrganization(member, kind).length >= limitsOf(member.context, member.organization)[kind.most]

/** For example "1 of 10 issued on the business plan". */
export function countText(member: Member, kind: Kind): string {
  const { context, organization } = member
  const most = limitsOf(context, organization)[kind.most]
  const count = ofOrganization(member, kind).length
  return `${count} of ${most} ${kind.participle} on the ${organization.plan} plan`
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
