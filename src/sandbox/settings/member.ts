/** Who may open a page of an organization, and what proves that a form sent to it is one that the page gave. */
import { getCookie } from 'hono/cookie'
import { isSameSecret } from '../api/credential.ts'
import { isRepeated, readOwnForm, valueOf } from '../http/form.ts'
import { organizationOfPage } from '../api/organization.ts'
import { loginPage, requireLogin, signedInPerson, signIn } from '../authorize/login.tsx'
import { Refusal } from '../http/problem.tsx'
import type { Choices } from '../choices/choices.ts'
import { derive } from '../state/random.ts'
import { type Frozen, lookUp, type Organization, type Person } from '../state/state.ts'
import type { HonoContext, Context } from '../state/context.ts'

/** A member of the organization that the address names, on a page of it. */
export interface Member {
  c: HonoContext
  context: Context
  person: Frozen<Person>
  organization: Frozen<Organization>
  isAdministrator: boolean
}
type Answer = Response | Promise<Response>

const memberOf = (c: HonoContext, person: Frozen<Person>): Member => {
  const organization = organizationOfPage(c, person)
  return {
    c,
    context: c.get('context'),
    person,
    organization,
    isAdministrator: isAdministrator(person, organization),
  }
}

export const isAdministrator = (person: Frozen<Person>, { id }: Frozen<Organization>): boolean =>
  person.organizations.some(({ organization_id, role }) => organization_id === id && role === 'administrator')

/** Who may issue keys, and manage their own; administrators manage all of them under every choice (5.1.4, U76). */
const MEMBERS_ISSUE: Record<Choices['whokeys'], boolean> = { members_own: true, admins_only: false }

export const mayHaveKeys = ({ isAdministrator: isOne, context }: Member): boolean =>
  isOne || MEMBERS_ISSUE[context.choices.whokeys]

/** A page of an organization, for its members; anybody else is asked who they are. @throws Refusal `not_found` */
export const forMembers = (page: (member: Member) => Answer) =>
  requireLogin((c, person) => page(memberOf(c, person)))

/**
 * What a form of such a page sends to the address of the page; who picks a person there signs in.
 * @throws Refusal `forged_request` and `stale_form` where it is not a form that this page gave to this sign-in (RFC 6749 10.12)
 */
export const fromMembers =
  (answer: (member: Member, form: URLSearchParams) => Answer) =>
  async (c: HonoContext): Promise<Response> => {
    const form = await readOwnForm(c)
    if (form.has('person_id')) return signIn(c)
    const person = signedInPerson(c)
    if (person === undefined) return loginPage(c)
    const member = memberOf(c, person)
    if (
      isRepeated(form, 'csrf_token') ||
      !isSameSecret(valueOf(form, 'csrf_token') ?? '', csrfTokenOf(member))
    )
      throw new Refusal('stale_form', { description: 'This form is too old, or was given to somebody else.' })
    return answer(member, form)
  }

/** Proves that a form was given to this sign-in: nobody can make it who does not have the cookie, and the cookie cannot be made of it. */
export function csrfTokenOf({ c, context, person }: Pick<Member, 'c' | 'context' | 'person'>): string {
  const cookies: (string | undefined)[] = Object.values(getCookie(c))
  const signInOfPerson = cookies.find(
    (value) => value !== undefined && lookUp(context.state.sign_ins, value)?.person_id === person.id,
  )
  if (signInOfPerson === undefined) throw new Refusal('stale_form')
  return derive(signInOfPerson, 'forms')
}
