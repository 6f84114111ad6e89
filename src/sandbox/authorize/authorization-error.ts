/** Finds the errors of an authorization request that are sent to the application (5.3). */
import { AUTHORIZATION_PARAMETERS } from '../../contract/authorize.ts'
import { isRepeated, valueOf } from '../http/form.ts'
import { challengeError } from '../token/pkce.ts'
import type { Choices } from '../choices/choices.ts'

/** RFC 6749 4.1.2.1. A choice may have another error word. */
export interface AuthorizationError {
  error: string
  description: string
}
type Step = (query: URLSearchParams, choices: Choices) => AuthorizationError | undefined

const STEPS: readonly Step[] = [
  repeatedParameter, // RFC 6749 3.1
  stateError, //        RFC 6749 A.5
  responseTypeError, // 5.3, RFC 6749 3.1.1
  challengeError, //    RFC 7636 4.4.1
]

/** Does not look at the application, the redirect URI and the organization. */
export function findAuthorizationError(
  query: URLSearchParams,
  choices: Choices,
): AuthorizationError | undefined {
  for (const find of STEPS) {
    const error = find(query, choices)
    if (error) return error
  }
  return undefined
}

function repeatedParameter(query: URLSearchParams): AuthorizationError | undefined {
  const twice = AUTHORIZATION_PARAMETERS.find((name) => isRepeated(query, name))
  return twice && { error: 'invalid_request', description: `${twice} is repeated.` }
}

/** U8. RFC 6749 A.5 allows printable ASCII. */
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

function stateError(query: URLSearchParams, choices: Choices): AuthorizationError | undefined {
  const state = valueOf(query, 'state')
  // RFC 6749 4.1.1 only recommends it.
  if (state === undefined) return undefined
  const { like, description } = STATES[choices.statechars]
  return like.test(state) ? undefined : { error: 'invalid_request', description }
}

/** The state to send back; `undefined` if it is not valid. */
export function stateOf(query: URLSearchParams, choices: Choices): string | undefined {
  const state = valueOf(query, 'state')
  const { like, returned } = STATES[choices.statechars]
  if (state === undefined || isRepeated(query, 'state') || !like.test(state)) return undefined
  return returned ? returned(state) : state
}

function responseTypeError(query: URLSearchParams): AuthorizationError | undefined {
  const responseType = valueOf(query, 'response_type')
  if (responseType === undefined)
    return { error: 'invalid_request', description: 'response_type is missing.' }
  if (responseType === 'code') return undefined
  return { error: 'unsupported_response_type', description: 'response_type has to be code.' }
}
