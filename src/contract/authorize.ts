/** The two queries of a sign-in: the authorization request (5.3) and the redirect back (4.1). */
import { ASSUMED, type Assumptions } from './assumptions.ts'
import { Problem } from './problem.ts'

/** Path of the authorization page, below {base_url} (0, 4). */
export const AUTHORIZATION_PATH = '/oauth2/login'
/** Path below our public address to which the service sends the browser back. */
export const CALLBACK_PATH = '/callback'

/** The five parameters of 5.3, and no others. */
export const AUTHORIZATION_PARAMETERS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'state',
  'organization_id',
] as const

const VISIBLE = /^[\x21-\x7e]+$/

/**
 * A state is visible ASCII (RFC 6749 A.5), short enough for every cookie and address. The lower limit allows
 * short states in tests; 128 random bits need up to 32 letters.
 */
export const isState = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= 16 && value.length <= 512 && VISIBLE.test(value)

/** An authorization code is visible ASCII (RFC 6749 A.11, without blanks); its length is not shown. */
export const isCode = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 4096 && VISIBLE.test(value)

/** The parameters in the query or, if it is empty, in the fragment (4.1: not shown which). */
export const callbackParameters = ({ search, searchParams, hash }: URL): URLSearchParams =>
  search === '' ? new URLSearchParams(hash.slice(1)) : searchParams

type CallbackRows = Pick<Assumptions, 'redirect_parameters' | 'denial_error'>

/** The errors of an authorization request (RFC 6749 4.1.2.1). */
export const AUTHORIZATION_ERRORS = [
  'invalid_request',
  'unauthorized_client',
  'access_denied',
  'unsupported_response_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
] as const
export type AuthorizationError = (typeof AUTHORIZATION_ERRORS)[number]

/** The error, if it is one of RFC 6749 and occurs once. The service's own texts are left out. */
export function callbackError(
  parameters: URLSearchParams,
  assumed: CallbackRows = ASSUMED,
): AuthorizationError | undefined {
  const [error, ...more] = parameters.getAll(assumed.redirect_parameters.error)
  return more.length > 0 ? undefined : AUTHORIZATION_ERRORS.find((known) => known === error)
}

/** The state on a callback, even beside an error; empty if there is none. It is not checked. */
export const callbackState = (parameters: URLSearchParams, assumed: CallbackRows = ASSUMED): string =>
  parameters.get(assumed.redirect_parameters.state) ?? ''

/**
 * Reads the parameters of the service's redirect to `/callback` (4.1).
 * @throws Problem `access_denied` if the person denied access; `authorization_failed` for any other `error`,
 *   even beside a code, and without code and error; `invalid_request` if a parameter occurs twice (RFC 6749
 *   3.1).
 */
export function readCallback(
  parameters: URLSearchParams,
  assumed: CallbackRows = ASSUMED,
): { code: string; state: string } {
  const names = assumed.redirect_parameters
  const once = (name: string): string | undefined => {
    const values = parameters.getAll(name)
    if (values.length > 1) throw new Problem('invalid_request', { fault: 'repeated_parameter' })
    return values[0] === '' ? undefined : values[0]
  }
  const [code, state, error] = [once(names.code), once(names.state), once(names.error)]
  if (error === assumed.denial_error) throw new Problem('access_denied')
  if (error !== undefined || code === undefined) throw new Problem('authorization_failed')
  if (!isState(state)) throw new Problem('state_mismatch')
  if (!isCode(code)) throw new Problem('invalid_request', { fault: 'code_malformed' })
  return { code, state }
}
