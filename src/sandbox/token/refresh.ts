/** Refreshes the tokens of a grant (5.4.3, 5.4.4). */
import type { TokenResponse } from '../../contract/token.ts'
import { required } from '../http/form.ts'
import { newToken, issueTokens, revokeTokens } from './grant.ts'
import { deleteIssued, findRefreshToken } from '../state/issued.ts'
import { isRefreshTokenReplaced } from '../state/lifetime.ts'
import { Refusal } from '../http/problem.tsx'
import type { Choices } from '../choices/choices.ts'
import type { Application } from '../state/seed.ts'
import { type DeepReadonly, type IssuedRefreshToken, ownValue } from '../state/state.ts'
import { hasRefreshToken } from './token-answer.ts'
import type { Context } from '../state/context.ts'

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
    if (former) former.is_successor_used = true
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
