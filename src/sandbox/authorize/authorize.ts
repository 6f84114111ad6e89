/** Checks a request for authorization, step by step, before the person is asked (4.1, 5.3). */
import { type AuthorizationFault, findFault, stateOf } from './authorization-error.ts'
import { isRepeated, valueOf } from '../http/form.ts'
import { hasPermitted } from '../token/grant.ts'
import { isMember, organizationById } from '../api/organization.ts'
import { askPermission, givePermission, type Question } from './consent.tsx'
import { askWho, personOf } from './login.tsx'
import { pickOrganization } from './organization-picker.tsx'
import { challengeOf } from '../token/pkce.ts'
import { Refusal, type RefusalWord } from '../http/problem.tsx'
import type { Profile } from '../choices/choices.ts'
import { findRedirectUri, isAddress } from './redirect-match.ts'
import { tellFault } from './redirect.tsx'
import { servedApplication } from '../state/active.ts'
import type { Frozen, Organization } from '../state/state.ts'
import type { Visit } from '../state/context.ts'

type Answer = Response | Promise<Response>
/** A request whose application, redirect URI and person are known, so that its faults can be told to the application. */
type Asked = Omit<Question, 'organization'>

/** `GET {base_url}/oauth2/login`. */
export function authorize(c: Visit): Answer {
  const world = c.get('world')
  const query = new URL(c.req.url).searchParams
  // RFC 6749 4.1.2.1: while these two are not known to be right, the browser is sent nowhere.
  const application = isRepeated(query, 'client_id')
    ? undefined
    : servedApplication(world, valueOf(query, 'client_id') ?? '')
  if (application === undefined) return refuseTarget(c, query, 'unknown_application')
  const redirectUri = findRedirectUri(application, query, world.profile)
  if (redirectUri === undefined) return refuseTarget(c, query, 'redirect_uri_mismatch')
  // RFC 6749 3.1, RFC 9700 4.11.2: nobody is sent on who has not signed in, or the page would be an open redirector.
  const person = personOf(c)
  if (person === undefined) return askWho(c, redirectUri)

  const asked = {
    application,
    person,
    redirectUri,
    state: stateOf(query, world.profile),
    challenge: challengeOf(query, world.profile),
  }
  const fault = findFault(query, world.profile)
  if (fault) return OTHER_FAULTS[world.profile.authzother](c, asked, fault)
  const organization = organizationById(world.state, valueOf(query, 'organization_id') ?? '')
  const organizationFault = faultOfOrganization(asked, query, organization)
  if (organization === undefined || organizationFault)
    return ORGANIZATION_FAULTS[world.profile.orgbad](c, asked, organizationFault ?? NO_MEMBER)
  return ask(c, { ...asked, organization })
}

/** What follows where application or redirect URI are not right (U3); a redirect there, no RFC allows. */
const TARGET_FAULTS: Record<Profile['authzbad'], { status: number; redirects?: true }> = {
  page_400: { status: 400 },
  page_200: { status: 200 },
  page_404: { status: 404 },
  redirect_error: { status: 400, redirects: true },
}

/** @throws Refusal */
function refuseTarget(c: Visit, query: URLSearchParams, word: RefusalWord): Answer {
  const { profile } = c.get('world')
  const { status, redirects } = TARGET_FAULTS[profile.authzbad]
  const sent = valueOf(query, 'redirect_uri') ?? ''
  if (!redirects || !isAddress(sent)) throw new Refusal(word, { status })
  const way = { redirectUri: sent, state: stateOf(query, profile) }
  return tellFault(c, way, {
    error: 'unauthorized_client',
    says: 'Application or redirect URI is not known.',
  })
}

const told = (c: Visit, asked: Asked, fault: AuthorizationFault): Answer => tellFault(c, asked, fault)
/** @throws Refusal */
const shown = (_c: Visit, _asked: Asked, { says }: AuthorizationFault): Answer => {
  throw new Refusal('invalid_request', { says })
}

/** How the other faults are told (U4); those that can be ignored are not found then. */
const OTHER_FAULTS: Record<Profile['authzother'], typeof told> = {
  redirect_error: told,
  page_400: shown,
  ignored: told,
}

/** Nobody is a member of an organization that does not exist, so that it is not told apart from one of others. */
const NO_MEMBER: AuthorizationFault = {
  error: 'access_denied',
  says: 'The person is no member of this organization.',
}

function faultOfOrganization(
  { person }: Asked,
  query: URLSearchParams,
  organization: Frozen<Organization> | undefined,
): AuthorizationFault | undefined {
  if (!/^\d+$/.test(valueOf(query, 'organization_id') ?? ''))
    return { error: 'invalid_request', says: 'organization_id has to be a number.' }
  // `application_reach`: where the application is registered does not matter.
  return organization && isMember(person, organization) ? undefined : NO_MEMBER
}

/** What follows where it is not said for which organization, or for one that the person does not belong to (U10). */
const ORGANIZATION_FAULTS: Record<Profile['orgbad'], typeof told> = {
  redirect_error: told,
  page: shown,
  picker: (c, asked) => pickOrganization(c, asked),
  default_organization: (c, asked, fault) => {
    const first = asked.person.organizations[0]
    const organization = first && organizationById(c.get('world').state, String(first.organization_id))
    return organization ? ask(c, { ...asked, organization }) : told(c, asked, fault)
  },
}

/** Whether who has permitted once is asked again (U9, RFC 6749 10.2). */
const ASKS_AGAIN: Record<Profile['consent'], boolean> = { always_asked: true, remembered: false }

function ask(c: Visit, question: Question): Answer {
  const world = c.get('world')
  const { application, person, organization } = question
  const permitted = {
    client_id: application.client_id,
    person_id: person.id,
    organization_id: organization.id,
  }
  const asks = ASKS_AGAIN[world.profile.consent] || !hasPermitted(world, permitted)
  return asks ? askPermission(c, question) : givePermission(c, question)
}
