/** The two organization reads (4.4), the invented address for updates, and the organization of a page. */
import type { JsonObject } from '../../contract/json.ts'
import type { Choices } from '../choices/choices.ts'
import { readText, valueOf } from '../http/form.ts'
import { type Handler, type HandlerContext, queryOf, Refusal, write, writeJson } from '../http/handler.ts'
import type { Context } from '../state/context.ts'
import type { Organization, Person } from '../state/seed.ts'
import type { SandboxState } from '../state/state.ts'
import { bearerChallenge, holderOf } from './credential.ts'

/** U45. `own` is `GET /organizations`, `one` is `GET /organizations/{id}`. */
const WRAPS: Record<Choices['orgbody'], Record<'own' | 'one', (body: JsonObject) => unknown>> = {
  object: { own: (body) => body, one: (body) => body },
  array: { own: (body) => [body], one: (body) => body },
  in_organizations: { own: (body) => ({ organizations: [body] }), one: (body) => body },
  in_organization: { own: (body) => ({ organization: body }), one: (body) => ({ organization: body }) },
  in_data: { own: (body) => ({ data: [body], meta: { total: 1 } }), one: (body) => ({ data: body }) },
}

export const ownOrganization = (c: HandlerContext): Response => answer(c, holderOf(c).organization, 'own')

/** `GET /organizations/{id}`. @throws Refusal `not_found`, equal for an invalid, unknown or foreign id */
export function oneOrganization(c: HandlerContext): Response {
  const { organization } = holderOf(c)
  const { state, choices } = c.get('context')
  const asked = organizationById(state, c.req.param('id') ?? '')
  if (asked === undefined) throw new Refusal('not_found')
  // U41: an organization that is not the credential's.
  if (asked.id !== organization.id && choices.wrongorg === 'status_404') throw new Refusal('not_found')
  if (asked.id !== organization.id && choices.wrongorg === 'status_403')
    throw new Refusal('insufficient_scope', { headers: bearerChallenge({ error: 'insufficient_scope' }) })
  return answer(c, asked, 'one')
}

function answer(c: HandlerContext, organization: Organization, wrap: 'own' | 'one'): Response {
  const { state, choices } = c.get('context')
  const body = WRAPS[choices.orgbody][wrap](organizationBody(state, organization))
  // JSON.stringify is much faster, and cannot write a large id.
  const text = choices.orgid === 'beyond_2_53' ? textWithLargeNumbers(body) : JSON.stringify(body)
  return write(c, 200, text, { 'Content-Type': 'application/json' })
}

// No text contains this private-use character.
const DIGITS_MARK = '\uE000'

/** A bigint becomes a number with all its digits. */
const textWithLargeNumbers = (body: unknown): string =>
  JSON.stringify(body, (_, value: unknown) =>
    typeof value === 'bigint' ? DIGITS_MARK + String(value) : value,
  ).replaceAll(new RegExp(`"${DIGITS_MARK}(\\d+)"`, 'g'), '$1')

/** An odd number above 2^53: a double cannot hold it, a signed 64-bit integer can. */
const LARGE_ID = 9_000_000_000_000_000_001n

/** U46. */
const BODY_IDS: Record<Choices['orgid'], (id: number) => number | string | bigint> = {
  number: (id) => id,
  digit_string: String,
  beyond_2_53: (id) => LARGE_ID + 2n * BigInt(id),
}

export const idOnWire = ({ choices }: Pick<SandboxState, 'choices'>, { id }: { id: number }): string =>
  String(BODY_IDS[choices.orgid](id))

/** Accepts the stored id and the one in bodies, by all digits: a client can go on when `orgid` changes. */
export const organizationById = (state: SandboxState, id: string): Organization | undefined =>
  state.organizations.find((known) => idOnWire(state, known) === id || String(known.id) === id)

export const isMember = (person: Person, { id }: Pick<Organization, 'id'>): boolean =>
  person.organizations.some(({ organization_id }) => organization_id === id)

/** The organization in the query of a page (5.3), for a member. @throws Refusal `not_found` */
export function organizationOfPage(c: HandlerContext, person: Person): Organization {
  const asked = valueOf(queryOf(c), 'organization_id') ?? ''
  const organization = organizationById(c.get('context').state, asked)
  if (organization === undefined || !isMember(person, organization)) throw new Refusal('not_found')
  return organization
}

/** The document shows no fields (4.4): these are invented, of all JSON types. */
function organizationBody(
  { people, choices }: Context['state'],
  { id, name, plan, details }: Organization,
): JsonObject {
  const members = people.flatMap((person) =>
    person.organizations
      .filter(({ organization_id }) => organization_id === id)
      .map(({ role }) => ({ id: person.id, name: person.name, role })),
  )
  const own = { organization_id: BODY_IDS[choices.orgid](id), name, plan }
  return { ...own, ...details, ...own, members }
}

export const ECHO_PATH = '/_choice/echo'
export const ECHO_METHODS = ['POST', 'PATCH', 'PUT', 'DELETE'] as const

/** Stores nothing (U52). The document limits updates, and has no address that takes any. */
export const echo: Handler = async (c) => {
  holderOf(c)
  return writeJson(c, { method: c.req.method, echo: await readText(c) })
}
