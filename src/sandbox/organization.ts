/** Answers the two organization reads (4.4), and finds the organization that a page is about. */
import type { JsonObject } from '../contract/json.ts'
import { holderOf } from './credential.ts'
import { valueOf } from './form.ts'
import { Refusal } from './problem.tsx'
import type { Frozen, Organization, Person, SandboxState } from './state.ts'
import type { Visit, World } from './world.ts'

/** `GET /organizations`: the organization of the credential, as an object (`organization_body`). */
export const ownOrganization = (c: Visit): Response => {
  const { organization } = holderOf(c)
  return c.json(organizationBody(c.get('world').state, organization))
}

/**
 * `GET /organizations/{id}`.
 * @throws Refusal `not_found`, alike for an id that is none, that nobody has, and that belongs to others
 */
export const oneOrganization = (c: Visit): Response => {
  const { organization } = holderOf(c)
  const { state, choices } = c.get('world')
  const asked = organizationById(state, c.req.param('id') ?? '')
  if (asked?.id === organization.id) return c.json(organizationBody(state, organization))
  throw new Refusal('not_found', asked && { status: choices.other_organization_status })
}

/** By the digits of its id: no other writing of the number will do. */
export const organizationById = (
  { organizations }: Frozen<Pick<SandboxState, 'organizations'>>,
  id: string,
): Frozen<Organization> | undefined => organizations.find((known) => String(known.id) === id)

/** Whether the person belongs to the organization, in whatever role. */
export const isMember = (person: Frozen<Person>, organization: Frozen<Organization>): boolean =>
  person.organizations.some(({ organization_id }) => organization_id === organization.id)

/**
 * The organization that the address of a page names (5.3), for a person who is a member.
 * @throws Refusal `not_found`
 */
export function organizationOfPage(c: Visit, person: Frozen<Person>): Frozen<Organization> {
  const asked = valueOf(new URL(c.req.url).searchParams, 'organization_id') ?? ''
  const organization = organizationById(c.get('world').state, asked)
  if (organization === undefined || !isMember(person, organization)) throw new Refusal('not_found')
  return organization
}

/** Which fields there are is not shown (4.4): these are made up, so that a page has all sorts of values to draw. */
function organizationBody(
  { people }: World['state'],
  { id, name, plan, details }: Frozen<Organization>,
): JsonObject {
  const members = people.flatMap((person) =>
    person.organizations
      .filter(({ organization_id }) => organization_id === id)
      .map(({ role }) => ({ id: person.id, name: person.name, role })),
  )
  return { organization_id: id, name, plan, ...details, members }
}
