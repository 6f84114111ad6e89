/** Exchanges a code for tokens, once (5.3), and refreshes the tokens of a grant (5.4.3, 5.4.4). */
import { SECOND_MS } from '../../contract/duration.ts'
import type { TokenResponse } from '../../contract/token.ts'
import type { Choices } from '../choices/choices.ts'
import { required, valueOf } from '../http/form.ts'
import { Refusal } from '../http/problem.tsx'
import type { Context } from '../state/context.ts'
import { deleteIssued, findRefreshToken } from '../state/issued.ts'
import { isCodeOver, isRefreshTokenReplaced } from '../state/lifetime.ts'
import type { Application } from '../state/seed.ts'
import { type DeepReadonly, type IssuedCode, type IssuedRefreshToken, ownValue } from '../state/state.ts'
import { issueTokens, newToken, revokeTokens, useCode } from './grant.ts'
import { assertVerifier } from './pkce.ts'
import { hasRefreshToken } from './token-answer.ts'

const ACCEPTED_AGAIN_MS = 10 * SECOND_MS

/** U12. */
const REPLAYS: Record<Choices['codereplay'], (context: Context, code: DeepReadonly<IssuedCode>) => void> = {
  // RFC 6749 4.1.2, 10.5: a code that is sent again may be stolen, and so may its tokens.
  refused_and_revoked: (context, { grant_id }) => {
    revokeTokens(context, grant_id)
    throw new Refusal('invalid_grant')
  },
  refused: () => {
    throw new Refusal('invalid_grant')
  },
  accepted_10_seconds: ({ nowMs }, { used_at_ms = nowMs }) => {
    if (nowMs - used_at_ms >= ACCEPTED_AGAIN_MS) throw new Refusal('invalid_grant')
  },
}

/** RFC 6749 4.1.3. @throws Refusal `invalid_request`, `invalid_grant` */
export function exchangeCode(
  context: Context,
  application: DeepReadonly<Application>,
  sent: URLSearchParams,
): TokenResponse {
  const code = required(sent, 'code')
  const issued = ownValue(context.state.codes, code)
  const grant = issued && ownValue(context.state.grants, issued.grant_id)
  if (issued === undefined || grant?.client_id !== application.client_id) throw new Refusal('invalid_grant')
  if (issued.used_at_ms !== undefined) REPLAYS[context.choices.codereplay](context, issued)
  if (isCodeOver(context, issued)) throw new Refusal('invalid_grant')
  assertRedirectUri(valueOf(sent, 'redirect_uri'), issued)
  assertVerifier(sent, issued, context.choices)
  useCode(context, code)
  return issueTokens(context, issued.grant_id, newToken(context))
}

/** RFC 6749 4.1.3: equal; optional if the authorization request had none. @throws Refusal `invalid_grant` */
function assertRedirectUri(
  sent: string | undefined,
  { redirect_uri, is_redirect_uri_optional }: DeepReadonly<IssuedCode>,
): void {
  if (sent === undefined && is_redirect_uri_optional) return
  if (sent !== redirect_uri) throw new Refusal('invalid_grant')
}

/** U24: a refresh replaces the refresh token. */
const REPLACES: Record<Choices['rotation'], boolean> = {
  new_old_revoked: true, // RFC 9700 4.14.2
  same: false,
  new_old_valid: true,
  new_old_valid_30_seconds: true,
  new_old_valid_until_new_used: true,
}

/** U25: a revoked refresh token. */
const REUSES: Record<Choices['reuse'], (context: Context, token: DeepReadonly<IssuedRefreshToken>) => void> =
  {
    refused: () => {
      throw new Refusal('invalid_grant')
    },
    // RFC 9700 4.14.2: attacker and client look the same, so neither keeps access.
    refused_family_revoked: (context, { grant_id }) => {
      revokeTokens(context, grant_id)
      throw new Refusal('invalid_grant')
    },
    accepted: () => {},
  }

/** U27. */
const REVOKES_OLD_ACCESS: Record<Choices['oldaccess'], boolean> = { until_expiry: false, revoked: true }

/** RFC 6749 6; ignores all but the parameters of 5.4.3. @throws Refusal `invalid_request`, `invalid_grant` */
export function refresh(
  context: Context,
  application: DeepReadonly<Application>,
  sent: URLSearchParams,
): TokenResponse {
  const { state, choices, nowMs } = context
  const refreshToken = required(sent, 'refresh_token')
  const known = findRefreshToken(context, refreshToken)
  const grant = known && ownValue(state.grants, known.grant_id)
  if (known === undefined || grant?.client_id !== application.client_id) throw new Refusal('invalid_grant')
  if (isRefreshTokenReplaced(context, known)) REUSES[choices.reuse](context, known)

  // No client would get a new token that the answer leaves out (U21), so the one that was sent stays valid.
  const replaces = REPLACES[choices.rotation] && hasRefreshToken(choices, true)
  const next = replaces ? newToken(context) : refreshToken
  context.change((changed) => {
    const { refresh_tokens } = changed
    const former = refresh_tokens[known.replaces ?? '']
    if (former && known.replaces) refresh_tokens[known.replaces] = { ...former, is_successor_used: true }
    const replaced_at_ms = replaces ? (known.replaced_at_ms ?? nowMs) : known.replaced_at_ms
    refresh_tokens[refreshToken] = {
      ...known,
      used_at_ms: nowMs,
      ...(replaced_at_ms !== undefined && { replaced_at_ms }),
    }
    if (REVOKES_OLD_ACCESS[choices.oldaccess]) deleteIssued(changed, known.grant_id, ['access_tokens'])
  })
  return issueTokens(context, known.grant_id, next, replaces ? { replaces: refreshToken } : {})
}
