/** The authorization endpoint: checks a request before it asks the person (4.1, 5.3). */
import { AUTHORIZATION_PARAMETERS } from '../../contract/authorize.ts'
import { isMember, organizationById } from '../api/organization.ts'
import { type Choices, numberIn } from '../choices/choices.ts'
import { isRepeated, valueOf } from '../http/form.ts'
import { type Answered, type HandlerContext, queryOf, Refusal, type RefusalWord } from '../http/handler.ts'
import { applicationWithId, liveGrants } from '../state/issued.ts'
import type { Application } from '../state/seed.ts'
import { challengeError, challengeOf, invalid } from '../token/pkce.ts'
import { consentPage, organizationPicker, pendingOf, type Question, sendCode } from './consent.tsx'
import { loginPage, signedInPerson } from './login.tsx'
import { type AuthorizationError, redirectWithError } from './redirect.tsx'

export function authorize(c: HandlerContext): Answered {
  const context = c.get('context')
  const query = queryOf(c)
  // RFC 6749 4.1.2.1: there is no redirect before these two are valid.
  const application = isRepeated(query, 'client_id')
    ? undefined
    : applicationWithId(context, valueOf(query, 'client_id') ?? '')
  if (application === undefined) return refuseTarget(c, query, 'unknown_application')
  const redirectUri = findRedirectUri(application, query)
  if (redirectUri === undefined) return refuseTarget(c, query, 'redirect_uri_mismatch')
  // RFC 6749 3.1, RFC 9700 4.11.2: a redirect before the sign-in would make the page an open redirector.
  const person = signedInPerson(c)
  if (person === undefined) return loginPage(c, true)

  const asked = askedBy(query, redirectUri, context.choices)
  const question = { application, person, asked }
  const error = findAuthorizationError(query, context.choices)
  if (error) return redirectWithError(c, asked, error)
  const id = valueOf(query, 'organization_id') ?? ''
  const organization = organizationById(context.state, id)
  if (organization && isMember(person, organization)) return ask(c, { ...question, organization })
  // A person learns no more of the organizations of others than the API tells (U41).
  return answerOrganization(c, question, /^\d+$/.test(id) ? NOT_A_MEMBER : NO_NUMBER)
}

function askedBy(query: URLSearchParams, redirectUri: string, choices: Choices): Question['asked'] {
  const [state, challenge] = [stateOf(query, choices), challengeOf(query, choices)]
  return {
    redirect_uri: redirectUri,
    ...(valueOf(query, 'redirect_uri') === undefined && { is_redirect_uri_optional: true }),
    ...(state !== undefined && { state }),
    ...(challenge !== undefined && { code_challenge: challenge }),
  }
}

/** RFC 6749 3.1.2: a redirect URI is absolute and has no fragment. */
const isRedirectUri = (uri: string): boolean =>
  /^https?:[\x21-\x7e]+$/i.test(uri) && URL.canParse(uri) && !uri.includes('#')

/** The registered one, if it is sent character by character or left out (RFC 6749 3.1.2.3, RFC 9700 2.1). */
function findRedirectUri({ redirect_uri }: Application, query: URLSearchParams): string | undefined {
  const sent = valueOf(query, 'redirect_uri') ?? redirect_uri
  return sent === redirect_uri && !isRepeated(query, 'redirect_uri') ? redirect_uri : undefined
}

/** U3. @throws Refusal */
function refuseTarget(c: HandlerContext, query: URLSearchParams, word: RefusalWord): Answered {
  const { choices } = c.get('context')
  const sent = valueOf(query, 'redirect_uri') ?? ''
  if (choices.authzbad !== 'redirect_error' || !isRedirectUri(sent))
    throw new Refusal(word, { status: numberIn(choices.authzbad) || 400 })
  // No RFC allows a redirect here.
  const description = 'Unknown application or redirect URI.'
  const target = { redirect_uri: sent, state: stateOf(query, choices) }
  return redirectWithError(c, target, { error: 'unauthorized_client', description })
}

const NO_NUMBER = invalid('organization_id has to be the number of an organization.')
const NOT_A_MEMBER: AuthorizationError = {
  error: 'access_denied',
  description: 'The person is not a member of an organization with this organization_id.',
}

/** U10: an organization_id that is missing, not a number, unknown, or of others. */
function answerOrganization(
  c: HandlerContext,
  question: Omit<Question, 'organization'>,
  error: AuthorizationError,
): Answered {
  const { state, choices } = c.get('context')
  const { description } = error
  if (choices.orgbad === 'page') throw new Refusal('invalid_request', { description })
  if (choices.orgbad === 'picker') return organizationPicker(c, question)
  const [first] = choices.orgbad === 'default_organization' ? question.person.organizations : []
  const organization = first && organizationById(state, String(first.organization_id))
  return organization ? ask(c, { ...question, organization }) : redirectWithError(c, question.asked, error)
}

function ask(c: HandlerContext, question: Question): Answered {
  const context = c.get('context')
  const permitted = pendingOf(question, context.nowMs)
  // U9, RFC 6749 10.2: by default a person who has permitted before is asked again.
  const isRemembered = context.choices.consent === 'remembered' && liveGrants(context, permitted).length > 0
  return isRemembered ? sendCode(c, permitted) : consentPage(c, question)
}

/** Does not look at the application, the redirect URI and the organization. */
export function findAuthorizationError(
  query: URLSearchParams,
  choices: Choices,
): AuthorizationError | undefined {
  // RFC 6749 3.1.
  const twice = AUTHORIZATION_PARAMETERS.find((name) => isRepeated(query, name))
  if (twice) return invalid(`${twice} is repeated.`)
  // RFC 6749 4.1.1 only recommends a state.
  if (valueOf(query, 'state') !== undefined && stateOf(query, choices) === undefined)
    return invalid((STATES[choices.statechars] ?? PRINTABLE)[1])
  // 5.3, RFC 6749 3.1.1.
  const responseType = valueOf(query, 'response_type')
  if (responseType === undefined) return invalid('response_type is missing.')
  return responseType === 'code'
    ? challengeError(query, choices)
    : { error: 'unsupported_response_type', description: 'response_type has to be code.' }
}

/** U8. RFC 6749 A.5 allows printable ASCII. */
const STATES: Partial<Record<Choices['statechars'], readonly [like: RegExp, description: string]>> = {
  vschar_255: [/^[\x20-\x7e]{1,255}$/, 'state has to be at most 255 characters of ASCII.'],
  alphanumeric: [/^[A-Za-z0-9]{1,2048}$/, 'state has to be letters and digits.'],
}
const PRINTABLE = [/^[\x20-\x7e]{1,2048}$/, 'state has to be at most 2048 characters of ASCII.'] as const

/** The state to send back; `undefined` if it is not valid. */
export function stateOf(query: URLSearchParams, { statechars }: Choices): string | undefined {
  const state = valueOf(query, 'state')
  const [like] = STATES[statechars] ?? PRINTABLE
  if (state === undefined || isRepeated(query, 'state') || !like.test(state)) return undefined
  return statechars === 'plus_for_space' ? state.replaceAll(' ', '+') : state
}
