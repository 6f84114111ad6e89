/** Checks who may open a page of an organization, and the csrf token of its forms. */
import type { Answer } from '../../contract/answer.ts'
import { parse } from 'hono/utils/cookie'
import { isSameSecret } from '../api/credential.ts'
import { isRepeated, readOwnForm, valueOf } from '../http/form.ts'
import { organizationOfPage } from '../api/organization.ts'
import { loginPage, requireLogin, signedInPerson, signIn } from '../authorize/login.tsx'
import { Refusal } from '../http/problem.tsx'
import type { Choices } from '../choices/choices.ts'
import { derive } from '../state/random.ts'
import type { Organization, Person } from '../state/seed.ts'
import { type DeepReadonly, ownValue } from '../state/state.ts'
import type { Context } from '../state/context.ts'
import type { Answered, HandlerContext } from '../http/handler-context.ts'

/** A member of the organization that the address names. */
export interface Member {
  c: HandlerContext
  context: Context
  person: DeepReadonly<Person>
  organization: DeepReadonly<Organization>
  isAdministrator: boolean
}

const memberOf = (c: HandlerContext, person: DeepReadonly<Person>): Member => {
  const organization = organizationOfPage(c, person)
  return {
    c,
    context: c.get('context'),
    person,
    organization,
    isAdministrator: isAdministrator(person, organization),
  }
}

export const isAdministrator = (person: DeepReadonly<Person>, { id }: DeepReadonly<Organization>): boolean =>
  person.organizations.some(({ organization_id, role }) => organization_id === id && role === 'administrator')

/** U76: members may issue keys and manage their own. Administrators always manage all (5.1.4). */
const MEMBERS_ISSUE: Record<Choices['whokeys'], boolean> = { members_own: true, admins_only: false }

export const mayHaveKeys = ({ isAdministrator: isOne, context }: Member): boolean =>
  isOne || MEMBERS_ISSUE[context.choices.whokeys]

/** Makes a page for members. Others sign in first. @throws Refusal `not_found` */
export const memberPage = (page: (member: Member) => Answered) =>
  requireLogin((c, person) => page(memberOf(c, person)))

/**
 * A form with `person_id` is that of the sign-in page.
 * @throws Refusal `forged_request` from another site, `stale_form` without its csrf token (RFC 6749 10.12)
 */
export const memberForm =
  (submit: (member: Member, form: URLSearchParams) => Answered) =>
  async (c: HandlerContext): Promise<Answer> => {
    const form = await readOwnForm(c)
    if (form.has('person_id')) return signIn(c)
    const person = signedInPerson(c)
    if (person === undefined) return loginPage(c)
    const member = memberOf(c, person)
    if (
      isRepeated(form, 'csrf_token') ||
      !isSameSecret(valueOf(form, 'csrf_token') ?? '', csrfTokenOf(member))
    )
      throw new Refusal('stale_form', { description: 'This form is too old, or of another sign-in.' })
    return submit(member, form)
  }

/** Derived from the sign-in cookie: only its owner can make it (RFC 6749 10.12). */
export function csrfTokenOf({ c, context, person }: Pick<Member, 'c' | 'context' | 'person'>): string {
  const cookies: (string | undefined)[] = Object.values(parse(c.req.header('Cookie') ?? ''))
  const signInOfPerson = cookies.find(
    (value) => value !== undefined && ownValue(context.state.sign_ins, value)?.person_id === person.id,
  )
  if (signInOfPerson === undefined) throw new Refusal('stale_form')
  return derive(signInOfPerson, 'forms')
}
