/** Checks a request for authorization, step by step, before the person is asked (4.1, 5.3). */
import { AUTHORIZATION_PARAMETERS } from '../contract/authorize.ts'
import { isRepeated, valueOf } from './form.ts'
import { isMember, organizationById } from './organization.ts'
import { addressBack, askPermission } from './permission.tsx'
import { askWho, personOf } from './person.tsx'
import { Refusal } from './problem.tsx'
import type { Application, Frozen, Organization, Person } from './state.ts'
import type { Visit, World } from './world.ts'

const LONGEST_STATE = 2048

/** A request whose application, redirect URI and person are known, so that its faults can be told to the application. */
interface Asked {
  query: URLSearchParams
  person: Frozen<Person>
  /** Absent where there is none of the id that was sent. */
  organization: Frozen<Organization> | undefined
}

/** RFC 6749 4.1.2.1. */
interface Fault {
  error: 'invalid_request' | 'unsupported_response_type' | 'access_denied'
  says: string
}

/** What is checked once the browser may be sent back with an error, in this order. */
const CHECKS: readonly ((asked: Asked) => Fault | undefined)[] = [
  noParameterTwice, //     RFC 6749 3.1
  stateIsText, //          RFC 6749 A.5
  responseTypeIsCode, //   5.3, RFC 6749 3.1.1
  organizationIsNumber, // 5.3
  personIsMember, //       the choice `application_reach`
]

/** `GET {base_url}/oauth2/login`. */
export function authorize(c: Visit): Response | Promise<Response> {
  const world = c.get('world')
  const query = new URL(c.req.url).searchParams
  // RFC 6749 4.1.2.1: while these two are not known to be right, the browser is sent nowhere.
  const application = findApplication(world, query)
  const redirectUri = matchRedirectUri(application, query)
  // RFC 6749 3.1, RFC 9700 4.11.2: nobody is sent on who has not signed in, or the page would be an open redirector.
  const person = personOf(c)
  if (person === undefined) return askWho(c, redirectUri)

  const organization = organizationById(world.state, valueOf(query, 'organization_id') ?? '')
  const state = stateOf(query)
  for (const check of CHECKS) {
    const fault = check({ query, person, organization })
    if (fault) return c.redirect(addressBack(world, redirectUri, state, fault), 302)
  }
  if (organization === undefined) throw new Refusal('not_found')
  return askPermission(c, { application, redirectUri, state, person, organization })
}

/** @throws Refusal `unknown_application` */
function findApplication({ state }: World, query: URLSearchParams): Frozen<Application> {
  const known = state.applications.find(({ client_id }) => client_id === valueOf(query, 'client_id'))
  if (known === undefined || isRepeated(query, 'client_id')) throw new Refusal('unknown_application')
  return known
}

/**
 * RFC 6749 3.1.2.3, RFC 9700 2.1: the registered string, byte for byte; where it is left out, the one that is registered.
 * @throws Refusal `redirect_uri_mismatch`
 */
function matchRedirectUri({ redirect_uri }: Frozen<Application>, query: URLSearchParams): string {
  if (isRepeated(query, 'redirect_uri') || (valueOf(query, 'redirect_uri') ?? redirect_uri) !== redirect_uri)
    throw new Refusal('redirect_uri_mismatch')
  return redirect_uri
}

function noParameterTwice({ query }: Asked): Fault | undefined {
  const twice = AUTHORIZATION_PARAMETERS.find((name) => isRepeated(query, name))
  return twice && { error: 'invalid_request', says: `${twice} stands twice.` }
}

/** RFC 6749 A.5 allows visible ASCII and blanks. */
function stateIsText({ query }: Asked): Fault | undefined {
  if (valueOf(query, 'state') === stateOf(query)) return undefined
  return { error: 'invalid_request', says: 'state has to be at most 2048 characters of ASCII.' }
}

function responseTypeIsCode({ query }: Asked): Fault | undefined {
  const responseType = valueOf(query, 'response_type')
  if (responseType === undefined) return { error: 'invalid_request', says: 'response_type is missing.' }
  if (responseType === 'code') return undefined
  return { error: 'unsupported_response_type', says: 'response_type has to be code.' }
}

function organizationIsNumber({ query }: Asked): Fault | undefined {
  if (/^\d+$/.test(valueOf(query, 'organization_id') ?? '')) return undefined
  return { error: 'invalid_request', says: 'organization_id has to be a number.' }
}

/** Nobody is a member of an organization that does not exist, so that it is not told apart from one of others. */
function personIsMember({ person, organization }: Asked): Fault | undefined {
  // `application_reach`: where the application is registered does not matter.
  if (organization && isMember(person, organization)) return undefined
  return { error: 'access_denied', says: 'The person is no member of this organization.' }
}

/** The state as it can be sent back: one that breaks the rules is not. */
function stateOf(query: URLSearchParams): string | undefined {
  const state = valueOf(query, 'state')
  const fits = state !== undefined && !isRepeated(query, 'state') && state.length <= LONGEST_STATE
  return fits && /^[\x20-\x7e]+$/.test(state) ? state : undefined
}
