/** Adds, finds and deletes codes, tokens, keys and applications, and decides when they expire (5.4.2, 5.5). */
import { DAY_MS, SECOND_MS } from '../../contract/duration.ts'
import { ACCESS_TOKEN_LIFETIME_SECONDS } from '../../contract/token.ts'
import { type Choices, numberIn } from '../choices/choices.ts'
import type { Context, Instant } from './context.ts'
import type { ApiKey, Application } from './seed.ts'
import {
  type Grant,
  type IssuedCode,
  type IssuedRefreshToken,
  type IssuedToken,
  ownValue,
  type SandboxState,
  type SweptStore,
} from './state.ts'

export type Permission = Pick<Grant, 'client_id' | 'person_id' | 'organization_id'>

export const ISSUED_STORES = ['codes', 'access_tokens', 'refresh_tokens'] as const
type IssuedStore = (typeof ISSUED_STORES)[number]

export function addIssued<Store extends IssuedStore>(
  context: Context,
  store: Store,
  key: string,
  issued: SandboxState[Store][string],
): void {
  const records = context.state[store] as Record<string, SandboxState[Store][string]>
  records[key] = issued
  sweepAfterAdding(context.state, 'issued', () => sweepIssued(context.state, context))
}

/** Finds a token until a day after it has expired. */
export function findAccessToken(context: Context, token: string): IssuedToken | undefined {
  const issued = ownValue(context.state.access_tokens, token)
  return issued && !isAccessTokenForgotten(context, issued) ? issued : undefined
}

/** Finds a token until 30 days after it was replaced. */
export function findRefreshToken(context: Context, token: string): IssuedRefreshToken | undefined {
  const issued = ownValue(context.state.refresh_tokens, token)
  const grant = issued && ownValue(context.state.grants, issued.grant_id)
  return issued && !isRefreshTokenForgotten(context, issued, grant) ? issued : undefined
}

/** Grants that still have a valid code or token, oldest first. Others are deleted. */
export function liveGrants(
  context: Context,
  { client_id, person_id, organization_id }: Permission,
): string[] {
  sweepIssued(context.state, context)
  return Object.entries(context.state.grants)
    .filter(([, grant]) => grant.client_id === client_id && grant.person_id === person_id)
    .filter(([, grant]) => grant.organization_id === organization_id)
    .map(([id]) => id)
}

export function deleteIssued(state: SandboxState, grantId: string, stores: readonly IssuedStore[]): void {
  for (const store of stores) deleteExpired(state[store], ({ grant_id }) => grant_id === grantId)
}

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

/** U38. Keys do not expire: the lifetime of a token is used. */
export const isKeyActive = ({ choices, nowMs }: Context, { deleted_at_ms }: ApiKey): boolean =>
  deleted_at_ms === undefined ||
  (choices.revoked === 'at_expiry' && nowMs - deleted_at_ms < ACCESS_TOKEN_LIFETIME_SECONDS * SECOND_MS)

export const applicationWithId = ({ state }: Context, clientId: string): Application | undefined =>
  state.applications.find(({ client_id }) => client_id === clientId)

export function issueKey(context: Context, fields: Omit<ApiKey, 'value'>): ApiKey {
  const key = { value: context.nextRandom(), ...fields }
  context.state.api_keys.push(key)
  return key
}

export function registerApplication(
  context: Context,
  fields: Omit<Application, 'client_id' | 'client_secret'>,
): Application {
  const [client_id, client_secret] = [context.nextRandom().slice(0, 20), context.nextRandom()]
  const application = { client_id, client_secret, ...fields }
  context.state.applications.push(application)
  return application
}

export function revokeKey(context: Context, revoked: ApiKey): void {
  const { state, nowMs } = context
  state.api_keys = state.api_keys.filter((one) => one !== revoked && isKeyActive(context, one))
  if (context.choices.revoked === 'at_expiry') state.api_keys.push({ ...revoked, deleted_at_ms: nowMs })
}

/** Also ends its codes and tokens, and closes its consent pages (RFC 6749 3.2.1). */
export function deleteApplication({ state, choices }: Context, clientId: string): void {
  for (const [id, { client_id }] of Object.entries(state.grants)) {
    if (client_id !== clientId) continue
    if (choices.revoked === 'at_once') deleteGrant(state, id)
    else deleteIssued(state, id, ['codes', 'refresh_tokens'])
  }
  deleteExpired(state.pending, ({ client_id }) => client_id === clientId)
  state.applications = state.applications.filter(({ client_id }) => client_id !== clientId)
}

/** Sweeps once the store may have doubled: about two records are looked at for each one that was added. */
function sweepAfterAdding({ sweeps }: SandboxState, store: SweptStore, sweep: () => number): void {
  const { added, left } = sweeps[store] ?? { added: 0, left: 0 }
  sweeps[store] = added + 1 < left ? { added: added + 1, left } : { added: 0, left: sweep() }
}

export function addRecord<Name extends Exclude<SweptStore, 'issued'>>(
  state: SandboxState,
  name: Name,
  [key, value]: readonly [string, SandboxState[Name][string]],
  isExpired: (value: SandboxState[Name][string]) => boolean,
): void {
  const records = state[name] as Record<string, SandboxState[Name][string]>
  const isNew = !Object.hasOwn(records, key)
  records[key] = value
  if (isNew) sweepAfterAdding(state, name, () => deleteExpired(records, isExpired))
}

export function deleteExpired<T>(records: Record<string, T>, isExpired: (value: T) => boolean): number {
  let left = 0
  for (const [key, value] of Object.entries(records)) {
    if (isExpired(value)) delete records[key]
    else left += 1
  }
  return left
}

/** U11. */
export const isCodeOver = ({ nowMs, choices }: Instant, { issued_at_ms }: IssuedCode): boolean =>
  nowMs - issued_at_ms >= numberIn(choices.codelife) * SECOND_MS

/** U29: a token lives this much longer. RFC 6749 5.1 counts the lifetime from the response on. */
const LONGER_MS: Record<Choices['boundary'], number> = {
  refused_from_3600: 0,
  refused_after_3600: 1,
  tolerance_15_seconds: 15 * SECOND_MS,
}

/** Section 5.4.2; in UNIX milliseconds. */
export const accessTokenEndsAt = ({ choices }: Instant, { issued_at_ms }: IssuedToken): number =>
  issued_at_ms + ACCESS_TOKEN_LIFETIME_SECONDS * SECOND_MS + LONGER_MS[choices.boundary]

export const isAccessTokenOver = (instant: Instant, token: IssuedToken): boolean =>
  instant.nowMs >= accessTokenEndsAt(instant, token)

/** UNIX milliseconds (U26). */
const REFRESH_TOKEN_ENDS: Record<Choices['rtlife'], (token: IssuedRefreshToken, grant: Grant) => number> = {
  unlimited: () => Infinity,
  days_30_absolute: (_, { permitted_at_ms }) => permitted_at_ms + 30 * DAY_MS,
  days_14_idle: ({ issued_at_ms, used_at_ms = issued_at_ms }) => used_at_ms + 14 * DAY_MS,
  hours_24: ({ issued_at_ms }) => issued_at_ms + DAY_MS,
}

/** Also true without a grant. */
export const isRefreshTokenOver = (
  { nowMs, choices }: Instant,
  token: IssuedRefreshToken,
  grant: Grant | undefined,
): boolean => grant === undefined || nowMs >= REFRESH_TOKEN_ENDS[choices.rtlife](token, grant)

/** True from a day after it expired. It then answers like one that was never issued. */
const isAccessTokenForgotten = ({ nowMs, choices }: Instant, token: IssuedToken): boolean =>
  isAccessTokenOver({ choices, nowMs: nowMs - DAY_MS }, token)

const GRACE_MS = 30 * SECOND_MS

/** U24: the token that replaced a refresh token has revoked it. */
const IS_REPLACED: Record<Choices['rotation'], (token: IssuedRefreshToken, nowMs: number) => boolean> = {
  new_old_revoked: ({ replaced_at_ms }) => replaced_at_ms !== undefined,
  same: ({ replaced_at_ms }) => replaced_at_ms !== undefined,
  new_old_valid: () => false,
  new_old_valid_30_seconds: ({ replaced_at_ms }, nowMs) => nowMs - (replaced_at_ms ?? nowMs) >= GRACE_MS,
  new_old_valid_until_new_used: ({ is_successor_used }) => is_successor_used === true,
}
export const isRefreshTokenReplaced = ({ choices, nowMs }: Instant, token: IssuedRefreshToken): boolean =>
  IS_REPLACED[choices.rotation](token, nowMs)

const KNOWN_AFTER_REPLACEMENT_MS = 30 * DAY_MS

/** Expired, or refused and replaced 30 days ago: it then answers like one that was never issued. */
const isRefreshTokenForgotten = (
  instant: Instant,
  token: IssuedRefreshToken,
  grant: Grant | undefined,
): boolean =>
  (instant.nowMs - (token.replaced_at_ms ?? instant.nowMs) >= KNOWN_AFTER_REPLACEMENT_MS &&
    instant.choices.reuse !== 'accepted' &&
    isRefreshTokenReplaced(instant, token)) ||
  isRefreshTokenOver(instant, token, grant)
