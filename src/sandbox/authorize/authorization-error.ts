/** The faults of a request for authorization that can be told to the application, each found by its own step (5.3). */
import { AUTHORIZATION_PARAMETERS } from '../../contract/authorize.ts'
import { isRepeated, valueOf } from '../http/form.ts'
import { challengeError } from '../token/pkce.ts'
import type { Choices } from '../choices/choices.ts'

/** RFC 6749 4.1.2.1; the word is another one only where that is chosen. */
export interface AuthorizationError {
  error: string
  description: string
}
type Step = (query: URLSearchParams, choices: Choices) => AuthorizationError | undefined

/** In this order. A fault that can be ignored is, where that is chosen (U4). */
const STEPS: readonly { find: Step; canBeIgnored: boolean }[] = [
  { find: parameterTwice, canBeIgnored: true }, //     RFC 6749 3.1
  { find: stateFault, canBeIgnored: false }, //        RFC 6749 A.5
  { find: responseTypeFault, canBeIgnored: true }, //  5.3, RFC 6749 3.1.1
  { find: challengeError, canBeIgnored: false }, //    RFC 7636 4.4.1
]

/** The first fault of the request, those of its application, redirect URI and organization aside. */
export function findAuthorizationError(
  query: URLSearchParams,
  choices: Choices,
): AuthorizationError | undefined {
  for (const { find, canBeIgnored } of STEPS) {
    const fault = canBeIgnored && choices.authzother === 'ignored' ? undefined : find(query, choices)
    if (fault) return fault
  }
  return undefined
}

function parameterTwice(query: URLSearchParams): AuthorizationError | undefined {
  const twice = AUTHORIZATION_PARAMETERS.find((name) => isRepeated(query, name))
  return twice && { error: 'invalid_request', description: `${twice} stands twice.` }
}

/** Whether a request without a state goes on (U7). */
const MISSING_STATES: Record<Choices['statemissing'], AuthorizationError | undefined> = {
  accepted: undefined,
  refused: { error: 'invalid_request', description: 'state is missing.' },
}

/** What a state may be (U8). RFC 6749 A.5 allows visible ASCII and blanks. */
const STATES: Record<
  Choices['statechars'],
  { like: RegExp; description: string; returned?: (state: string) => string }
> = {
  vschar_2048: {
    like: /^[\x20-\x7e]{1,2048}$/,
    description: 'state has to be at most 2048 characters of ASCII.',
  },
  vschar_255: {
    like: /^[\x20-\x7e]{1,255}$/,
    description: 'state has to be at most 255 characters of ASCII.',
  },
  alphanumeric: { like: /^[A-Za-z0-9]{1,2048}$/, description: 'state has to be letters and digits.' },
  plus_for_space: {
    like: /^[\x20-\x7e]{1,2048}$/,
    description: 'state has to be at most 2048 characters of ASCII.',
    returned: (state) => state.replaceAll(' ', '+'),
  },
}

function stateFault(query: URLSearchParams, choices: Choices): AuthorizationError | undefined {
  const state = valueOf(query, 'state')
  if (state === undefined) return MISSING_STATES[choices.statemissing]
  const { like, description } = STATES[choices.statechars]
  return like.test(state) ? undefined : { error: 'invalid_request', description }
}

/** The state as it is sent back: one that breaks the rules is not. */
export function stateOf(query: URLSearchParams, choices: Choices): string | undefined {
  const state = valueOf(query, 'state')
  const isOne = !isRepeated(query, 'state') || choices.authzother === 'ignored'
  const { like, returned } = STATES[choices.statechars]
  if (state === undefined || !isOne || !like.test(state)) return undefined
  return returned ? returned(state) : state
}

function responseTypeFault(query: URLSearchParams): AuthorizationError | undefined {
  const responseType = valueOf(query, 'response_type')
  if (responseType === undefined)
    return { error: 'invalid_request', description: 'response_type is missing.' }
  if (responseType === 'code') return undefined
  return { error: 'unsupported_response_type', description: 'response_type has to be code.' }
}
