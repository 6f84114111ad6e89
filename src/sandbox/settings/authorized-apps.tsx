/** @jsxImportSource hono/jsx */
/** The applications that a person has authorized in an organization, and can revoke (U51). */
import { OwnForm } from './field.tsx'
import { isRepeated, valueOf } from '../http/form.ts'
import type { Member } from './member.ts'
import { Refusal } from '../http/problem.tsx'
import { redirectToSettings, CAN_REVOKE_APPS, writeSettings } from './settings-page.tsx'
import { revokeGrants } from '../state/revoke.ts'
import type { Grant } from '../state/state.ts'
import type { Answered } from '../http/handler-context.ts'

/** @throws Refusal `not_found` if grants cannot be revoked */
function authorizedClients({ context, person, organization }: Member): string[] {
  if (!CAN_REVOKE_APPS[context.choices.states]) throw new Refusal('not_found')
  const own = Object.values(context.state.grants).filter((grant) => isOf(grant, person.id, organization.id))
  return [...new Set(own.map(({ client_id }) => client_id))]
}

const isOf = (
  grant: Pick<Grant, 'person_id' | 'organization_id'>,
  personId: string,
  organizationId: number,
): boolean => grant.person_id === personId && grant.organization_id === organizationId

/** A person's own list: administrators do not see those of others. */
export function authorizedAppsPage(member: Member): Answered {
  const clientIds = authorizedClients(member)
  const { applications } = member.context.state
  return writeSettings(
    member,
    { title: 'Authorized applications' },
    <>
      <p class="lead">Applications that may use the API for this organization as you.</p>
      {clientIds.length === 0 && <p class="empty">You have authorized no application.</p>}
      <ul class="issued">
        {clientIds.map((clientId) => {
          const application = applications.find(({ client_id }) => client_id === clientId)
          const name = application?.name ?? 'A deleted application'
          return (
            <li key={clientId} class="card row">
              <h2>{name}</h2>
              <OwnForm member={member}>
                <button name="client_id" value={clientId}>
                  Revoke<span class="aside"> the access of {name}</span>
                </button>
              </OwnForm>
            </li>
          )
        })}
      </ul>
    </>,
  )
}

/** Revokes the grants of one application, with their codes and tokens. */
export function revokeApp(member: Member, form: URLSearchParams): Answered {
  const clientId = valueOf(form, 'client_id') ?? ''
  if (isRepeated(form, 'client_id') || !authorizedClients(member).includes(clientId))
    throw new Refusal('invalid_request')
  const { context, person, organization } = member
  revokeGrants(context, (grant) => grant.client_id === clientId && isOf(grant, person.id, organization.id))
  return redirectToSettings(member, 'permissions', 'access_revoked')
}
