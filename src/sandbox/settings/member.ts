/** Checks who may open a page of an organization, and the csrf token of its forms. */
import { isSameSecret } from '../api/credential.ts'
import { organizationOfPage } from '../api/organization.ts'
import { cookieOf, loginPage, requireLogin, signedInPerson, signIn } from '../authorize/login.tsx'
import { isRepeated, readOwnForm, valueOf } from '../http/form.ts'
import type { Answered, HandlerContext } from '../http/handler.ts'
import { Refusal } from '../http/problem.tsx'
import type { Context } from '../state/context.ts'
import { derive, type Organization, type Person } from '../state/seed.ts'
import type { DeepReadonly } from '../state/state.ts'

/** A member of the organization that the address names. */
export interface Member {
  c: HandlerContext
  context: Context
  person: DeepReadonly<Person>
  organization: DeepReadonly<Organization>
  isAdministrator: boolean
}

function memberOf(c: HandlerContext, person: DeepReadonly<Person>): Member {
  const organization = organizationOfPage(c, person)
  const isAdministrator = isAdministratorOf(person, organization)
  return { c, context: c.get('context'), person, organization, isAdministrator }
}

const isAdministratorOf = (person: DeepReadonly<Person>, { id }: DeepReadonly<Organization>): boolean =>
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
      throw new Refusal('stale_form', { description: 'This form is too old, or of another sign-in.' })
    return submit(member, form)
  }

/** Derived from the sign-in cookie: only its owner can make it (RFC 6749 10.12). */
export const csrfTokenOf = (c: HandlerContext): string => derive(cookieOf(c), 'forms')
