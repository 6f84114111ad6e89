/** Issues codes and tokens for a permission, and revokes them by grant. */
import { ACCESS_TOKEN_LIFETIME_SECONDS, type TokenResponse } from '../../contract/token.ts'
import type { Choices } from '../choices/choices.ts'
import type { Context } from '../state/context.ts'
import { addIssued, deleteGrant, deleteIssued, liveGrants, type Permission } from '../state/issued.ts'
import type { IssuedCode, IssuedRefreshToken, PendingAuthorization } from '../state/state.ts'

export function issueCode(context: Context, permitted: PendingAuthorization): string {
  const { client_id, person_id, organization_id, redirect_uri } = permitted
  const { code_challenge, is_redirect_uri_optional } = permitted
  const [grantId, code] = [context.nextRandom(), context.nextRandom()]
  revokeEarlierGrants(context, permitted)
  const now = context.nowMs
  context.state.grants[grantId] = { client_id, person_id, organization_id, permitted_at_ms: now }
  addIssued(context, 'codes', code, {
    grant_id: grantId,
    redirect_uri,
    ...(is_redirect_uri_optional && { is_redirect_uri_optional }),
    ...(code_challenge !== undefined && { code_challenge }),
    issued_at_ms: now,
  })
  return code
}

export function useCode(context: Context, code: string): IssuedCode {
  const issued = context.state.codes[code]
  if (issued === undefined) throw new Error('There is no such code')
  context.state.codes[code] = { used_at_ms: context.nowMs, ...issued }
  return issued
}

export function issueTokens(
  context: Context,
  grantId: string,
  refreshToken: string,
  replaced: Pick<IssuedRefreshToken, 'replaces'> = {},
): TokenResponse {
  const accessToken = newToken(context)
  const issued = { grant_id: grantId, issued_at_ms: context.nowMs }
  addIssued(context, 'access_tokens', accessToken, issued)
  if (!Object.hasOwn(context.state.refresh_tokens, refreshToken))
    addIssued(context, 'refresh_tokens', refreshToken, { ...issued, ...replaced })
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_LIFETIME_SECONDS,
    refresh_token: refreshToken,
  }
}

const inBase64Url = (text: string): string => Buffer.from(text).toString('base64url')

/** U30. */
const TOKEN_FORMATS: Record<Choices['tokformat'], (random: string) => string> = {
  opaque_43: (random) => random,
  jwt_like: (random) =>
    `${inBase64Url('{"alg":"HS256","typ":"at+jwt"}')}.${inBase64Url('{"iss":"sandbox"}')}.${random}`,
  base64_symbols: (random) => `+/${random.replaceAll('-', '+').replaceAll('_', '/')}=`,
  long_4096: (random) => random.padEnd(4096, random),
}

export const newToken = (context: Context): string =>
  TOKEN_FORMATS[context.choices.tokformat](context.nextRandom())

/** RFC 6749 4.1.2. */
export const revokeTokens = (context: Context, grantId: string): void =>
  deleteIssued(context.state, grantId, ['access_tokens', 'refresh_tokens'])

/** U28: how many earlier grants of the same permission stay valid beside a new one. */
function revokeEarlierGrants(context: Context, permission: Permission): void {
  const { secondgrant } = context.choices
  if (secondgrant === 'both_live') return
  const most = secondgrant === 'oldest_evicted' ? 2 : 0
  const earlier = liveGrants(context, permission)
  for (const id of earlier.slice(0, Math.max(0, earlier.length - most))) deleteGrant(context.state, id)
}
