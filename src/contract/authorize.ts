/** The two queries of a sign-in: the one that the browser takes to the service (5.3), and the one that it brings back (4.1). */
import { NOT_SHOWN } from './assumptions.ts'
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

/** The parameters of an answer: those of the query, or where it has none, those of the fragment (4.1: not shown where they stand). */
export const callbackParameters = ({ search, searchParams, hash }: URL): URLSearchParams =>
  search === '' ? new URLSearchParams(hash.slice(1)) : searchParams

/**
 * What the service brought back on `/callback`. The parameters' names are not shown (4.1).
 * @throws Problem `access_denied` when the person did not permit; `authorization_failed` for any other `error`, also beside
 *   a code, and when there is neither; `invalid_request` when a parameter stands twice (RFC 6749 3.1).
 */
export function readCallback(query: URLSearchParams): { code: string; state: string } {
  const names = NOT_SHOWN.redirect_parameters.assumed
  const once = (name: string): string | undefined => {
    const values = query.getAll(name)
    if (values.length > 1) throw new Problem('invalid_request', { detail: `The answer has ${name} twice.` })
    return values[0] === '' ? undefined : values[0]
  }
  const [code, state, error] = [once(names.code), once(names.state), once(names.error)]
  if (error === NOT_SHOWN.denial.assumed.error) throw new Problem('access_denied')
  if (error !== undefined || code === undefined) throw new Problem('authorization_failed')
  if (!isState(state)) throw new Problem('state_mismatch')
  if (!isCode(code))
    throw new Problem('invalid_request', { detail: `The answer's ${names.code} is not one.` })
  return { code, state }
}
