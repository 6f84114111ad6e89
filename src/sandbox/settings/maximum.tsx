/** @jsxImportSource hono/jsx */
/** The maximum of keys and of applications (8.1). */
import type { Plan } from '../../contract/plan.ts'
import { limitsOf } from '../limits/plan-limit.ts'
import type { Member } from './member.ts'
import { Refusal } from '../http/problem.tsx'
import type { Choices } from '../choices/choices.ts'
import { settingsLink } from './settings-page.tsx'
import { applicationsOf, keysOf } from '../state/registered.ts'
import type { ApiKey, Application } from '../state/seed.ts'
import type { DeepReadonly, SandboxState } from '../state/state.ts'

export type IssuedCredential = DeepReadonly<ApiKey | Application>

/** The two rows of 8.1, which are counted separately. */
export interface CredentialKind {
  path: 'api-keys' | 'applications'
  /** In the document's words (5.1.1, 5.2.2). */
  action: string
  one: string
  many: string
  /** For those that count, for example "issued". */
  participle: string
  most: (plan: Plan) => number
  list: (state: DeepReadonly<SandboxState>, organizationId: number) => readonly IssuedCredential[]
}

export const API_KEYS: CredentialKind = {
  path: 'api-keys',
  action: 'add API key',
  one: 'API key',
  many: 'API keys',
  participle: 'issued',
  most: ({ api_keys }) => api_keys,
  list: keysOf,
}
export const APPLICATIONS: CredentialKind = {
  path: 'applications',
  action: 'add application',
  one: 'application',
  many: 'applications',
  participle: 'registered',
  most: ({ oauth_applications }) => oauth_applications,
  list: applicationsOf,
}

/** U77: the form may still be offered, and may be shown again with the reason. */
const AT_MAXIMUM: Record<Choices['overmax'], { isOffered: boolean; isShownAgain: boolean }> = {
  action_disabled: { isOffered: false, isShownAgain: false },
  form_error: { isOffered: true, isShownAgain: true },
  error_page: { isOffered: true, isShownAgain: false },
}

/** Operating conditions may have changed it (8). */
export const maximumOf = (
  { context, organization }: Pick<Member, 'context' | 'organization'>,
  kind: CredentialKind,
): number => kind.most(limitsOf(context, organization))

/** For example "The Standard plan allows 1 API key, and 1 is issued."; `undefined` below the maximum. */
export function maximumReason(
  member: Member,
  kind: CredentialKind,
  participle = kind.participle,
  counts: (issued: IssuedCredential) => boolean = () => true,
): string | undefined {
  const { context, organization } = member
  const most = maximumOf(member, kind)
  const count = kind.list(context.state, organization.id).filter(counts).length
  if (count < most) return undefined
  return `The ${planName(organization)} plan allows ${most} ${most === 1 ? kind.one : kind.many}, and ${count} ${count === 1 ? 'is' : 'are'} ${participle}.`
}

/** For example "Standard". */
export const planName = ({ plan }: { plan: string }): string => plan.charAt(0).toUpperCase() + plan.slice(1)

/** @throws Refusal `maximum_reached` at the maximum, if the form is not offered there */
export function assertOffered(member: Member, kind: CredentialKind): void {
  const reason = maximumReason(member, kind)
  if (reason !== undefined && !AT_MAXIMUM[member.context.choices.overmax].isOffered)
    throw new Refusal('maximum_reached', { description: reason })
}

/** @returns the reason with which the form is shown again. @throws Refusal `maximum_reached` if it is not */
export function refuseAtMaximum(member: Member, kind: CredentialKind): string | undefined {
  const reason = maximumReason(member, kind)
  if (reason !== undefined && !AT_MAXIMUM[member.context.choices.overmax].isShownAgain)
    throw new Refusal('maximum_reached', { description: reason })
  return reason
}

/** Has count and maximum. At the maximum it is disabled and shows the reason. */
export const AddAction = ({ member, kind }: { member: Member; kind: CredentialKind }) => {
  const { context, organization } = member
  const [most, count] = [maximumOf(member, kind), kind.list(context.state, organization.id).length]
  const reason = AT_MAXIMUM[context.choices.overmax].isOffered ? undefined : maximumReason(member, kind)
  return (
    <div class="action">
      <p>
        <strong>
          {count} of {most}
        </strong>{' '}
        {kind.participle} on the {planName(organization)} plan
      </p>
      {reason === undefined ? (
        <a class="button primary" href={settingsLink(member, `${kind.path}/add`)}>
          <span class="capital">{kind.action}</span>
        </a>
      ) : (
        <button type="button" class="primary" disabled aria-describedby="maximum">
          <span class="capital">{kind.action}</span>
        </button>
      )}
      {reason !== undefined && (
        <p class="hint" id="maximum">
          {reason} Delete one first
          {member.isAdministrator && (
            <>
              , or <a href={settingsLink(member, 'plan')}>change the plan</a>
            </>
          )}
          .
        </p>
      )}
    </div>
  )
}
