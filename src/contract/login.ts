/** `/bff/login`: a sign-in in progress, and what its cookie keeps for the callback. */
import { isState } from './authorize.ts'
import { closedObject } from './closed-object.ts'
import { type OrganizationId, parseOrganizationId } from './organization.ts'
import { Problem } from './problem.ts'

/** A longer address is not kept: the cookies of all sign-ins in progress go along with every request. */
export const LONGEST_KEPT_ADDRESS = 512

export interface KeptLogin {
  /** Path, query and fragment. */
  return_to: string
  /** The bff sends it with the code itself. */
  code_verifier?: string
}

/** Body of `POST /bff/login`, which begins a sign-in. */
export interface LoginRequest extends Partial<KeptLogin> {
  state: string
  organization_id: OrganizationId
}

/** Body of `POST /bff/login/started`. */
export interface StartedRequest {
  state: string
}

/** Answer of `POST /bff/login/started`, about a sign-in that this browser began. */
export interface StartedLogin {
  organization_id: OrganizationId
  return_to: string
}

export const isKeptAddress = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= LONGEST_KEPT_ADDRESS && /^\/[\x21-\x7e]*$/.test(value)

/** RFC 7636 4.1. */
export const isCodeVerifier = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9\-._~]{43,128}$/.test(value)

/** @throws Problem `invalid_request`, `invalid_organization_id` */
export function parseLoginRequest(body: unknown): LoginRequest {
  const { state, organization_id, return_to, code_verifier } = closedObject(body, [
    'state',
    'organization_id',
    'return_to',
    'code_verifier',
  ])
  if (!isState(state)) throw new Problem('invalid_request', { fault: 'state_malformed' })
  if (return_to !== undefined && !isKeptAddress(return_to))
    throw new Problem('invalid_request', { fault: 'return_to_malformed' })
  if (code_verifier !== undefined && !isCodeVerifier(code_verifier))
    throw new Problem('invalid_request', { fault: 'code_verifier_malformed' })
  return {
    state,
    organization_id: parseOrganizationId(organization_id),
    ...(return_to !== undefined && { return_to }),
    ...(code_verifier !== undefined && { code_verifier }),
  }
}

/** @returns the state @throws Problem `invalid_request`, `state_mismatch` */
export function parseStartedRequest(body: unknown): string {
  const { state } = closedObject(body, ['state'])
  if (!isState(state)) throw new Problem('state_mismatch')
  return state
}
