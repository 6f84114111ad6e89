/** Adds, finds and deletes codes and tokens by their grant, without a look at those of other grants. */
import { isAccessTokenForgotten, isCodeOver, isRefreshTokenForgotten } from './lifetime.ts'
import {
  type DeepReadonly,
  type Grant,
  type IssuedCode,
  type IssuedIndex,
  type IssuedKeys,
  type IssuedRefreshToken,
  type IssuedToken,
  ownValue,
  type SandboxState,
} from './state.ts'
import { sweepAfterAdding } from './sweep.ts'
import type { Context, Instant } from './context.ts'

/** The permission of a grant. Its other grants are found by it. */
export type Permission = Pick<Grant, 'client_id' | 'person_id' | 'organization_id'>

export type IssuedStore = keyof IssuedKeys
export const ISSUED_STORES = ['codes', 'access_tokens', 'refresh_tokens'] as const

type Records = Pick<SandboxState, IssuedStore | 'grants'>

const permissionKey = ({ client_id, person_id, organization_id }: DeepReadonly<Permission>): string =>
  JSON.stringify([client_id, person_id, organization_id])

export function indexIssued(records: Records): IssuedIndex {
  const index: IssuedIndex = { by_grant: {}, grants: {} }
  for (const [id, grant] of Object.entries(records.grants)) indexGrant(index, id, grant)
  for (const store of ISSUED_STORES)
    for (const [key, { grant_id }] of Object.entries(records[store]))
      index.by_grant[grant_id]?.[store].push(key)
  return index
}

function indexGrant(index: IssuedIndex, id: string, grant: DeepReadonly<Grant>): void {
  index.by_grant[id] = { codes: [], access_tokens: [], refresh_tokens: [] }
  const ids = (index.grants[permissionKey(grant)] ??= [])
  ids.push(id)
}

export function addGrant(state: SandboxState, id: string, grant: Grant): void {
  state.grants[id] = grant
  indexGrant(state.index, id, grant)
}

/** May delete expired ones. */
export function addIssued<Store extends IssuedStore>(
  state: SandboxState,
  instant: Instant,
  store: Store,
  [key, issued]: readonly [string, SandboxState[Store][string]],
): void {
  const records = state[store] as Record<string, SandboxState[Store][string]>
  records[key] = issued
  state.index.by_grant[issued.grant_id]?.[store].push(key)
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

/** Grants that still have a code or a token, oldest first. */
export function liveGrants(context: Context, permission: DeepReadonly<Permission>): string[] {
  const ids = ownValue(context.state.index.grants, permissionKey(permission)) ?? []
  return ids.filter((id) => isGrantLive(context, id))
}

/** True if {@link liveGrants} finds any. It looks at the newest first. */
export function hasLiveGrant(context: Context, permission: DeepReadonly<Permission>): boolean {
  const ids = ownValue(context.state.index.grants, permissionKey(permission)) ?? []
  return ids.findLast((id) => isGrantLive(context, id)) !== undefined
}

function isGrantLive(context: Context, id: string): boolean {
  const keys = ownValue(context.state.index.by_grant, id)
  const { codes } = context.state
  const isCodeOpen = (code: DeepReadonly<IssuedCode> | undefined) =>
    code !== undefined && !isCodeOver(context, code)
  return (
    keys !== undefined &&
    (keys.refresh_tokens.findLast((token) => findRefreshToken(context, token)) !== undefined ||
      keys.access_tokens.findLast((token) => findAccessToken(context, token)) !== undefined ||
      keys.codes.some((code) => isCodeOpen(ownValue(codes, code))))
  )
}

export function deleteIssued(state: SandboxState, grantId: string, stores: readonly IssuedStore[]): void {
  const keys = state.index.by_grant[grantId]
  if (keys === undefined) return
  for (const store of stores) {
    for (const key of keys[store]) delete state[store][key]
    keys[store] = []
  }
}

/** Also deletes its codes and tokens. */
export function deleteGrant(state: SandboxState, id: string): void {
  const grant = state.grants[id]
  if (grant === undefined) return
  deleteIssued(state, id, ISSUED_STORES)
  delete state.grants[id]
  delete state.index.by_grant[id]
  const key = permissionKey(grant)
  const others = (state.index.grants[key] ?? []).filter((other) => other !== id)
  if (others.length > 0) state.index.grants[key] = others
  else delete state.index.grants[key]
}

export function deleteAccessToken(state: SandboxState, token: string): void {
  const keys = state.index.by_grant[state.access_tokens[token]?.grant_id ?? '']
  delete state.access_tokens[token]
  if (keys) keys.access_tokens = keys.access_tokens.filter((other) => other !== token)
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
  state.index = indexIssued(state)
  return tokens.length + Object.keys(codes).length + live.size
}
