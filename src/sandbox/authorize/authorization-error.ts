/** The faults of a request for authorization that can be told to the application, each found by its own step (5.3). */
import { AUTHORIZATION_PARAMETERS } from '../../contract/authorize.ts'
import { isRepeated, valueOf } from '../http/form.ts'
import { challengeFault } from '../token/pkce.ts'
import type { Profile } from '../choices/choices.ts'

/** RFC 6749 4.1.2.1; the word is another one only where that is chosen. */
export interface AuthorizationFault {
  error: string
  says: string
}
type Step = (query: URLSearchParams, profile: Profile) => AuthorizationFault | undefined

/** In this order. A fault that can be ignored is, where that is chosen (U4). */
const STEPS: readonly { find: Step; canBeIgnored: boolean }[] = [
  { find: parameterTwice, canBeIgnored: true }, //     RFC 6749 3.1
  { find: stateFault, canBeIgnored: false }, //        RFC 6749 A.5
  { find: responseTypeFault, canBeIgnored: true }, //  5.3, RFC 6749 3.1.1
  { find: challengeFault, canBeIgnored: false }, //    RFC 7636 4.4.1
]

/** The first fault of the request, those of its application, redirect URI and organization aside. */
export function findFault(query: URLSearchParams, profile: Profile): AuthorizationFault | undefined {
  for (const { find, canBeIgnored } of STEPS) {
    const fault = canBeIgnored && profile.authzother === 'ignored' ? undefined : find(query, profile)
    if (fault) return fault
  }
  return undefined
}

function parameterTwice(query: URLSearchParams): AuthorizationFault | undefined {
  const twice = AUTHORIZATION_PARAMETERS.find((name) => isRepeated(query, name))
  return twice && { error: 'invalid_request', says: `${twice} stands twice.` }
}

/** Whether a request without a state goes on (U7). */
const MISSING_STATES: Record<Profile['statemissing'], AuthorizationFault | undefined> = {
  accepted: undefined,
  refused: { error: 'invalid_request', says: 'state is missing.' },
}

/** What a state may be (U8). RFC 6749 A.5 allows visible ASCII and blanks. */
const STATES: Record<
  Profile['statechars'],
  { like: RegExp; says: string; returned?: (state: string) => string }
> = {
  vschar_2048: { like: /^[\x20-\x7e]{1,2048}$/, says: 'state has to be at most 2048 characters of ASCII.' },
  vschar_255: { like: /^[\x20-\x7e]{1,255}$/, says: 'state has to be at most 255 characters of ASCII.' },
  alphanumeric: { like: /^[A-Za-z0-9]{1,2048}$/, says: 'state has to be letters and digits.' },
  plus_for_space: {
    like: /^[\x20-\x7e]{1,2048}$/,
    says: 'state has to be at most 2048 characters of ASCII.',
    returned: (state) => state.replaceAll(' ', '+'),
  },
}

function stateFault(query: URLSearchParams, profile: Profile): AuthorizationFault | undefined {
  const state = valueOf(query, 'state')
  if (state === undefined) return MISSING_STATES[profile.statemissing]
  const { like, says } = STATES[profile.statechars]
  return like.test(state) ? undefined : { error: 'invalid_request', says }
}

/** The state as it is sent back: one that breaks the rules is not. */
export function stateOf(query: URLSearchParams, profile: Profile): string | undefined {
  const state = valueOf(query, 'state')
  const isOne = !isRepeated(query, 'state') || profile.authzother === 'ignored'
  const { like, returned } = STATES[profile.statechars]
  if (state === undefined || !isOne || !like.test(state)) return undefined
  return returned ? returned(state) : state
}

function responseTypeFault(query: URLSearchParams): AuthorizationFault | undefined {
  const responseType = valueOf(query, 'response_type')
  if (responseType === undefined) return { error: 'invalid_request', says: 'response_type is missing.' }
  if (responseType === 'code') return undefined
  return { error: 'unsupported_response_type', says: 'response_type has to be code.' }
}
