/** The two queries of a sign-in: of the authorization request (5.3), and of the redirect back (4.1). */
import { ASSUMED, type Assumptions } from './assumptions.ts'
import type { OrganizationId } from './organization.ts'
import { Problem } from './problem.ts'

/** Path of the authorization page, below {base_url} (0, 4). */
export const AUTHORIZATION_PATH = '/oauth2/login'
/** Path of the page that the service sends the browser back to, below our public address. */
export const CALLBACK_PATH = '/callback'

/** The five parameters of 5.3, and no others. */
export interface AuthorizationQuery {
  client_id: string
  redirect_uri: string
  response_type: 'code'
  state: string
  organization_id: OrganizationId
}

export const AUTHORIZATION_PARAMETERS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'state',
  'organization_id',
] as const satisfies readonly (keyof AuthorizationQuery)[]

const VISIBLE = /^[\x21-\x7e]+$/

/**
 * Whether the text can be a state of ours: visible ASCII (RFC 6749 A.5), long enough to hold 128 random bits in four-bit
 * or denser letters with room for short test states, short enough for every cookie and address.
 */
export const isState = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= 16 && value.length <= 512 && VISIBLE.test(value)

/** Whether the text can be an authorization code (RFC 6749 A.11, without blanks); its length is not shown. */
export const isCode = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 4096 && VISIBLE.test(value)

/** The parameters of a callback: those of the query, or where it has none, those of the fragment (4.1: not shown which). */
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

/** The error on a callback, where it is one of RFC 6749 and is there once; a text of the service's own is left out. */
export function callbackError(
  parameters: URLSearchParams,
  assumed: CallbackRows = ASSUMED,
): AuthorizationError | undefined {
  const [error, ...more] = parameters.getAll(assumed.redirect_parameters.error)
  return more.length > 0 ? undefined : AUTHORIZATION_ERRORS.find((known) => known === error)
}

/** The state on a callback, also beside an error; empty where there is none. Nothing of it is checked. */
export const callbackState = (parameters: URLSearchParams, assumed: CallbackRows = ASSUMED): string =>
  parameters.get(assumed.redirect_parameters.state) ?? ''

/**
 * What the service put on its redirect to `/callback` (4.1).
 * @throws Problem `access_denied` when the person denied access; `authorization_failed` for any other `error`, also beside
 *   a code, and when there is neither; `invalid_request` when a parameter is there twice (RFC 6749 3.1).
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
