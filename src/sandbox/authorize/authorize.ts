/** Checks a request for authorization, step by step, before the person is asked (4.1, 5.3). */
import { type AuthorizationError, findAuthorizationError, stateOf } from './authorization-error.ts'
import { isRepeated, valueOf } from '../http/form.ts'
import { hasPermitted } from '../token/grant.ts'
import { isMember, organizationById } from '../api/organization.ts'
import { consentPage, giveConsent, type Question } from './consent.tsx'
import { loginPage, signedInPerson } from './login.tsx'
import { organizationPicker } from './organization-picker.tsx'
import { challengeOf } from '../token/pkce.ts'
import { Refusal, type RefusalWord } from '../http/problem.tsx'
import type { Choices } from '../choices/choices.ts'
import { findRedirectUri, isAddress } from './redirect-match.ts'
import { redirectWithError } from './redirect.tsx'
import { activeApplication } from '../state/active.ts'
import type { Frozen, Organization } from '../state/state.ts'
import type { HonoContext } from '../state/context.ts'

type Answer = Response | Promise<Response>
/** A request whose application, redirect URI and person are known, so that its faults can be told to the application. */
type Asked = Omit<Question, 'organization'>

/** `GET {base_url}/oauth2/login`. */
export function authorize(c: HonoContext): Answer {
  const context = c.get('context')
  const query = new URL(c.req.url).searchParams
  // RFC 6749 4.1.2.1: while these two are not known to be right, the browser is sent nowhere.
  const application = isRepeated(query, 'client_id')
    ? undefined
    : activeApplication(context, valueOf(query, 'client_id') ?? '')
  if (application === undefined) return refuseTarget(c, query, 'unknown_application')
  const redirectUri = findRedirectUri(application, query, context.choices)
  if (redirectUri === undefined) return refuseTarget(c, query, 'redirect_uri_mismatch')
  // RFC 6749 3.1, RFC 9700 4.11.2: nobody is sent on who has not signed in, or the page would be an open redirector.
  const person = signedInPerson(c)
  if (person === undefined) return loginPage(c, redirectUri)

  const asked = {
    application,
    person,
    redirectUri,
    state: stateOf(query, context.choices),
    challenge: challengeOf(query, context.choices),
  }
  const fault = findAuthorizationError(query, context.choices)
  if (fault) return OTHER_FAULTS[context.choices.authzother](c, asked, fault)
  const organization = organizationById(context.state, valueOf(query, 'organization_id') ?? '')
  const organizationFault = faultOfOrganization(asked, query, organization)
  if (organization === undefined || organizationFault)
    return ORGANIZATION_FAULTS[context.choices.orgbad](c, asked, organizationFault ?? NO_MEMBER)
  return ask(c, { ...asked, organization })
}

/** What follows where application or redirect URI are not right (U3); a redirect there, no RFC allows. */
const TARGET_FAULTS: Record<Choices['authzbad'], { status: number; redirects?: true }> = {
  page_400: { status: 400 },
  page_200: { status: 200 },
  page_404: { status: 404 },
  redirect_error: { status: 400, redirects: true },
}

/** @throws Refusal */
function refuseTarget(c: HonoContext, query: URLSearchParams, word: RefusalWord): Answer {
  const { choices } = c.get('context')
  const { status, redirects } = TARGET_FAULTS[choices.authzbad]
  const sent = valueOf(query, 'redirect_uri') ?? ''
  if (!redirects || !isAddress(sent)) throw new Refusal(word, { status })
  const way = { redirectUri: sent, state: stateOf(query, choices) }
  return redirectWithError(c, way, {
    error: 'unauthorized_client',
    description: 'Application or redirect URI is not known.',
  })
}

const told = (c: HonoContext, asked: Asked, fault: AuthorizationError): Answer =>
  redirectWithError(c, asked, fault)
/** @throws Refusal */
const shown = (_c: HonoContext, _asked: Asked, { description }: AuthorizationError): Answer => {
  throw new Refusal('invalid_request', { description })
}

/** How the other faults are told (U4); those that can be ignored are not found then. */
const OTHER_FAULTS: Record<Choices['authzother'], typeof told> = {
  redirect_error: told,
  page_400: shown,
  ignored: told,
}

/** Nobody is a member of an organization that does not exist, so that it is not told apart from one of others. */
const NO_MEMBER: AuthorizationError = {
  error: 'access_denied',
  description: 'The person is no member of this organization.',
}

function faultOfOrganization(
  { person }: Asked,
  query: URLSearchParams,
  organization: Frozen<Organization> | undefined,
): AuthorizationError | undefined {
  if (!/^\d+$/.test(valueOf(query, 'organization_id') ?? ''))
    return { error: 'invalid_request', description: 'organization_id has to be a number.' }
  // `application_reach`: where the application is registered does not matter.
  return organization && isMember(person, organization) ? undefined : NO_MEMBER
}

/** What follows where it is not said for which organization, or for one that the person does not belong to (U10). */
const ORGANIZATION_FAULTS: Record<Choices['orgbad'], typeof told> = {
  redirect_error: told,
  page: shown,
  picker: (c, asked) => organizationPicker(c, asked),
  default_organization: (c, asked, fault) => {
    const first = asked.person.organizations[0]
    const organization = first && organizationById(c.get('context').state, String(first.organization_id))
    return organization ? ask(c, { ...asked, organization }) : told(c, asked, fault)
  },
}

/** Whether who has permitted once is asked again (U9, RFC 6749 10.2). */
const ASKS_AGAIN: Record<Choices['consent'], boolean> = { always_asked: true, remembered: false }

function ask(c: HonoContext, question: Question): Answer {
  const context = c.get('context')
  const { application, person, organization } = question
  const permitted = {
    client_id: application.client_id,
    person_id: person.id,
    organization_id: organization.id,
  }
  const asks = ASKS_AGAIN[context.choices.consent] || !hasPermitted(context, permitted)
  return asks ? consentPage(c, question) : giveConsent(c, question)
}
