/** `/bff/login`: a sign-in in progress, and what its cookie keeps for the callback. */
import type { OrganizationId } from './organization.ts'

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
