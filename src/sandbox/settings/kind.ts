/** The two kinds of credentials of an organization, as a table: what their screens show, ask and change. */
import type { Plan } from '../../contract/plan.ts'
import { limitsOf } from '../limits/plan-limit.ts'
import { deleteApplication, issueKey, registerApplication, revokeKey } from '../state/active.ts'
import { derive } from '../state/random.ts'
import type { ApiKey, Application } from '../state/seed.ts'
import type { DeepReadonly } from '../state/state.ts'
import { deleteExpired } from '../state/sweep.ts'
import type { FieldRule } from './field.tsx'
import { isUnprotected } from './redirect-uri.ts'
import type { Member } from './member.ts'

/** One key or application. */
export interface Credential {
  /** For an address, which must not have the value (RFC 9700 4.3.2). */
  handle: string
  name: string
  description?: string | undefined
  facts: readonly [name: string, value: string, isSecret: boolean][]
  warning?: string | undefined
  values: Record<string, string>
  change: (values: Record<string, string>) => void
  remove: () => void
}

export interface CredentialKind {
  path: 'api-keys' | 'applications'
  title: string
  /** Its link. */
  tab: string
  /** In the document's words (5.1.1, 5.2.2). */
  action: string
  one: string
  many: string
  /** For those that count, for example "issued". */
  participle: string
  fields: readonly FieldRule[]
  help: string
  deletion: string
  most: (plan: Plan) => number
  /** Members issue keys and manage their own (5.1.4); only administrators have applications (5.2.5). */
  isFor: (member: Member) => boolean
  /** Those that the person may see, oldest first. */
  list: (member: Member) => Credential[]
  /** All of the organization (8.1). */
  count: (member: Pick<Member, 'context' | 'organization'>) => number
  add: (member: Member, values: Record<string, string>) => unknown
}

const handleOf = (value: string): string => derive(value, 'handle').slice(0, 16)

/** Without a description if it is empty. */
const described = ({ description = '' }: Record<string, string>) =>
  description === '' ? {} : { description }

function describe(record: { description?: string }, { description = '' }: Record<string, string>): void {
  if (description === '') delete record.description
  else record.description = description
}

const keysOf = ({ context, organization }: Pick<Member, 'context' | 'organization'>) =>
  context.state.api_keys.filter(
    (key) => key.organization_id === organization.id && key.deleted_at_ms === undefined,
  )

export const API_KEYS: CredentialKind = {
  path: 'api-keys',
  title: 'API key setting',
  tab: 'API keys',
  action: 'add API key',
  one: 'API key',
  many: 'API keys',
  participle: 'issued',
  fields: [{ name: 'description', label: 'Description', longest: 200, hint: 'What the key is used for.' }],
  help: 'Send a key in the header X-Service-Api-Key of every request.',
  deletion: 'Requests with this key are refused, and another key can be added. This cannot be undone.',
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

function keyCredential({ context }: Member, key: DeepReadonly<ApiKey>): Credential {
  const { value, description, issued_by } = key
  const issuer = context.state.people.find(({ id }) => id === issued_by)
  return {
    handle: handleOf(value),
    name: description ?? 'Without a description',
    facts: [
      ['API key', value, true],
      ['Issued by', issuer?.name ?? issued_by, false],
    ],
    values: { description: description ?? '' },
    change: (values) =>
      context.change((state) => {
        for (const one of state.api_keys) if (one.value === value) describe(one, values)
      }),
    remove: () => revokeKey(context, key),
  }
}

const applicationsOf = ({ context, organization }: Pick<Member, 'context' | 'organization'>) =>
  context.state.applications.filter(({ organization_id }) => organization_id === organization.id)

export const APPLICATIONS: CredentialKind = {
  path: 'applications',
  title: 'Application setting',
  tab: 'Applications',
  action: 'add application',
  one: 'application',
  many: 'applications',
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
      isAddress: true,
    },
    { name: 'description', label: 'Description', longest: 500 },
  ],
  help: 'An application serves every organization of the person who permits it.',
  deletion: 'Its codes and tokens end, and another application can be added. This cannot be undone.',
  most: ({ oauth_applications }) => oauth_applications,
  isFor: ({ isAdministrator }) => isAdministrator,
  list: (member) => applicationsOf(member).map((one) => applicationCredential(member, one)),
  count: (member) => applicationsOf(member).length,
  add: ({ context, organization }, values) =>
    registerApplication(context, { ...recordOf(values), organization_id: organization.id }),
}

const recordOf = (values: Record<string, string>) => ({
  name: values['name'] ?? '',
  redirect_uri: values['redirect_uri'] ?? '',
  ...described(values),
})

function applicationCredential({ context }: Member, application: DeepReadonly<Application>): Credential {
  const { client_id, client_secret, name, redirect_uri, description } = application
  return {
    handle: handleOf(client_id),
    name,
    description,
    facts: [
      ['Client Id', client_id, true],
      ['Client Secret', client_secret, true],
      ['Redirect URI', redirect_uri, true],
    ],
    warning: isUnprotected(redirect_uri)
      ? 'With http: the code is sent unencrypted. That is acceptable on this machine only.'
      : undefined,
    values: { name, redirect_uri, description: description ?? '' },
    change: (values) =>
      context.change((state) => {
        const changed = recordOf(values)
        for (const one of state.applications)
          if (one.client_id === client_id) describe(Object.assign(one, changed), values)
        // An open consent page must not redirect to an address that is no longer registered.
        deleteExpired(
          state.pending,
          (asked) => asked.client_id === client_id && asked.redirect_uri !== changed.redirect_uri,
        )
      }),
    remove: () => deleteApplication(context, client_id),
  }
}

/** Operating conditions may have changed it (8). */
export const maximumOf = (
  { context, organization }: Pick<Member, 'context' | 'organization'>,
  kind: CredentialKind,
): number => kind.most(limitsOf(context, organization))

/** For example "Standard". */
export const planName = ({ plan }: { plan: string }): string => plan.charAt(0).toUpperCase() + plan.slice(1)

/** For example "The Standard plan allows 1 API key, and 1 is issued."; `undefined` below the maximum. */
export function maximumReason(
  member: Pick<Member, 'context' | 'organization'>,
  kind: CredentialKind,
): string | undefined {
  const [most, count] = [maximumOf(member, kind), kind.count(member)]
  if (count < most) return undefined
  const allowed = `${most} ${most === 1 ? kind.one : kind.many}`
  const used = `${count} ${count === 1 ? 'is' : 'are'} ${kind.participle}`
  return `The ${planName(member.organization)} plan allows ${allowed}, and ${used}.`
}
