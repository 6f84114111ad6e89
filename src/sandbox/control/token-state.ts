/** The state of every code and token, without its value (RFC 7662 2.2, 4). Only the control plane has it. */
import { fingerprint } from '../state/request-log.ts'
import { isAccessTokenOver, isCodeOver, isRefreshTokenOver } from '../state/lifetime.ts'
import { type DeepReadonly, type Grant, type IssuedToken, ownValue } from '../state/state.ts'
import type { Context } from '../state/context.ts'

export interface TokenState {
  kind: 'code' | 'access_token' | 'refresh_token'
  /** The eight characters that identify it in the request log. */
  fingerprint: string
  client_id: string
  person_id: string
  organization_id: number
  /** True if it is still accepted (RFC 7662 2.2). */
  active: boolean
  issued_at_ms: number
}

/** Revoked ones are not stored. */
export function tokenStates(context: Context): TokenState[] {
  const { state } = context
  const statesOf = <Issued extends IssuedToken>(
    kind: TokenState['kind'],
    records: { readonly [secret: string]: Issued },
    isActive: (issued: Issued, grant: DeepReadonly<Grant>) => boolean,
  ): TokenState[] =>
    Object.entries(records).flatMap(([secret, issued]) => {
      const grant = ownValue(state.grants, issued.grant_id)
      if (grant === undefined) return []
      const { client_id, person_id, organization_id } = grant
      const owner = { client_id, person_id, organization_id, issued_at_ms: issued.issued_at_ms }
      return [{ kind, fingerprint: fingerprint(secret), active: isActive(issued, grant), ...owner }]
    })
  return [
    ...statesOf('code', state.codes, (code) => code.used_at_ms === undefined && !isCodeOver(context, code)),
    ...statesOf('access_token', state.access_tokens, (token) => !isAccessTokenOver(context, token)),
    ...statesOf(
      'refresh_token',
      state.refresh_tokens,
      (token, grant) => token.replaced_at_ms === undefined && !isRefreshTokenOver(context, token, grant),
    ),
  ]
}
