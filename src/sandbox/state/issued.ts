/** Adds, finds and deletes codes and tokens. */
import { isAccessTokenForgotten, isCodeOver, isRefreshTokenForgotten } from './lifetime.ts'
import {
  type DeepReadonly,
  type Grant,
  type IssuedRefreshToken,
  type IssuedToken,
  ownValue,
  type SandboxState,
} from './state.ts'
import { deleteExpired, sweepAfterAdding } from './sweep.ts'
import type { Context, Instant } from './context.ts'

/** The permission of a grant. Its other grants are found by it. */
export type Permission = Pick<Grant, 'client_id' | 'person_id' | 'organization_id'>

export const ISSUED_STORES = ['codes', 'access_tokens', 'refresh_tokens'] as const
export type IssuedStore = (typeof ISSUED_STORES)[number]

/** May delete expired ones. */
export function addIssued<Store extends IssuedStore>(
  state: SandboxState,
  instant: Instant,
  store: Store,
  [key, issued]: readonly [string, SandboxState[Store][string]],
): void {
  const records = state[store] as Record<string, SandboxState[Store][string]>
  records[key] = issued
  sweepAfterAdding(state, 'issued', () => sweepIssued(state, instant))
}

/** Also finds it for a day after it expired. */
export function findAccessToken(
  { state, ...instant }: Pick<Context, 'state' | 'nowMs' | 'choices'>,
  token: string,
): DeepReadonly<IssuedToken> | undefined {
  const issued = ownValue(state.access_tokens, token)
  return issued && !isAccessTokenForgotten(instant, issued) ? issued : undefined
}

/** Also finds it for 30 days after it was replaced. */
export function findRefreshToken(
  { state, ...instant }: Pick<Context, 'state' | 'nowMs' | 'choices'>,
  token: string,
): DeepReadonly<IssuedRefreshToken> | undefined {
  const issued = ownValue(state.refresh_tokens, token)
  const grant = issued && ownValue(state.grants, issued.grant_id)
  return issued && !isRefreshTokenForgotten(instant, issued, grant) ? issued : undefined
}

/** Grants that still have a valid code or token, oldest first. */
export function liveGrants(context: Context, permission: DeepReadonly<Permission>): string[] {
  const { codes, access_tokens, refresh_tokens, grants } = context.state
  const live = new Set(
    [
      ...Object.values(codes).filter((code) => !isCodeOver(context, code)),
      ...Object.values(access_tokens).filter((token) => !isAccessTokenForgotten(context, token)),
      ...Object.values(refresh_tokens).filter(
        (token) => !isRefreshTokenForgotten(context, token, grants[token.grant_id]),
      ),
    ].map(({ grant_id }) => grant_id),
  )
  const { client_id, person_id, organization_id } = permission
  return Object.entries(grants).flatMap(([id, grant]) =>
    live.has(id) &&
    grant.client_id === client_id &&
    grant.person_id === person_id &&
    grant.organization_id === organization_id
      ? [id]
      : [],
  )
}

export function deleteIssued(state: SandboxState, grantId: string, stores: readonly IssuedStore[]): void {
  for (const store of stores) deleteExpired(state[store], ({ grant_id }) => grant_id === grantId)
}

/** Also deletes its codes and tokens. */
export function deleteGrant(state: SandboxState, id: string): void {
  deleteIssued(state, id, ISSUED_STORES)
  delete state.grants[id]
}

/**
 * Deletes the records that can no longer change an answer. A used code stays as long as a token of its grant:
 * its second use revokes them (RFC 6749 4.1.2).
 * @returns the number of records that are left
 */
function sweepIssued(state: SandboxState, instant: Instant): number {
  const { access_tokens, refresh_tokens, codes, grants } = state
  for (const [key, token] of Object.entries(access_tokens))
    if (isAccessTokenForgotten(instant, token)) delete access_tokens[key]
  for (const [key, token] of Object.entries(refresh_tokens))
    if (isRefreshTokenForgotten(instant, token, ownValue(grants, token.grant_id))) delete refresh_tokens[key]
  const tokens = [...Object.values(access_tokens), ...Object.values(refresh_tokens)]
  const live = new Set(tokens.map(({ grant_id }) => grant_id))
  for (const [key, code] of Object.entries(codes))
    if (isCodeOver(instant, code) && !live.has(code.grant_id)) delete codes[key]
  for (const { grant_id } of Object.values(codes)) live.add(grant_id)
  for (const id of Object.keys(grants)) if (!live.has(id)) delete grants[id]
  return tokens.length + Object.keys(codes).length + live.size
}
