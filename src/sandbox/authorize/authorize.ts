/** The authorization endpoint: checks a request before it asks the person (4.1, 5.3). */
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
import { findRedirectUri, isRedirectUri } from './redirect-match.ts'
import { redirectWithError } from './redirect.tsx'
import { activeApplication } from '../state/active.ts'
import type { Answered, HandlerContext } from '../http/handler-context.ts'

/** Application, redirect URI and person are valid, so errors can go to the application. */
type RedirectableRequest = Omit<Question, 'organization'>

/** `GET {base_url}/oauth2/login`. */
export function authorize(c: HandlerContext): Answered {
  const context = c.get('context')
  const query = c.req.url.searchParams
  // RFC 6749 4.1.2.1: there is no redirect before these two are valid.
  const application = isRepeated(query, 'client_id')
    ? undefined
    : activeApplication(context, valueOf(query, 'client_id') ?? '')
  if (application === undefined) return refuseTarget(c, query, 'unknown_application')
  const redirectUri = findRedirectUri(application, query, context.choices)
  if (redirectUri === undefined) return refuseTarget(c, query, 'redirect_uri_mismatch')
  // RFC 6749 3.1, RFC 9700 4.11.2: a redirect before the sign-in would make the page an open redirector.
  const person = signedInPerson(c)
  if (person === undefined) return loginPage(c, redirectUri)

  const asked = {
    application,
    person,
    redirectUri,
    isRedirectUriOptional: valueOf(query, 'redirect_uri') === undefined,
    state: stateOf(query, context.choices),
    challenge: challengeOf(query, context.choices),
  }
  const error = findAuthorizationError(query, context.choices)
  if (error) return OTHER_ERRORS[context.choices.authzother](c, asked, error)
  const organization = organizationById(context.state, valueOf(query, 'organization_id') ?? '')
  if (organization === undefined)
    return ORGANIZATION_ERRORS[context.choices.orgbad](c, asked, UNKNOWN_ORGANIZATION)
  // Any organization can use the application, see `application_reach`.
  if (!isMember(person, organization))
    return ORGANIZATION_ERRORS[context.choices.orgbad](c, asked, NOT_A_MEMBER)
  return ask(c, { ...asked, organization })
}

/** U3. No RFC allows a redirect here. */
const TARGET_ERRORS: Record<Choices['authzbad'], { status: number; redirects?: true }> = {
  page_400: { status: 400 },
  page_200: { status: 200 },
  page_404: { status: 404 },
  redirect_error: { status: 400, redirects: true },
}

/** @throws Refusal */
function refuseTarget(c: HandlerContext, query: URLSearchParams, word: RefusalWord): Answered {
  const { choices } = c.get('context')
  const { status, redirects } = TARGET_ERRORS[choices.authzbad]
  const sent = valueOf(query, 'redirect_uri') ?? ''
  if (!redirects || !isRedirectUri(sent)) throw new Refusal(word, { status })
  const target = { redirectUri: sent, state: stateOf(query, choices) }
  return redirectWithError(c, target, {
    error: 'unauthorized_client',
    description: 'Unknown application or redirect URI.',
  })
}

const redirectError = (c: HandlerContext, asked: RedirectableRequest, error: AuthorizationError): Answered =>
  redirectWithError(c, asked, error)
/** @throws Refusal */
const errorPage = (
  _c: HandlerContext,
  _asked: RedirectableRequest,
  { description }: AuthorizationError,
): Answered => {
  throw new Refusal('invalid_request', { description })
}

/** U4. With `ignored`, errors that can be ignored do not get here. */
const OTHER_ERRORS: Record<Choices['authzother'], typeof redirectError> = {
  redirect_error: redirectError,
  page_400: errorPage,
  ignored: redirectError,
}

/** The organization_id is missing, not a number, or unknown. */
const UNKNOWN_ORGANIZATION: AuthorizationError = {
  error: 'invalid_request',
  description: 'organization_id has to be the number of an organization.',
}
const NOT_A_MEMBER: AuthorizationError = {
  error: 'access_denied',
  description: 'The person is not a member of this organization.',
}

/** U10: an organization_id that is missing, not a number, unknown, or of others. */
const ORGANIZATION_ERRORS: Record<Choices['orgbad'], typeof redirectError> = {
  redirect_error: redirectError,
  page: errorPage,
  picker: (c, asked) => organizationPicker(c, asked),
  default_organization: (c, asked, error) => {
    const first = asked.person.organizations[0]
    const organization = first && organizationById(c.get('context').state, String(first.organization_id))
    return organization ? ask(c, { ...asked, organization }) : redirectError(c, asked, error)
  },
}

/** U9, RFC 6749 10.2: a person who has permitted before is asked again. */
const ASKS_AGAIN: Record<Choices['consent'], boolean> = { always_asked: true, remembered: false }

function ask(c: HandlerContext, question: Question): Answered {
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
