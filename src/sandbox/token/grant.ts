/** What a person has permitted, as codes and tokens: issues them, and forgets those that are over. */
import { ACCESS_TOKEN_LIFETIME_SECONDS, type TokenResponse } from '../../contract/token.ts'
import {
  EXPIRED_KNOWN_FOR_MS,
  isAccessTokenOver,
  isCodeOver,
  isRefreshTokenOver,
  REPLACED_KNOWN_FOR_MS,
} from '../state/lifetime.ts'
import type { Choices } from '../choices/choices.ts'
import { revokeGrants } from '../state/active.ts'
import {
  forget,
  type Frozen,
  type Grant,
  type IssuedRefreshToken,
  lookUp,
  type PendingAuthorization,
  type SandboxState,
} from '../state/state.ts'
import type { Context } from '../state/context.ts'

type Permitted = Pick<Grant, 'client_id' | 'person_id' | 'organization_id'>

/** How many earlier grants of the same application, person and organization stay beside a new one (U28). */
const EARLIER_KEPT: Record<Choices['secondgrant'], number> = {
  both_live: Infinity,
  first_revoked: 0,
  oldest_evicted: 2,
}

/** Issues the code for what was just permitted. */
export function issueCode(context: Context, permitted: Frozen<PendingAuthorization>): string {
  const { client_id, person_id, organization_id, redirect_uri, code_challenge } = permitted
  const [grantId, code] = [context.nextRandom(), context.nextRandom()]
  endEarlierGrants(context, permitted)
  context.change((state) => {
    forgetOver(context, state)
    state.grants[grantId] = { client_id, person_id, organization_id, permitted_at_ms: context.nowMs }
    state.codes[code] = {
      grant_id: grantId,
      redirect_uri,
      ...(code_challenge !== undefined && { code_challenge }),
      issued_at_ms: context.nowMs,
    }
  })
  return code
}

/** Issues an access token beside a refresh token, new or kept. */
export function issueTokens(
  context: Context,
  grantId: string,
  refreshToken: string,
  { replaces }: Pick<IssuedRefreshToken, 'replaces'> = {},
): TokenResponse {
  const accessToken = newToken(context)
  context.change((state) => {
    state.access_tokens[accessToken] = { grant_id: grantId, issued_at_ms: context.nowMs }
    state.refresh_tokens[refreshToken] ??= {
      grant_id: grantId,
      issued_at_ms: context.nowMs,
      ...(replaces !== undefined && { replaces }),
    }
    // Only now: before, a grant whose old tokens are all over would look as if nobody held it.
    forgetOver(context, state)
  })
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_LIFETIME_SECONDS,
    refresh_token: refreshToken,
  }
}

const inBase64Url = (text: string): string => Buffer.from(text).toString('base64url')

/** What a token looks like (U30); all that makes it one is the value that was drawn. */
const TOKEN_FORMATS: Record<Choices['tokformat'], (drawn: string) => string> = {
  opaque_43: (drawn) => drawn,
  jwt_like: (drawn) =>
    `${inBase64Url('{"alg":"HS256","typ":"at+jwt"}')}.${inBase64Url('{"iss":"sandbox"}')}.${drawn}`,
  base64_symbols: (drawn) => `+/${drawn.replaceAll('-', '+').replaceAll('_', '/')}=`,
  long_4096: (drawn) => drawn.padEnd(4096, drawn),
}

/** A new access or refresh token. */
export const newToken = (context: Context): string =>
  TOKEN_FORMATS[context.choices.tokformat](context.nextRandom())

/** Whether it was permitted before, and the grant lives. */
export const hasPermitted = ({ state }: Context, permitted: Permitted): boolean =>
  Object.values(state.grants).some((grant) => isSame(grant, permitted))

/** Ends every token of a grant (RFC 6749 4.1.2). */
export const revokeTokens = (context: Context, grantId: string): void => {
  const meant = lookUp(context.state.grants, grantId)
  revokeGrants(context, (grant) => grant === meant, ['access_tokens', 'refresh_tokens'])
}

function endEarlierGrants(context: Context, permitted: Frozen<Permitted>): void {
  const earlier = Object.values(context.state.grants).filter((grant) => isSame(grant, permitted))
  const ended = earlier.slice(0, Math.max(0, earlier.length - EARLIER_KEPT[context.choices.secondgrant]))
  if (ended.length > 0) revokeGrants(context, (grant) => ended.some((one) => one === grant))
}

const isSame = (one: Permitted, other: Permitted): boolean =>
  one.client_id === other.client_id &&
  one.person_id === other.person_id &&
  one.organization_id === other.organization_id

/** A used code is known for as long as its tokens can be refreshed, so that its coming again still revokes them. */
function forgetOver(context: Context, state: SandboxState): void {
  const { nowMs, choices } = context
  const before = { choices, nowMs: nowMs - EXPIRED_KNOWN_FOR_MS }
  forget(state.access_tokens, (token) => isAccessTokenOver(before, token))
  forget(
    state.refresh_tokens,
    (token) =>
      nowMs - (token.replaced_at_ms ?? nowMs) >= REPLACED_KNOWN_FOR_MS ||
      isRefreshTokenOver(context, token, lookUp(state.grants, token.grant_id)),
  )
  const tokens = [...Object.values(state.access_tokens), ...Object.values(state.refresh_tokens)]
  const alive = new Set(tokens.map(({ grant_id }) => grant_id))
  forget(state.codes, (code) => isCodeOver(context, code) && !alive.has(code.grant_id))
  for (const { grant_id } of Object.values(state.codes)) alive.add(grant_id)
  for (const id of Object.keys(state.grants)) if (!alive.has(id)) delete state.grants[id]
}
