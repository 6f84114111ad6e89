/** @jsxImportSource hono/jsx */
/** The only place that says how many keys and applications an organization may have (8.1), and what happens beyond. */
import type { Plan } from '../../contract/plan.ts'
import { limitsOf } from '../limits/plan-limit.ts'
import type { Member } from './member.ts'
import { Refusal } from '../http/problem.tsx'
import type { Choices } from '../choices/choices.ts'
import { settingsLink } from './settings-page.tsx'
import { applicationsOf, keysOf } from '../state/registered.ts'
import type { ApiKey, Application, Frozen, SandboxState } from '../state/state.ts'

/** One of the two rows of 8.1: neither counts for the other. */
export interface Kind {
  path: 'api-keys' | 'applications'
  /** The action, in the document's words (5.1.1, 5.2.2). */
  action: string
  one: string
  many: string
  done: string
  most: (plan: Plan) => number
  list: (state: Frozen<SandboxState>, organizationId: number) => readonly Frozen<ApiKey | Application>[]
}

export const API_KEYS: Kind = {
  path: 'api-keys',
  action: 'add API key',
  one: 'API key',
  many: 'API keys',
  done: 'issued',
  most: ({ api_keys }) => api_keys,
  list: keysOf,
}
export const APPLICATIONS: Kind = {
  path: 'applications',
  action: 'add application',
  one: 'application',
  many: 'applications',
  done: 'registered',
  most: ({ oauth_applications }) => oauth_applications,
  list: applicationsOf,
}

/** How the maximum is shown (U77): whether the form is offered all the same, and whether it comes back with the reason. */
const AT_MAXIMUM: Record<Choices['overmax'], { isOffered: boolean; comesBack: boolean }> = {
  action_disabled: { isOffered: false, comesBack: false },
  form_error: { isOffered: true, comesBack: true },
  error_page: { isOffered: true, comesBack: false },
}

/** The maximum as it stands, also where conditions have changed it (8). */
export const maximumOf = (
  { context, organization }: Pick<Member, 'context' | 'organization'>,
  kind: Kind,
): number => kind.most(limitsOf(context, organization))

/** As "The Standard plan allows 1 API key, and 1 is issued."; `undefined` while there is room. */
export function reasonAgainst(member: Member, kind: Kind): string | undefined {
  const { context, organization } = member
  const [most, count] = [maximumOf(member, kind), kind.list(context.state, organization.id).length]
  if (count < most) return undefined
  return `The ${planName(organization)} plan allows ${most} ${most === 1 ? kind.one : kind.many}, and ${count} ${count === 1 ? 'is' : 'are'} ${kind.done}.`
}

/** The plan as it begins a word: "Standard". */
export const planName = ({ plan }: { plan: string }): string => plan.charAt(0).toUpperCase() + plan.slice(1)

/** What the form of an empty record needs. @throws Refusal `maximum_reached`, where none is offered then */
export function assertOffered(member: Member, kind: Kind): void {
  const reason = reasonAgainst(member, kind)
  if (reason !== undefined && !AT_MAXIMUM[member.context.choices.overmax].isOffered)
    throw new Refusal('maximum_reached', { description: reason })
}

/** @returns the reason, where the form comes back with it. @throws Refusal `maximum_reached`, where a page has it */
export function refuseAtMaximum(member: Member, kind: Kind): string | undefined {
  const reason = reasonAgainst(member, kind)
  if (reason !== undefined && !AT_MAXIMUM[member.context.choices.overmax].comesBack)
    throw new Refusal('maximum_reached', { description: reason })
  return reason
}

/** The list's action, with the number that there is and may be; at the maximum disabled, with the reason beside it. */
export const AddAction = ({ member, kind }: { member: Member; kind: Kind }) => {
  const { context, organization } = member
  const [most, count] = [maximumOf(member, kind), kind.list(context.state, organization.id).length]
  const reason = AT_MAXIMUM[context.choices.overmax].isOffered ? undefined : reasonAgainst(member, kind)
  return (
    <div class="action">
      <p>
        <strong>
          {count} of {most}
        </strong>{' '}
        {kind.done} on the {planName(organization)} plan
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
          {reason} Delete one to make room
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
