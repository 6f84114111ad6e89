/** @jsxImportSource hono/jsx */
/** What a person has permitted in an organization, and how they take it back, where that can be done (U51). */
import { OwnForm } from './field.tsx'
import { isRepeated, valueOf } from '../http/form.ts'
import type { Member } from './member.ts'
import { Refusal } from '../http/problem.tsx'
import { goTo, REVOCABLE_APPS, writeSettings } from './settings-page.tsx'
import { revokeGrants } from '../state/revoke.ts'
import type { Grant } from '../state/state.ts'

type Answer = Response | Promise<Response>

/** What this person permitted here, one for each application. @throws Refusal `not_found` where nothing can be taken back */
function permittedBy({ context, person, organization }: Member): string[] {
  if (!REVOCABLE_APPS[context.choices.states]) throw new Refusal('not_found')
  const own = Object.values(context.state.grants).filter((grant) => isOf(grant, person.id, organization.id))
  return [...new Set(own.map(({ client_id }) => client_id))]
}

const isOf = (
  grant: Pick<Grant, 'person_id' | 'organization_id'>,
  personId: string,
  organizationId: number,
): boolean => grant.person_id === personId && grant.organization_id === organizationId

/** The list, for the person alone: administrators do not see what others permitted. */
export function authorizedAppList(member: Member): Answer {
  const permitted = permittedBy(member)
  const { applications } = member.context.state
  return writeSettings(
    member,
    { title: 'Permissions' },
    <>
      <p class="lead">Applications that may use the API for this organization as you.</p>
      {permitted.length === 0 && <p class="empty">You have permitted no application.</p>}
      <ul class="issued">
        {permitted.map((clientId) => {
          const known = applications.find(({ client_id }) => client_id === clientId)
          const name = known?.name ?? 'A deleted application'
          return (
            <li key={clientId} class="card row">
              <h2>{name}</h2>
              <OwnForm member={member}>
                <button name="client_id" value={clientId}>
                  Withdraw<span class="aside"> the permission of {name}</span>
                </button>
              </OwnForm>
            </li>
          )
        })}
      </ul>
    </>,
  )
}

/** Ends what the person permitted one application: its codes and tokens with it. */
export function revokeApp(member: Member, form: URLSearchParams): Answer {
  const clientId = valueOf(form, 'client_id') ?? ''
  if (isRepeated(form, 'client_id') || !permittedBy(member).includes(clientId))
    throw new Refusal('invalid_request')
  const { context, person, organization } = member
  revokeGrants(context, (grant) => grant.client_id === clientId && isOf(grant, person.id, organization.id))
  return goTo(member, 'permissions', 'permission_withdrawn')
}
